"""A Golomb ruler: a set of marks whose differences all differ, as short as possible."""

import conjure_like as cl

m = cl.Builder("Golomb ruler")
marks = m.find("marks", cl.Set(cl.Int(0, 30), size=7))
m.require(cl.member(0, marks), cl.all_different(abs(a - b) for a, b in cl.combinations(marks, 2)))
m.minimise(cl.max(marks))

print("answer", m.solve().objective)

"""How can a deck be shuffled twice in the same way, so that three cycles of three cards come out?"""

import conjure_like as cl

m = cl.Builder("Square roots of a permutation")
p = m.find("p", cl.Permutation(cl.Int(1, 9)))
m.require(cl.compose(p, p) == cl.permutation([(1, 2, 3), (4, 5, 6), (7, 8, 9)]))

print("answer", m.count())

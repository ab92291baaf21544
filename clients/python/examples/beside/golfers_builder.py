"""Social golfers: partitions of the same people, in which no two are together twice."""

import conjure_like as cl

m = cl.Builder("Social golfers")
golfer, week = m.unnamed("golfer", 12), cl.Int(1, 3)
plan = m.find("plan", cl.Matrix(week, of=cl.Partition(golfer, num_parts=4, part_size=3)))
m.require(cl.size(g & h) <= 1 for v in week for w in week if v < w for g in cl.parts(plan[v]) for h in cl.parts(plan[w]))

print("answer", bool(m.solve()))

"""Golfers who play in groups, every week with others (CPMpy: prob010_social_golfers.py)."""

import conjure_like as cl

weeks, groups, size = 4, 3, 3

m = cl.Builder("Social golfers")
golfer, W = m.unnamed("golfer", groups * size), m.domain("week", cl.Int(1, weeks))
plan = m.find("plan", cl.Matrix(W, of=cl.Partition(golfer, num_parts=groups, part_size=size)))
m.require(
    (cl.size(g & h) <= 1 for v in W for w in W if v < w for g in cl.parts(plan[v]) for h in cl.parts(plan[w])),
    name="No two golfers play together twice.",
)

solution = m.solve()
for week, parts in solution.plan.items():
    print(f"Week {week}:", *("-".join(sorted(part)) for part in parts))

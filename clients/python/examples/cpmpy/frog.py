"""A frog eats all insects on a grid; it jumps along rows and columns (CPMpy: lpcp21_p1_frog.py)."""

import conjure_like as cl

size, start, obstacles = 4, (3, 3), {(1, 1), (2, 2), (2, 4), (4, 2)}

cells = [(i, j) for i in range(1, size + 1) for j in range(1, size + 1)]
insects = [c for c in cells if c not in obstacles]

m = cl.Builder("The frog")
S, D = m.domain("step", cl.Int(1, len(insects))), m.domain("line", cl.Int(1, size))
frog = m.find("frog", cl.Sequence((D, D), size=len(insects), injective=True))
m.require(frog(1) == start, (cl.member(frog(s), insects) for s in S))
m.require(
    ((frog(s)[0] == frog(s + 1)[0]) | (frog(s)[1] == frog(s + 1)[1]) for s in cl.Int(1, len(insects) - 1)),
    name="Each jump stays in a row or in a column.",
)

print(*m.solve().frog)

"""Balanced incomplete block design: blocks of `k` objects, so that any two objects meet in `together` blocks (CPMpy: bibd.py)."""

import conjure_like as cl

v, b, r, k, together = 7, 7, 3, 3, 1

m = cl.Builder("Balanced incomplete block design")
V, B = m.domain("object", cl.Int(1, v)), m.domain("block", cl.Int(1, b))
block = m.find("blocks", cl.Matrix(B, of=cl.Set(V, size=k)))
m.require(cl.count(cl.member(o, block[j]) for j in B) == r for o in V)
m.require(cl.count(cl.member(o, block[j]) & cl.member(p, block[j]) for j in B) == together for o in V for p in V if o < p)

solution = m.solve()
for j in range(1, b + 1):
    print(f"Block {j}:", *sorted(solution.blocks[j]))

"""Graphs without diamonds, whose degrees are multiples of 3 (CPMpy: prob050_diamond_free.py)."""

import conjure_like as cl

n = 10

m = cl.Builder("Diamond-free graphs")
D = m.domain("node", cl.Int(1, n))
edge = m.find("edge", cl.Matrix(D, D, of=cl.Bool), picture="mosaic")
m.require((~edge[a, a] for a in D), (edge[a, b] == edge[b, a] for a in D for b in D if a < b))
m.require((cl.any(edge[a, :]) & (cl.count(edge[a, b] for b in D) % 3 == 0) for a in D), name="Each degree is a positive multiple of 3.")
m.require(cl.count(edge[a, b] for a in D for b in D) % 12 == 0)
m.require(
    (
        cl.count([edge[a, b], edge[a, c], edge[a, d], edge[b, c], edge[b, d], edge[c, d]]) <= 4
        for a in D for b in D if a < b for c in D if b < c for d in D if c < d
    ),
    name="Four nodes have at most four edges.",
)  # fmt: skip
m.require((cl.lex_less(edge[a, :], edge[a + 1, :]) for a in cl.Int(1, n - 1)), name="The rows are in order.")

for solution in m.solutions(number=10):
    print("degrees", *(sum(row) for row in solution.edge))

"""Permutations whose differences at each distance differ (CPMpy: prob076_costas_arrays.py)."""

import conjure_like as cl

n = 6

m = cl.Builder("Costas arrays")
D = m.domain("place", cl.Int(1, n))
x = m.find("x", cl.Matrix(D, of=D))
m.require(cl.all_different(x))
m.require(cl.all_different(x[i + d] - x[i] for i in cl.Int(1, n - d)) for d in cl.Int(1, n - 2))

for solution in m.solutions(number=10):
    print(*solution.x)

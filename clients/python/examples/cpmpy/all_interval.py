"""Series of the numbers 1 to `n` whose neighbours differ by all of 1 to `n - 1` (CPMpy: prob007_all_interval.py)."""

import conjure_like as cl

n = 12

m = cl.Builder("All intervals")
x = m.find("x", cl.Matrix(cl.Int(1, n), of=cl.Int(1, n)))
gap = m.find("gap", cl.Matrix(cl.Int(1, n - 1), of=cl.Int(1, n - 1)))
m.require(cl.all_different(x), cl.all_different(gap), (gap[i] == abs(x[i + 1] - x[i]) for i in cl.Int(1, n - 1)))
m.require(x[1] < x[n], gap[1] < gap[2], name="Mirrored series count once.")

for solution in m.solutions(number=10):
    print(solution.x.tolist())

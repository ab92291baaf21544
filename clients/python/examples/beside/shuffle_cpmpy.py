"""Square roots of a permutation, with CPMpy."""

import cpmpy as cp

image = [1, 2, 0, 4, 5, 3, 7, 8, 6]
p = cp.intvar(0, 8, shape=9)
m = cp.Model(cp.AllDifferent(p), [p[p[i]] == image[i] for i in range(9)])
print("answer", m.solveAll())

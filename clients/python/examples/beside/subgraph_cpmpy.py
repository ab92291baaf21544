"""A graph in another one, with CPMpy."""

import cpmpy as cp

small = {(1, 2), (2, 3), (3, 1), (3, 4), (4, 5)}
large = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1), (1, 4), (2, 6), (7, 8), (8, 1), (7, 3)}

edges = sorted(large | {(b, a) for a, b in large})
node_of = cp.intvar(1, 8, shape=5)
m = cp.Model(cp.AllDifferent(node_of))
for a, b in small:
    m += cp.Table([node_of[a - 1], node_of[b - 1]], edges)
print("answer", m.solveAll())

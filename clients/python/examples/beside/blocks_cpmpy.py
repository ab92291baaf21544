"""A Steiner system, with CPMpy."""

import cpmpy as cp

has = cp.boolvar(shape=(7, 7))
m = cp.Model([cp.sum(row) == 3 for row in has])
for s in range(7):
    for t in range(s + 1, 7):
        m += cp.sum(has[s] & has[t]) <= 1
# A set has no order, so the rows are sorted.
m += cp.LexChainLess(has)
print("answer", m.solveAll())

"""Schur's lemma, with CPMpy."""

import cpmpy as cp

part = cp.intvar(0, 2, shape=14)
most = cp.intvar(-1, 2, shape=14)
m = cp.Model(part[0] == 0, most[0] == -1)
for a in range(1, 14):
    m += [most[a] == cp.max([most[a - 1], part[a]]), part[a] <= most[a - 1] + 1]
    for b in range(a, 14 - a):
        m += ~((part[a] == part[b]) & (part[b] == part[a + b]))
print("answer", m.solveAll())

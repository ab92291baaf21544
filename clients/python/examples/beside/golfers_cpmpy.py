"""Social golfers, with CPMpy."""

from itertools import combinations

import cpmpy as cp

group = cp.intvar(0, 3, shape=(12, 3))
m = cp.Model()
for w in range(3):
    for g in range(4):
        m += cp.Count(group[:, w], g) == 3
for a, b in combinations(range(12), 2):
    m += cp.sum(group[a, w] == group[b, w] for w in range(3)) <= 1
m += [group[a, 0] == a // 3 for a in range(12)]
m += [group[0, w] == 0 for w in range(3)]
print("answer", m.solve())

"""Orienteering, with CPMpy."""

import math

import cpmpy as cp

spots = [(0, 0), (2, 7), (5, 4), (9, 8), (8, 1), (4, 9), (1, 4), (7, 6)]
points, time = [0, 6, 4, 9, 8, 5, 3, 7], 24

n = len(spots)
# A dummy place for "the tour has ended", which is close to every place.
far = cp.cpm_array([round(math.dist(a, b)) for a in spots for b in spots])
gain = cp.cpm_array([*points, 0])
tour = cp.intvar(0, n, shape=n)
leg = cp.intvar(0, 20, shape=n - 1)
m = cp.Model(tour[0] == 0, cp.AllDifferentExceptN(tour, n))
for i in range(n - 1):
    m += (tour[i] == n).implies(tour[i + 1] == n)
    m += (tour[i + 1] == n).implies(leg[i] == 0)
    m += (tour[i + 1] != n).implies(leg[i] == far[tour[i] * n + tour[i + 1]])
m += cp.sum(leg) <= time
m.maximize(cp.sum(gain[t] for t in tour))
m.solve()
print("answer", m.objective_value())

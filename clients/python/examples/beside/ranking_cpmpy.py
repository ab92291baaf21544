"""A ranking, with CPMpy."""

import cpmpy as cp

votes = {(a, b): (3 * a + 5 * b) % 11 for a in range(1, 8) for b in range(1, 8) if a != b}

place = cp.intvar(1, 7, shape=7)
m = cp.Model(cp.AllDifferent(place))
m.minimize(cp.sum(v * (place[b - 1] < place[a - 1]) for (a, b), v in votes.items()))
m.solve()
print("answer", m.objective_value())

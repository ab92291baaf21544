"""Two purses, with CPMpy."""

import cpmpy as cp

coins = [3, 5, 7, 12, 20]
ann, ben = cp.intvar(0, 8, shape=5), cp.intvar(0, 8, shape=5)
m = cp.Model(cp.sum(ann * coins) == cp.sum(ben * coins), cp.sum(ann * coins) >= 50)
m += [(a == 0) | (b == 0) for a, b in zip(ann, ben)]
m += [cp.sum(ann) >= 1, cp.sum(ann) <= 8, cp.sum(ben) >= 1, cp.sum(ben) <= 8]
m.minimize(cp.sum(ann) + cp.sum(ben))
m.solve()
print("answer", m.objective_value())

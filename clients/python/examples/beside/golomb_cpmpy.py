"""A Golomb ruler, with CPMpy."""

import cpmpy as cp

marks = cp.intvar(0, 30, shape=7)
m = cp.Model(marks[0] == 0, [a < b for a, b in zip(marks, marks[1:])])
m += cp.AllDifferent([marks[j] - marks[i] for i in range(7) for j in range(i + 1, 7)])
m.minimize(marks[-1])
m.solve()
print("answer", m.objective_value())

"""Guests at tables, with CPMpy."""

import cpmpy as cp

couples, enemies = [(1, 2), (3, 4), (5, 6)], [(1, 7), (2, 3), (8, 9)]
friends = [(1, 3), (2, 8), (7, 9), (4, 9), (5, 10), (6, 11), (10, 12), (11, 12), (7, 10), (8, 12)]

# At most four tables, of which some may stay empty.
table = cp.intvar(0, 3, shape=13)
m = cp.Model(table[0] == 0)
for t in range(4):
    guests = cp.Count(table[1:], t)
    m += (guests == 0) | ((guests >= 3) & (guests <= 5))
m += [table[a] == table[b] for a, b in couples]
m += [table[a] != table[b] for a, b in enemies]
m.maximize(cp.sum(table[a] == table[b] for a, b in friends))
m.solve()
print("answer", m.objective_value())

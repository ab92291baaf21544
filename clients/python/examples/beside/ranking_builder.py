"""A ranking of seven dishes that contradicts as few of the votes as possible: a linear order."""

import conjure_like as cl

votes = {(a, b): (3 * a + 5 * b) % 11 for a in range(1, 8) for b in range(1, 8) if a != b}

m = cl.Builder("A ranking")
dish = m.domain("dish", cl.Int(1, 7))
voted = m.letting("votes", votes)
above = m.find("above", cl.Relation(dish, dish, linear_order=True))
m.minimise(cl.sum(voted[b, a] for a, b in above if a != b))

print("answer", m.solve().objective)

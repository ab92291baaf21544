"""Guests at tables of three to five: couples together, enemies apart, and as many friends together as possible."""

import conjure_like as cl

couples, enemies = [(1, 2), (3, 4), (5, 6)], [(1, 7), (2, 3), (8, 9)]
friends = [(1, 3), (2, 8), (7, 9), (4, 9), (5, 10), (6, 11), (10, 12), (11, 12), (7, 10), (8, 12)]

m = cl.Builder("Seating")
tables = m.find("tables", cl.Partition(cl.Int(1, 12), min_part_size=3, max_part_size=5))
m.require((cl.together(pair, tables) for pair in couples), (cl.apart(pair, tables) for pair in enemies))
m.maximise(cl.count(cl.together(pair, tables) for pair in friends))

print("answer", m.solve().objective)

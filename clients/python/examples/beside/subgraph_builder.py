"""A graph in another one: an injective function that keeps the edges."""

import conjure_like as cl

small = {(1, 2), (2, 3), (3, 1), (3, 4), (4, 5)}
large = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1), (1, 4), (2, 6), (7, 8), (8, 1), (7, 3)}

m = cl.Builder("A graph in another one")
edges = m.letting("edges", cl.relation(large | {(b, a) for a, b in large}))
node_of = m.find("node_of", cl.Function(cl.Int(1, 5), cl.Int(1, 8), total=True, injective=True))
m.require(edges(node_of[a], node_of[b]) for a, b in sorted(small))

print("answer", m.count())

"""A Steiner system: a set of triples in which every two points are together once."""

import conjure_like as cl

m = cl.Builder("Steiner triples")
point = m.domain("point", cl.Int(1, 7))
triples = m.find("triples", cl.Set(cl.Set(point, size=3), size=7))
m.require(cl.size(s & t) <= 1 for s, t in cl.combinations(triples, 2))

print("answer", m.count())

"""Orienteering: a sequence of places, as long as time allows, with as many points as possible."""

import math

import conjure_like as cl

spots = [(0, 0), (2, 7), (5, 4), (9, 8), (8, 1), (4, 9), (1, 4), (7, 6)]
points, time = [0, 6, 4, 9, 8, 5, 3, 7], 24

m = cl.Builder("Orienteering")
place = m.domain("place", cl.Int(1, len(spots)))
gain = m.letting("gain", points)
far = m.letting("far", [[round(math.dist(a, b)) for b in spots] for a in spots])
tour = m.find("tour", cl.Sequence(place, max_size=len(spots), injective=True))
m.require(tour(1) == 1, cl.sum(far[tour(i), tour(i + 1)] for i, _ in tour if i < cl.size(tour)) <= time)
m.maximise(cl.sum(gain[p] for _, p in tour))

print("answer", m.solve().objective)

"""The shortest tours of three vehicles to eight places (CPMpy: vrp.py)."""

import math

import conjure_like as cl

locations = [(288, 149), (288, 129), (270, 133), (256, 141), (256, 163), (236, 169), (228, 169), (228, 148), (220, 164)]
demand, vehicles, capacity = [0, 3, 4, 8, 8, 10, 5, 3, 9], 3, 20

m = cl.Builder("Vehicle routing")
N = m.domain("place", cl.Int(0, len(locations) - 1))
place, load_of = cl.Int(1, len(locations) - 1), m.letting("demand", cl.matrix(demand, N))
distance = m.letting("distance", cl.matrix([[int(math.dist(a, b)) for b in locations] for a in locations], N, N))
goes = m.find("goes", cl.Matrix(N, N, of=cl.Bool))
load = m.find("load", cl.Matrix(place, of=cl.Int(0, capacity)), about="What is in the vehicle when it leaves a place.")
m.require(cl.count(goes[0, j] for j in N) <= vehicles)
m.require((cl.count(goes[i, j] for j in N) == 1) & (cl.count(goes[j, i] for j in N) == 1) for i in place)
m.require(~goes[i, i] for i in N)
m.require(load[i] >= load_of[i] for i in place)
m.require(cl.implies(goes[i, j], load[j] == load[i] + load_of[j]) for i in place for j in place)
m.minimise(cl.sum(distance[i, j] * cl.to_int(goes[i, j]) for i in N for j in N))

result = m.solve()
print("distance", result.objective)

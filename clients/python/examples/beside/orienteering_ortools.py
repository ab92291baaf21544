"""Orienteering, with OR-tools."""

import math

from ortools.sat.python import cp_model

spots = [(0, 0), (2, 7), (5, 4), (9, 8), (8, 1), (4, 9), (1, 4), (7, 6)]
points, time = [0, 6, 4, 9, 8, 5, 3, 7], 24

n = len(spots)
m = cp_model.CpModel()
# A circuit with an extra end node `n`, from which an arc leads to the start; places that are left out have a self-loop.
arcs, length, visited = [], [], {}
for i in range(n):
    visited[i] = m.new_bool_var("")
    arcs.append((i, i, ~visited[i]))
    if i:
        arcs.append((i, n, m.new_bool_var("")))
        for j in range(1, n):
            if i != j:
                arc = m.new_bool_var("")
                arcs.append((i, j, arc))
                length.append(round(math.dist(spots[i], spots[j])) * arc)
    else:
        for j in range(1, n + 1):
            arc = m.new_bool_var("")
            arcs.append((0, j, arc))
            length.append(round(math.dist(spots[0], spots[j])) * arc if j < n else 0)
arcs.append((n, 0, m.new_constant(1)))
m.add_circuit(arcs)
m.add(visited[0] == 1)
m.add(sum(length) <= time)
m.maximize(sum(p * visited[i] for i, p in enumerate(points)))
solver = cp_model.CpSolver()
solver.solve(m)
print("answer", int(solver.objective_value))

import json
import os
import sys

from ortools.sat.python import cp_model

distance = json.load(open(sys.argv[1]))["distance"]
towns = range(len(distance))
model = cp_model.CpModel()
leg = {(a, b): model.new_bool_var(f"leg{a}_{b}") for a in towns for b in towns if a != b}
model.add_circuit((a, b, x) for (a, b), x in leg.items())
model.minimize(sum(distance[a][b] * x for (a, b), x in leg.items()))
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
after = {a: b for (a, b), x in leg.items() if solver.value(x)}
trip = [0]
while len(trip) < len(towns):
    trip.append(after[trip[-1]])
print("letting trip be sequence(" + ", ".join(str(t + 1) for t in trip) + ")")

import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
demand, needs = data["demand"], data["needs"]
n, classes = sum(demand), range(len(demand))
model = cp_model.CpModel()
car = [[model.new_bool_var(f"car{s}_{c}") for c in classes] for s in range(n)]
for row in car:
    model.add_exactly_one(row)
for c in classes:
    model.add(sum(row[c] for row in car) == demand[c])
for option, (most, window) in enumerate(zip(data["at_most"], data["out_of"])):
    having = [c for c in classes if needs[c][option]]
    for s in range(n - window + 1):
        model.add(sum(car[t][c] for t in range(s, s + window) for c in having) <= most)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
slots = (next(c for c in classes if solver.value(row[c])) for row in car)
print("letting car be function(" + ", ".join(f"{s + 1} --> class_{c + 1}" for s, c in enumerate(slots)) + ")")

import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
items = range(len(data["weight"]))
model = cp_model.CpModel()
chosen = [model.new_bool_var(f"chosen{i}") for i in items]
model.add(sum(w * x for w, x in zip(data["weight"], chosen)) <= data["capacity"])
model.maximize(sum(v * x for v, x in zip(data["value"], chosen)))
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
print("letting chosen be {" + ", ".join(f"item_{i + 1}" for i in items if solver.value(chosen[i])) + "}")

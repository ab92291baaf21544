import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
weight, capacity = data["weight"], data["capacity"]
things, boxes = range(len(weight)), range(data["most"])
model = cp_model.CpModel()
packed = [[model.new_bool_var(f"in{t}_{b}") for b in boxes] for t in things]
used = [model.new_bool_var(f"used{b}") for b in boxes]
for row in packed:
    model.add_exactly_one(row)
for b in boxes:
    model.add(sum(weight[t] * packed[t][b] for t in things) <= capacity * used[b])
    if b > 0:
        model.add_implication(used[b], used[b - 1])
model.minimize(sum(used))
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
parts = [{t + 1 for t in things if solver.value(packed[t][b])} for b in boxes]
print("letting boxes be partition(" + ", ".join(map(str, filter(None, parts))) + ")")

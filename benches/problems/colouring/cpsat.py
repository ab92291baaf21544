import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
nodes, most = range(data["nodes"]), range(data["most"])
model = cp_model.CpModel()
has = [[model.new_bool_var(f"has{v}_{c}") for c in most] for v in nodes]
used = [model.new_bool_var(f"used{c}") for c in most]
for v in nodes:
    model.add_exactly_one(has[v])
for a, b in data["edges"]:
    for c in most:
        model.add_at_most_one(has[a - 1][c], has[b - 1][c])
for c in most:
    for v in nodes:
        model.add_implication(has[v][c], used[c])
    if c > 0:
        model.add_implication(used[c], used[c - 1])
model.minimize(sum(used))
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
classes = [{v + 1 for v in nodes if solver.value(has[v][c])} for c in most]
print("letting classes be partition(" + ", ".join(map(str, filter(None, classes))) + ")")

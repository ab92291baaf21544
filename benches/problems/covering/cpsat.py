import json
import os
import sys
from itertools import combinations

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
points = range(1, data["v"] + 1)
model = cp_model.CpModel()
chosen = {block: model.new_bool_var(str(block)) for block in combinations(points, data["k"])}
for group in combinations(points, data["t"]):
    model.add_bool_or(x for block, x in chosen.items() if set(group) <= set(block))
# Points can be renamed, so one of the blocks can be fixed.
model.add(chosen[tuple(points)[: data["k"]]] == 1)
model.minimize(sum(chosen.values()))
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
named = lambda numbers: "{" + ", ".join(f"POINT_{number}" for number in numbers) + "}"
print("letting POINT be new type enum " + named(points))
print("letting blocks be {" + ", ".join(named(block) for block, x in chosen.items() if solver.value(x)) + "}")

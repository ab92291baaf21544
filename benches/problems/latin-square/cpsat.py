import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
n = data["n"]
model = cp_model.CpModel()
square = [[model.new_int_var(1, n, f"square{r}{c}") for c in range(n)] for r in range(n)]
for row in square:
    model.add_all_different(row)
for column in zip(*square):
    model.add_all_different(column)
for r, c, number in data["hints"]:
    model.add(square[r - 1][c - 1] == number)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    print("letting square be", [[solver.value(x) for x in row] for row in square])

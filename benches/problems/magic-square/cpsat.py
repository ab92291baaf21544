import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
n = data["n"]
magic = n * (n * n + 1) // 2
model = cp_model.CpModel()
square = [[model.new_int_var(1, n * n, f"s{r}_{c}") for c in range(n)] for r in range(n)]
model.add_all_different(x for row in square for x in row)
for line in [*square, *zip(*square), [square[i][i] for i in range(n)], [square[i][n - 1 - i] for i in range(n)]]:
    model.add(sum(line) == magic)
for r, c, number in data["hints"]:
    model.add(square[r - 1][c - 1] == number)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
print("letting square be", [[solver.value(x) for x in row] for row in square])

import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
mark = [model.new_int_var(0, n * n, f"mark{i}") for i in range(n)]
model.add(mark[0] == 0)
for i in range(n - 1):
    model.add(mark[i] < mark[i + 1])
model.add_all_different([mark[j] - mark[i] for i in range(n) for j in range(i + 1, n)])
model.add(mark[1] - mark[0] < mark[n - 1] - mark[n - 2])
model.minimize(mark[n - 1])
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
print("letting mark be", [solver.value(x) for x in mark])

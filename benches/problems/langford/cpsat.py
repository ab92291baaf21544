import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
at = {(k, p): model.new_bool_var(f"at{k}_{p}") for k in range(1, n + 1) for p in range(2 * n - k - 1)}
for k in range(1, n + 1):
    model.add_exactly_one(x for (number, _), x in at.items() if number == k)
for place in range(2 * n):
    model.add_exactly_one(x for (k, p), x in at.items() if place in (p, p + k + 1))


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        row = [0] * (2 * n)
        for (k, p), x in at.items():
            if self.value(x):
                row[p] = row[p + k + 1] = k
        print("letting row be sequence(" + ", ".join(map(str, row)) + ")\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1 if "--all" in sys.argv else os.cpu_count()
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

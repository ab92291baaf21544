import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
mark = [model.new_int_var(1, n, f"mark{c}") for c in range(n)]
model.add_all_different(mark)
for d in range(1, n - 1):
    model.add_all_different([mark[c + d] - mark[c] for c in range(n - d)])


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        print("letting mark be", [self.value(x) for x in mark], "\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1 if "--all" in sys.argv else os.cpu_count()
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

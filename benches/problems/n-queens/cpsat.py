import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
queen = [model.new_int_var(1, n, f"queen{r}") for r in range(n)]
model.add_all_different(queen)
model.add_all_different([queen[r] - r for r in range(n)])
model.add_all_different([queen[r] + r for r in range(n)])


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        print("letting queen be", [self.value(x) for x in queen], "\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1 if "--all" in sys.argv else os.cpu_count()
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

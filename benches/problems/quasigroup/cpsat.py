import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
elements = range(n)
model = cp_model.CpModel()
times = [[model.new_int_var(0, n - 1, f"t{x}_{y}") for y in elements] for x in elements]
for line in [*times, *zip(*times)]:
    model.add_all_different(line)
for x in elements:
    model.add(times[x][x] == x)
for y in elements:
    column = [times[x][y] for x in elements]
    for x in elements:
        twice = model.new_int_var(0, n - 1, "")
        model.add_element(times[y][x], column, twice)
        model.add_element(twice, column, x)


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        table = ", ".join(f"({x + 1}, {y + 1}) --> {self.value(times[x][y]) + 1}" for x in elements for y in elements)
        print("letting times be function(" + table + ")\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1 if "--all" in sys.argv else os.cpu_count()
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

import json
import sys
from itertools import combinations

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
chosen = {triple: model.new_bool_var(str(triple)) for triple in combinations(range(1, n + 1), 3)}
for pair in combinations(range(1, n + 1), 2):
    model.add_exactly_one(x for triple, x in chosen.items() if set(pair) <= set(triple))


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        triples = ", ".join(str(set(triple)) for triple, x in chosen.items() if self.value(x))
        print("letting triples be {" + triples + "}\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
v, b = data["v"], data["b"]
model = cp_model.CpModel()
holds = [[model.new_bool_var(f"h{i}_{j}") for j in range(b)] for i in range(v)]
columns = list(zip(*holds))


def lexicographic(left, right):
    """left <= right: if they are equal so far, the next ones are in order."""
    equal = True
    for x, y in zip(left, right):
        model.add(x <= y).only_enforce_if(equal)
        still = model.new_bool_var("")
        model.add_bool_or([~still, equal])
        model.add(x == y).only_enforce_if(still)
        model.add(x < y).only_enforce_if([~still, equal] if equal is not True else ~still)
        equal = still


for row in holds:
    model.add(sum(row) == data["r"])
for column in columns:
    model.add(sum(column) == data["k"])
for i in range(v):
    for j in range(i + 1, v):
        both = []
        for x, y in zip(holds[i], holds[j]):
            z = model.new_bool_var("")
            model.add_multiplication_equality(z, [x, y])
            both.append(z)
        model.add(sum(both) == data["lambda"])
for lines in (holds, columns):
    for left, right in zip(lines, lines[1:]):
        lexicographic(left, right)


class Printer(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        print("letting holds be", [[self.value(x) for x in row] for row in holds], "\n----------")


solver = cp_model.CpSolver()
solver.parameters.num_workers = 1 if "--all" in sys.argv else os.cpu_count()
solver.parameters.enumerate_all_solutions = "--all" in sys.argv
solver.solve(model, Printer())

import json
import sys

from z3 import And, Distinct, Int, Solver, sat

data = json.load(open(sys.argv[1]))
n = data["n"]
square = [[Int(f"square_{r}_{c}") for c in range(n)] for r in range(n)]
solver = Solver()
for row in square:
    solver.add(Distinct(row))
    solver.add(And([And(1 <= x, x <= n) for x in row]))
for column in zip(*square):
    solver.add(Distinct(column))
for r, c, number in data["hints"]:
    solver.add(square[r - 1][c - 1] == number)
if solver.check() == sat:
    model = solver.model()
    print("letting square be", [[model[x] for x in row] for row in square])

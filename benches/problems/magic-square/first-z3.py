import json
import sys

from z3 import And, Distinct, Int, Solver, Sum

data = json.load(open(sys.argv[1]))
n = data["n"]
magic = n * (n * n + 1) // 2
square = [[Int(f"s_{r}_{c}") for c in range(n)] for r in range(n)]
solver = Solver()
solver.add(Distinct([x for row in square for x in row]))
solver.add(And([And(1 <= x, x <= n * n) for row in square for x in row]))
for line in [*square, *zip(*square), [square[i][i] for i in range(n)], [square[i][n - 1 - i] for i in range(n)]]:
    solver.add(Sum(line) == magic)
for r, c, number in data["hints"]:
    solver.add(square[r - 1][c - 1] == number)
solver.check()
model = solver.model()
print("letting square be", [[model[x] for x in row] for row in square])

import json
import sys

from z3 import And, Distinct, Int, Solver, sat

data = json.load(open(sys.argv[1]))
n = data["n"]
board = [[Int(f"board_{r}_{c}") for c in range(n)] for r in range(n)]
solver = Solver()
for row in board:
    solver.add(Distinct(row))
    solver.add(And([And(1 <= x, x <= n) for x in row]))
for column in zip(*board):
    solver.add(Distinct(column))
for r, c, number in data["hints"]:
    solver.add(board[r - 1][c - 1] == number)
for (r, c), (s, d) in data["less_than"]:
    solver.add(board[r - 1][c - 1] < board[s - 1][d - 1])
if solver.check() == sat:
    model = solver.model()
    print("letting board be", [[model[x] for x in row] for row in board])

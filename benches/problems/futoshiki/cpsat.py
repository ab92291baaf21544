import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
n = data["n"]
model = cp_model.CpModel()
board = [[model.new_int_var(1, n, f"board{r}{c}") for c in range(n)] for r in range(n)]
for row in board:
    model.add_all_different(row)
for column in zip(*board):
    model.add_all_different(column)
for r, c, number in data["hints"]:
    model.add(board[r - 1][c - 1] == number)
for (r, c), (s, d) in data["less_than"]:
    model.add(board[r - 1][c - 1] < board[s - 1][d - 1])
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    print("letting board be", [[solver.value(x) for x in row] for row in board])

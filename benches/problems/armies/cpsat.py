import json
import os
import sys

from ortools.sat.python import cp_model

n = json.load(open(sys.argv[1]))["n"]
model = cp_model.CpModel()
squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
white = {square: model.new_bool_var(f"white{square}") for square in squares}
black = {square: model.new_bool_var(f"black{square}") for square in squares}
lines = {(r, c): (f"row{r}", f"column{c}", f"rising{r + c}", f"falling{r - c}") for r, c in squares}
is_white = {name: model.new_bool_var(name) for name in sorted({name for names in lines.values() for name in names})}
for square, names in lines.items():
    for name in names:
        model.add_implication(white[square], is_white[name])
        model.add_implication(black[square], ~is_white[name])
size = model.new_int_var(0, n * n // 2, "size")
for army in (white, black):
    model.add(size <= sum(army.values()))
model.maximize(size)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
for name, army in (("white", white), ("black", black)):
    print(f"letting {name} be {{" + ", ".join(str(square) for square, x in army.items() if solver.value(x)) + "}")

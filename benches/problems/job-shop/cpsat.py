import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
duration, machine = data["duration"], data["machine"]
horizon = sum(map(sum, duration))
model = cp_model.CpModel()
finish = model.new_int_var(0, horizon, "finish")
start, on = {}, {}
for j, steps in enumerate(duration):
    for s, length in enumerate(steps):
        start[j, s] = model.new_int_var(0, horizon, f"start{j}_{s}")
        task = model.new_fixed_size_interval_var(start[j, s], length, f"task{j}_{s}")
        on.setdefault(machine[j][s], []).append(task)
        if s > 0:
            model.add(start[j, s - 1] + steps[s - 1] <= start[j, s])
    model.add(start[j, len(steps) - 1] + steps[-1] <= finish)
for tasks in on.values():
    model.add_no_overlap(tasks)
model.minimize(finish)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
print("letting start be function(" + ", ".join(f"task_{j + 1}_{s + 1} --> {solver.value(x)}" for (j, s), x in start.items()) + ")")
print("letting finish be", solver.value(finish))

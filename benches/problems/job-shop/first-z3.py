import json
import sys

from z3 import Int, Optimize, Or

data = json.load(open(sys.argv[1]))
duration, machine = data["duration"], data["machine"]
tasks = [(j, s) for j, steps in enumerate(duration) for s in range(len(steps))]
start = {task: Int("start_{}_{}".format(*task)) for task in tasks}
finish = Int("finish")
solver = Optimize()
for j, s in tasks:
    solver.add(0 <= start[j, s], start[j, s] + duration[j][s] <= finish)
    if s > 0:
        solver.add(start[j, s - 1] + duration[j][s - 1] <= start[j, s])
for j, s in tasks:
    for k, t in tasks:
        if j < k and machine[j][s] == machine[k][t]:
            solver.add(Or(start[j, s] + duration[j][s] <= start[k, t], start[k, t] + duration[k][t] <= start[j, s]))
solver.minimize(finish)
solver.check()
model = solver.model()
print("letting start be function(" + ", ".join(f"task_{j + 1}_{s + 1} --> {model[x]}" for (j, s), x in start.items()) + ")")
print("letting finish be", model[finish])

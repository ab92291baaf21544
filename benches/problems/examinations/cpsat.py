import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
days, hours, seats, candidates = data["days"], data["hours"], data["seats"], data["candidates"]
exams, rooms = range(len(candidates)), range(len(seats))
model = cp_model.CpModel()
day = [model.new_int_var(1, days, f"day{e}") for e in exams]
hour = [model.new_int_var(1, hours, f"hour{e}") for e in exams]
place = []
for e in exams:
    fitting = cp_model.Domain.from_values([r for r in rooms if candidates[e] <= seats[r]])
    place.append(model.new_int_var_from_domain(fitting, f"place{e}"))
time = [day[e] * hours + hour[e] for e in exams]
model.add_all_different(time[e] * len(seats) + place[e] for e in exams)
for a, b in data["clash"]:
    a, b = a - 1, b - 1
    other_day, earlier, later = (model.new_bool_var("") for _ in range(3))
    model.add(day[a] != day[b]).only_enforce_if(other_day)
    model.add(hour[a] + 2 <= hour[b]).only_enforce_if(earlier)
    model.add(hour[b] + 2 <= hour[a]).only_enforce_if(later)
    model.add_bool_or(other_day, earlier, later)
last = model.new_int_var(0, (days + 1) * hours, "last")
model.add_max_equality(last, time)
model.minimize(last)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
plan = (f"exam_{e + 1} --> record {{day = {solver.value(day[e])}, hour = {solver.value(hour[e])}, place = room_{solver.value(place[e]) + 1}}}" for e in exams)
print("letting plan be function(" + ", ".join(plan) + ")")

import json
import os
import sys

from ortools.sat.python import cp_model

data = json.load(open(sys.argv[1]))
weeks, groups, size = range(data["weeks"]), range(data["groups"]), data["size_of_group"]
golfers = range(len(groups) * size)
model = cp_model.CpModel()
plays = [[[model.new_bool_var(f"p{w}_{g}_{a}") for a in golfers] for g in groups] for w in weeks]
for week in plays:
    for group in week:
        model.add(sum(group) == size)
    for a in golfers:
        model.add_exactly_one(group[a] for group in week)
for a in golfers:
    for b in golfers:
        if a < b:
            meetings = []
            for w in weeks:
                for g in groups:
                    both = model.new_bool_var("")
                    model.add_bool_or(plays[w][g][a].negated(), plays[w][g][b].negated(), both)
                    meetings.append(both)
            model.add_at_most_one(meetings)
# Break symmetries: fix the first week, and put the first players into different groups in the other weeks.
for a in golfers:
    model.add(plays[0][a // size][a] == 1)
for week in plays[1:]:
    for a in range(min(size, len(groups))):
        model.add(week[a][a] == 1)
solver = cp_model.CpSolver()
solver.parameters.num_workers = os.cpu_count()
solver.solve(model)
parts = [[{a + 1 for a in golfers if solver.value(group[a])} for group in week] for week in plays]
print("letting schedule be {" + ", ".join("partition(" + ", ".join(map(str, week)) + ")" for week in parts) + "}")

"""Social golfers, with OR-tools."""

from itertools import combinations

from ortools.sat.python import cp_model

m = cp_model.CpModel()
plays = {(a, g, w): m.new_bool_var("") for a in range(12) for g in range(4) for w in range(3)}
for w in range(3):
    for a in range(12):
        m.add_exactly_one(plays[a, g, w] for g in range(4))
    for g in range(4):
        m.add(sum(plays[a, g, w] for a in range(12)) == 3)
for a, b in combinations(range(12), 2):
    meets = []
    for g in range(4):
        for w in range(3):
            both = m.new_bool_var("")
            m.add(both >= plays[a, g, w] + plays[b, g, w] - 1)
            meets.append(both)
    m.add(sum(meets) <= 1)
for a in range(12):
    m.add(plays[a, a // 3, 0] == 1)
solver = cp_model.CpSolver()
print("answer", solver.solve(m) in (cp_model.OPTIMAL, cp_model.FEASIBLE))

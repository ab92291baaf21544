"""Guests at tables, with OR-tools."""

from ortools.sat.python import cp_model

couples, enemies = [(1, 2), (3, 4), (5, 6)], [(1, 7), (2, 3), (8, 9)]
friends = [(1, 3), (2, 8), (7, 9), (4, 9), (5, 10), (6, 11), (10, 12), (11, 12), (7, 10), (8, 12)]

m = cp_model.CpModel()
at = {(g, t): m.new_bool_var("") for g in range(1, 13) for t in range(4)}
for g in range(1, 13):
    m.add_exactly_one(at[g, t] for t in range(4))
for t in range(4):
    used = m.new_bool_var("")
    m.add(sum(at[g, t] for g in range(1, 13)) >= 3).only_enforce_if(used)
    m.add(sum(at[g, t] for g in range(1, 13)) <= 5).only_enforce_if(used)
    m.add(sum(at[g, t] for g in range(1, 13)) == 0).only_enforce_if(~used)
    for a, b in couples:
        m.add(at[a, t] == at[b, t])
    for a, b in enemies:
        m.add(at[a, t] + at[b, t] <= 1)
together = []
for a, b in friends:
    for t in range(4):
        both = m.new_bool_var("")
        m.add_bool_and([at[a, t], at[b, t]]).only_enforce_if(both)
        together.append(both)
m.maximize(sum(together))
solver = cp_model.CpSolver()
solver.solve(m)
print("answer", int(solver.objective_value))

"""A ranking, with OR-tools."""

from ortools.sat.python import cp_model

votes = {(a, b): (3 * a + 5 * b) % 11 for a in range(1, 8) for b in range(1, 8) if a != b}

m = cp_model.CpModel()
above = {pair: m.new_bool_var("") for pair in votes}
for a, b in votes:
    if a < b:
        m.add(above[a, b] + above[b, a] == 1)
    for c in range(1, 8):
        if c not in (a, b):
            m.add(above[a, b] + above[b, c] - 1 <= above[a, c])
m.minimize(sum(v * above[b, a] for (a, b), v in votes.items()))
solver = cp_model.CpSolver()
solver.solve(m)
print("answer", int(solver.objective_value))

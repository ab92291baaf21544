"""A Golomb ruler, with OR-tools."""

from ortools.sat.python import cp_model

m = cp_model.CpModel()
marks = [m.new_int_var(0, 30, f"mark{i}") for i in range(7)]
m.add(marks[0] == 0)
for a, b in zip(marks, marks[1:]):
    m.add(a < b)
m.add_all_different([marks[j] - marks[i] for i in range(7) for j in range(i + 1, 7)])
m.minimize(marks[-1])
solver = cp_model.CpSolver()
solver.solve(m)
print("answer", int(solver.objective_value))

"""Two purses, with OR-tools."""

from ortools.sat.python import cp_model

coins = [3, 5, 7, 12, 20]
m = cp_model.CpModel()
ann = [m.new_int_var(0, 8, f"ann{c}") for c in coins]
ben = [m.new_int_var(0, 8, f"ben{c}") for c in coins]
amount = sum(c * a for c, a in zip(coins, ann))
m.add(amount == sum(c * b for c, b in zip(coins, ben)))
m.add(amount >= 50)
for a, b in zip(ann, ben):
    only_ann = m.new_bool_var("")
    m.add(b == 0).only_enforce_if(only_ann)
    m.add(a == 0).only_enforce_if(~only_ann)
for purse in ann, ben:
    m.add_linear_constraint(sum(purse), 1, 8)
m.minimize(sum(ann) + sum(ben))
solver = cp_model.CpSolver()
solver.solve(m)
print("answer", int(solver.objective_value))

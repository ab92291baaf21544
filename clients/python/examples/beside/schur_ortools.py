"""Schur's lemma, with OR-tools."""

from ortools.sat.python import cp_model

m = cp_model.CpModel()
part = [m.new_int_var(0, 2, f"part{a}") for a in range(14)]
most = [m.new_int_var(-1, 2, f"most{a}") for a in range(14)]
m.add(part[0] == 0)
m.add(most[0] == -1)
in_part = {}
for a in range(1, 14):
    m.add_max_equality(most[a], [most[a - 1], part[a]])
    m.add(part[a] <= most[a - 1] + 1)
    for p in range(3):
        in_part[a, p] = m.new_bool_var("")
        m.add(part[a] == p).only_enforce_if(in_part[a, p])
        m.add(part[a] != p).only_enforce_if(~in_part[a, p])
for a in range(1, 14):
    for b in range(a, 14 - a):
        for p in range(3):
            m.add_bool_or([~in_part[a, p], ~in_part[b, p], ~in_part[a + b, p]])


class Counter(cp_model.CpSolverSolutionCallback):
    """Counts the solutions."""

    number = 0

    def on_solution_callback(self) -> None:
        """Called at each solution."""
        self.number += 1


solver, counter = cp_model.CpSolver(), Counter()
solver.parameters.enumerate_all_solutions = True
solver.solve(m, counter)
print("answer", counter.number)

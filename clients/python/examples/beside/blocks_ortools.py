"""A Steiner system, with OR-tools."""

from ortools.sat.python import cp_model

m = cp_model.CpModel()
has = [[m.new_bool_var("") for _ in range(7)] for _ in range(7)]
for row in has:
    m.add(sum(row) == 3)
for s in range(7):
    for t in range(s + 1, 7):
        both = []
        for a, b in zip(has[s], has[t]):
            in_both = m.new_bool_var("")
            m.add_multiplication_equality(in_both, [a, b])
            both.append(in_both)
        m.add(sum(both) <= 1)
# A set has no order, so the rows are sorted as binary numbers.
numbers = [sum(2**i * b for i, b in enumerate(row)) for row in has]
for a, b in zip(numbers, numbers[1:]):
    m.add(a < b)


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

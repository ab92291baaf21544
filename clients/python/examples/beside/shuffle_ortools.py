"""Square roots of a permutation, with OR-tools."""

from ortools.sat.python import cp_model

image = [1, 2, 0, 4, 5, 3, 7, 8, 6]
m = cp_model.CpModel()
p = [m.new_int_var(0, 8, f"p{i}") for i in range(9)]
m.add_all_different(p)
for i in range(9):
    m.add_element(p[i], p, image[i])


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

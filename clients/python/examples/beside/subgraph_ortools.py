"""A graph in another one, with OR-tools."""

from ortools.sat.python import cp_model

small = {(1, 2), (2, 3), (3, 1), (3, 4), (4, 5)}
large = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1), (1, 4), (2, 6), (7, 8), (8, 1), (7, 3)}

edges = sorted(large | {(b, a) for a, b in large})
m = cp_model.CpModel()
node_of = [m.new_int_var(1, 8, f"node{i}") for i in range(5)]
m.add_all_different(node_of)
for a, b in small:
    m.add_allowed_assignments([node_of[a - 1], node_of[b - 1]], edges)


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

import json
import sys

from z3 import And, Distinct, Int, Or, Solver, sat

n = json.load(open(sys.argv[1]))["n"]
queen = [Int(f"queen_{r}") for r in range(n)]
solver = Solver()
solver.add(And([And(1 <= x, x <= n) for x in queen]))
solver.add(Distinct(queen))
solver.add(Distinct([x - r for r, x in enumerate(queen)]))
solver.add(Distinct([x + r for r, x in enumerate(queen)]))
while solver.check() == sat:
    model = solver.model()
    print("letting queen be", [model[x] for x in queen], "\n----------")
    if "--all" not in sys.argv:
        break
    solver.add(Or([x != model[x] for x in queen]))

import json
import sys

from z3 import And, Distinct, Int, Optimize

n = json.load(open(sys.argv[1]))["n"]
mark = [Int(f"mark_{i}") for i in range(n)]
solver = Optimize()
solver.add(mark[0] == 0, And([x <= n * n for x in mark]))
solver.add(And([mark[i] < mark[i + 1] for i in range(n - 1)]))
solver.add(Distinct([mark[j] - mark[i] for i in range(n) for j in range(i + 1, n)]))
solver.add(mark[1] - mark[0] < mark[n - 1] - mark[n - 2])
solver.minimize(mark[n - 1])
solver.check()
model = solver.model()
print("letting mark be", [model[x] for x in mark])

import json
import sys

from z3 import And, Int, Optimize, Sum

data = json.load(open(sys.argv[1]))
items = range(len(data["weight"]))
chosen = [Int(f"chosen_{i}") for i in items]
solver = Optimize()
solver.add(And([And(0 <= x, x <= 1) for x in chosen]))
solver.add(Sum([w * x for w, x in zip(data["weight"], chosen)]) <= data["capacity"])
solver.maximize(Sum([v * x for v, x in zip(data["value"], chosen)]))
solver.check()
model = solver.model()
print("letting chosen be {" + ", ".join(f"item_{i + 1}" for i in items if model[chosen[i]].as_long()) + "}")

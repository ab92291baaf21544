"""A project with scarce resources, as soon as possible (CPMpy: psplib.py, with the data of rcpsp.py)."""

import pandas as pd

import conjure_like as cl

jobs = pd.DataFrame(
    {"duration": [0, 3, 2, 5, 4, 2, 3, 4, 2, 4, 6, 0], "R1": [0, 5, 0, 1, 1, 3, 3, 2, 4, 5, 2, 0], "R2": [0, 1, 4, 4, 3, 2, 1, 4, 0, 2, 5, 0]},
    index=range(1, 13),
)
before = {(1, 2), (1, 3), (1, 4), (2, 5), (2, 6), (3, 10), (3, 11), (4, 9), (5, 7), (5, 8), (6, 10), (6, 11), (7, 9), (7, 10), (8, 9), (9, 12)}
before |= {(10, 12), (11, 12)}
capacity = {"R1": 6, "R2": 8}

m = cl.Builder("A project with scarce resources")
J, T = m.domain("job", cl.Int(1, len(jobs))), m.domain("time", cl.Int(0, int(jobs.duration.sum())))
duration = m.letting("duration", jobs.duration.tolist())
start = m.find("start", cl.Matrix(J, of=T))
makespan = m.find("makespan", T)
m.require(start[a] + duration[a] <= start[b] for a, b in sorted(before))
for resource, most in capacity.items():
    need = m.letting(f"need_{resource}", jobs[resource].tolist())
    m.require(cl.sum(need[a] for a in J if (start[a] <= t) & (t < start[a] + duration[a])) <= most for t in T)
m.require(start[j] + duration[j] <= makespan for j in J)
m.minimise(makespan)

result = m.solve()
print(result.start.tolist())
print("makespan", result.objective)

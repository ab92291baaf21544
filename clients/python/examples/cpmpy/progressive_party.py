"""Which boats are hosts of a party, and whom the other crews visit when (CPMpy: prob013_progressive_party.py)."""

import conjure_like as cl

periods, capacity, crew = 4, [6, 8, 12, 12, 12], [2, 2, 2, 2, 4]

m = cl.Builder("Progressive party")
B, P = m.domain("boat", cl.Int(1, len(crew))), m.domain("period", cl.Int(1, periods))
room, people = m.letting("capacity", capacity), m.letting("crew", crew)
hosts = m.find("hosts", cl.Set(B))
visits = m.find("visits", cl.Matrix(P, B, of=B))
m.require((visits[p, h] == h for h in hosts for p in P), name="The crew of a host stays on its boat.")
m.require((cl.member(visits[p, b], hosts) for p in P for b in B), name="Only hosts are visited.")
m.require((cl.sum(people[b] for b in B if visits[p, b] == h) <= room[h] for p in P for h in B), name="Nobody's boat is too full.")
m.require((cl.all_different(visits[:, b]) for b in B if b not in hosts), name="No boat is visited twice.")
m.require(
    (cl.count(visits[p, a] == visits[p, b] for p in P) <= 1 for a in B for b in B if a < b), name="No two crews meet twice."
)
m.minimise(cl.size(hosts))

result = m.solve()
for boat in range(1, len(crew) + 1):
    print(f"Crew {boat}:", "host" if boat in result.hosts else "guest", [result.visits[p, boat] for p in range(1, periods + 1)])
print("hosts", result.objective)

"""How often to print which templates, so that each variation is printed often enough (CPMpy: prob002_template_design.py)."""

import conjure_like as cl

slots, demand = 9, [250, 255, 260, 500, 500, 800, 1100]

m = cl.Builder("Template design")
T, V = m.domain("template", cl.Int(1, 2)), m.domain("variation", cl.Int(1, len(demand)))
pressings = m.find("pressings", cl.Matrix(T, of=cl.Int(1, max(demand))))
layout = m.find("layout", cl.Matrix(T, V, of=cl.Int(0, slots)))
wanted = m.letting("demand", demand)
m.require((cl.sum(layout[t, :]) == slots for t in T), name="All slots of a template are used.")
m.require((cl.sum(pressings[t] * layout[t, v] for t in T) >= wanted[v] for v in V), name="The demand is met.")
m.require(pressings[1] <= pressings[2])
m.minimise(cl.sum(pressings))

result = m.solve()
for t in 1, 2:
    print(result.pressings[t], result.layout[t].tolist())
print("Total pressings:", result.objective)

"""How a wolf, a goat and a cabbage cross a river (CPMpy: wolf_goat_cabbage.py)."""

import conjure_like as cl

m = cl.Builder("Wolf, goat and cabbage")
stages = m.given("stages", cl.Int(2, None))
thing = m.enum("thing", ["boat", "wolf", "goat", "cabbage"])
S = m.domain("stage", cl.Int(1, stages))
over = m.find("over", cl.Matrix(S, of=cl.Set(thing)), about="What is on the other side at each stage.")
m.require(over[1] == set(), over[stages] == {"boat", "wolf", "goat", "cabbage"})
m.require((cl.member("boat", over[s]) != cl.member("boat", over[s + 1]) for s in cl.Int(1, stages - 1)), name="The boat goes to and fro.")
m.require(
    cl.implies(cl.member("goat", over[s]) == cl.member(other, over[s]), cl.member("boat", over[s]) == cl.member("goat", over[s]))
    for other in ("wolf", "cabbage") for s in S
)  # fmt: skip
m.require(
    (cl.size((over[s] - over[s + 1]) | (over[s + 1] - over[s])) <= 2 for s in cl.Int(1, stages - 1)), name="One thing crosses at a time."
)

number = next(n for n in range(3, 100) if m.solve(stages=n))
print("stages", number)
for stage in m.solve(stages=number).over:
    print(*sorted(stage))

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "The wolf, the goat and the cabbage",
        about="A ferryman brings a wolf, a goat and a cabbage over a river, and the boat holds only one of them beside himself. Left without him, the wolf eats the goat, and the goat eats the cabbage. A plan says who is on the left bank after each crossing.",
    )
    thing = m.enum("thing", ["wolf", "goat", "cabbage"])
    everything = m.letting("everything", cl.set([thing.wolf, thing.goat, thing.cabbage]))
    crossings = m.given("crossings", cl.Int(1, None))
    left = m.find(
        "left",
        cl.Matrix(cl.Int(0, crossings), of=cl.Set(thing)),
        about="Who is on the left bank before the first crossing, and after each of them.",
    )
    m.require(left[0] == everything, name="At the start, everything is on the left bank.")
    m.require(left[crossings] == set(), name="At the end, nothing is left there.")
    m.require(crossings % 2 == 1, name="He crosses an odd number of times, or he would be on the wrong side at the end.")
    m.require(
        ((left[t] <= left[t - 1]) & (cl.size(left[t - 1] - left[t]) <= 1) for t in cl.Int(1, crossings) if t % 2 == 1),
        name="Going over he takes at most one thing from the left bank, and coming back he takes at most one thing to it.",
    )
    m.require((left[t - 1] <= left[t]) & (cl.size(left[t] - left[t - 1]) <= 1) for t in cl.Int(1, crossings) if t % 2 == 0)
    m.require(
        (
            ~(cl.set([thing.wolf, thing.goat]) <= left[t]) & ~(cl.set([thing.goat, thing.cabbage]) <= left[t])
            for t in cl.Int(1, crossings)
            if t % 2 == 1
        ),
        name="The bank that the ferryman has just left is safe.",
    )
    m.require(
        ~(cl.set([thing.wolf, thing.goat]) <= everything - left[t])
        & ~(cl.set([thing.goat, thing.cabbage]) <= everything - left[t])
        for t in cl.Int(1, crossings)
        if t % 2 == 0
    )
    return m

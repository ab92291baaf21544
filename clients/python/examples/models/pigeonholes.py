import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Pigeons and holes",
        about="Every pigeon needs a hole of its own. How many ways are there, and what if there are too few holes?",
    )
    pigeons = m.given("pigeons", cl.Int(1, None))
    holes = m.given("holes", cl.Int(1, None))
    pigeon = m.unnamed(
        "pigeon",
        pigeons,
        about="An unnamed type has a number of members and nothing else: the members have no names and no order. Use one when it does not matter which is which.",
    )
    hole = m.unnamed("hole", holes)
    home = m.find("home", cl.Function(pigeon, hole, total=True, injective=True), about="The hole of each pigeon.")
    return m

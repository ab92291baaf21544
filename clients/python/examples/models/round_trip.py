import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Round trip",
        about="Visit every place once and come back to where you started, by the shortest route. The streets run from north to south and from east to west, so the distance between two places is the sum of their distances in the two directions.",
    )
    place = m.given_enum("place")
    home = m.given("home", place)
    x = m.given(
        "x",
        cl.Function(place, cl.Int(0, None), total=True),
        about="Where each place is: its number of blocks to the east and to the north.",
    )
    y = m.given(
        "y",
        cl.Function(place, cl.Int(0, None), total=True),
        about="Where each place is: its number of blocks to the east and to the north.",
    )
    n = m.letting(
        "n", place.size, about="The name of a type in backticks is its domain, and so its size is the number of places."
    )
    trip = m.find(
        "trip",
        cl.Sequence(place, size=n, injective=True),
        picture="tour, x from x, y from y, closed",
        about="The places in the order of the trip.",
    )
    m.require(trip(1) == home, name="The trip begins at home.")
    m.minimise(
        cl.sum(abs(x(trip(i)) - x(trip(i % n + 1))) + abs(y(trip(i)) - y(trip(i % n + 1))) for i in cl.Int(1, n)),
        about="The length of the way.",
    )
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Map colouring", about="Colour the countries of a map with three colours so that neighbours have different colours."
    )
    colour = m.enum("colour", ["red", "green", "blue"])
    country = m.given_enum("country")
    borders = m.given("borders", cl.Relation(country, country), about="Each border is listed once, in either direction.")
    colour_of = m.find(
        "colour_of",
        cl.Function(country, colour, total=True),
        picture="graph, edges from borders",
        about="The colour of each country.",
    )
    m.require((colour_of(a) != colour_of(b) for a, b in borders), name="Neighbours have different colours.")
    return m

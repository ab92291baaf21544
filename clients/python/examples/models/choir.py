import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Choir formation",
        about="Who stands where on stage? The voices stand side by side, nobody hides behind somebody taller, and singers who rely on each other are neighbours.",
    )
    rows = m.given("rows", cl.Int(1, 12), about="The rows on stage, the first one in front.")
    places = m.given("places", cl.Int(1, 12), about="How many places each row has.")
    ROW = m.domain("ROW", cl.Int(1, rows))
    PLACE = m.domain("PLACE", cl.Int(1, places))
    singer = m.given_enum("singer", about="The singers, their voices and their heights in centimetres.")
    m.where(singer.size == rows * places, about="There is one place for each singer.")
    voice = m.enum("voice", ["soprano", "alto", "tenor", "bass"])
    sings = m.given("sings", cl.Function(singer, voice, total=True))
    height = m.given("height", cl.Function(singer, cl.Int(100, 230), total=True))
    neighbours = m.given("neighbours", cl.Relation(singer, singer), about="Singers who stand beside each other in one row.")
    in_front = m.given("in_front", cl.Set(singer), about="Singers who stand in the first row.")
    stands = m.find("stands", cl.Matrix(ROW, PLACE, of=singer), about="Who stands at each place.", picture="grid")
    m.require(cl.all_different(cl.flatten(stands)), name="Everybody has one place.")
    m.require(
        (sings(stands[r, p]) <= sings(stands[r, p + 1]) for r in ROW for p in cl.Int(1, places - 1)),
        name="Each row begins with the sopranos and ends with the basses.",
    )
    m.require(
        (height(stands[r, p]) <= height(stands[r + 1, p]) + 5 for r in cl.Int(1, rows - 1) for p in PLACE),
        name="Nobody stands behind somebody who is taller by more than five centimetres.",
    )
    m.require(
        (
            cl.any(cl.any(cl.set([stands[r, p], stands[r, p + 1]]) == cl.set([a, b]) for p in cl.Int(1, places - 1)) for r in ROW)
            for a, b in neighbours
        ),
        name="Neighbours stand beside each other.",
    )
    m.require((cl.any(stands[1, p] == s for p in PLACE) for s in in_front), name="Those who lead stand in the first row.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Seating",
        about="Guests sit at a round table, one on every chair. Friends sit side by side, and guests who have fallen out do not.",
    )
    guest = m.given_enum("guest")
    friends = m.given("friends", cl.Relation(guest, guest))
    fallen_out = m.given("fallen_out", cl.Relation(guest, guest))
    n = m.letting(
        "n", guest.size, about="The number of members of a type; the backquotes mark a domain where an expression is expected."
    )
    CHAIR = m.domain("CHAIR", cl.Int(1, n))
    chair = m.find("chair", cl.Function(guest, CHAIR, total=True, bijective=True), about="On which chair each guest sits.")
    NEXT = m.letting(
        "NEXT", cl.set([1, n - 1]), about="At a round table the distance between the first chair and the last one is 1 too."
    )
    m.require((cl.member(abs(chair(a) - chair(b)), NEXT) for a, b in friends), name="Friends sit side by side.")
    m.require(
        (~cl.member(abs(chair(a) - chair(b)), NEXT) for a, b in fallen_out),
        name="Guests who have fallen out do not sit side by side.",
    )
    m.require(
        chair(cl.min(guest)) == 1, name="Turning the table changes nothing, so the first guest may as well take the first chair."
    )
    return m

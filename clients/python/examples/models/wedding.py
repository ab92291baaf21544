import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Seating plan",
        about="Who sits at which table? Couples and families stay together, people who have fallen out do not share a table, and as many friends as possible do.",
    )
    guest = m.given_enum("guest", about="The guests.")
    tables = m.given_enum("tables", about="The tables, and how many chairs each of them has.")
    chairs = m.given("chairs", cl.Function(tables, cl.Int(1, 30), total=True))
    families = m.given("families", cl.Relation(guest, guest), about="Couples and families: they sit at one table.")
    fallen_out = m.given(
        "fallen_out", cl.Relation(guest, guest), about="People who have fallen out: they sit at different tables."
    )
    friends = m.given("friends", cl.Relation(guest, guest), about="Friends, who would like to share a table.")
    sits_at = m.find("sits_at", cl.Function(guest, tables, total=True), about="At which table each guest sits.", picture="table")
    m.require((cl.count(sits_at(g) == t for g in guest) <= chairs(t) for t in tables), name="Everybody has a chair.")
    m.require((sits_at(a) == sits_at(b) for a, b in families), name="Couples and families sit at one table.")
    m.require((sits_at(a) != sits_at(b) for a, b in fallen_out), name="People who have fallen out sit at different tables.")
    m.require(
        (cl.any(((a == g) | (b == g)) & (sits_at(a) == sits_at(b)) for a, b in families | friends) for g in guest),
        name="Nobody sits at a table without a member of the family or a friend.",
    )
    m.maximise(cl.count(sits_at(a) == sits_at(b) for a, b in friends), about="How many friends share a table.")
    return m

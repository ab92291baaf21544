import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Rota of the village shop",
        about="The shop is run by volunteers. Who works when, so that somebody who knows the till is always there, and nobody comes more often than promised?",
    )
    volunteer = m.given_enum("volunteer", about="The volunteers, and how many times a week each of them comes at most.")
    times = m.given("times", cl.Function(volunteer, cl.Int(0, 12), total=True))
    knows_till = m.given("knows_till", cl.Set(volunteer), about="Who knows the till.")
    day = m.enum("day", ["Mo", "Tu", "We", "Th", "Fr", "Sa"])
    half = m.enum("half", ["morning", "afternoon"])
    needed = m.given(
        "needed",
        cl.Function((half, day), cl.Int(0, 5), total=True),
        about="How many people are needed on each half of a day; 0 if the shop is closed.",
    )
    busy = m.given("busy", cl.Relation(volunteer, day, half), about="Who is not available when.")
    pairs = m.given("pairs", cl.Relation(volunteer, volunteer), about="Who likes to work with whom.")
    works = m.find(
        "works",
        cl.Matrix(half, day, of=cl.Set(volunteer, max_size=5)),
        about="Who works on which half of which day.",
        picture="grid",
    )
    m.require((cl.size(works[h, d]) == needed(h, d) for h in half for d in day), name="There are as many people as are needed.")
    m.require(
        (cl.implies(needed(h, d) > 0, cl.any(cl.member(v, knows_till) for v in works[h, d])) for h in half for d in day),
        name="Whenever the shop is open, somebody knows the till.",
    )
    m.require((~cl.member(v, works[h, d]) for v, d, h in busy), name="Nobody works when busy.")
    m.require(
        (cl.sum(cl.count(cl.member(v, works[h, d]) for d in day) for h in half) <= times(v) for v in volunteer),
        name="Nobody comes more often than promised.",
    )
    m.require((works[half.morning, d] & works[half.afternoon, d] == set() for d in day), name="Nobody works all day.")
    m.maximise(
        cl.sum(
            cl.sum(cl.count(cl.member(v, works[h, d]) & cl.member(w, works[h, d]) for d in day) for h in half) for v, w in pairs
        ),
        about="How often people work with somebody they like to work with.",
    )
    return m

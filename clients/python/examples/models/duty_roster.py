import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "A duty roster from tables",
        about="Twenty people, four weeks: who works when, so that every shift has enough people, contracts and absences are kept, and the pay is low? The data are tables as people have them: `docs/tables.md` shows the command.",
    )
    person = m.given_enum("person", about="The people: the hours that each may work in the four weeks, and the price of an hour.")
    hours = m.given("hours", cl.Function(person, cl.Int(0, None), total=True))
    wage = m.given("wage", cl.Function(person, cl.Int(1, None), total=True), unit="0.01")
    shift = m.given_enum("shift", about="The shifts: the beginning of each in minutes after midnight, and how many hours it has.")
    begins = m.given("begins", cl.Function(shift, cl.Int(0, 1440), total=True))
    length = m.given("length", cl.Function(shift, cl.Int(1, 24), total=True))
    DAY = m.domain("DAY", cl.Int(1, 28))
    needed = m.given(
        "needed",
        cl.Function((DAY, shift), cl.Int(0, None), total=True),
        about="How many people each shift needs on each day, and who is away when.",
    )
    away = m.given("away", cl.Relation(person, DAY))
    leads = m.given(
        "leads", cl.Relation(person, shift), about="The shifts that somebody can lead. One of those on duty must be able to."
    )
    roster = m.find("roster", cl.Function((person, DAY), shift), about="Who has which shift on which day.")
    pay = m.find("pay", cl.Int(0, 10000000), about="The pay of all people together.")
    m.require(
        (cl.count(roster(p, d) == s for p in person) >= count for (d, s), count in needed),
        name="Enough people are on duty.",
    )
    m.require(
        (cl.implies(count > 0, cl.any((t == s) & (roster(p, d) == s) for p, t in leads)) for (d, s), count in needed),
        name="Somebody on duty can lead the shift.",
    )
    m.require((~cl.member((p, d), cl.defined(roster)) for p, d in away), name="Nobody works while away.")
    m.require(
        (cl.sum(cl.sum(length(s) * cl.to_int(roster(p, d) == s) for s in shift) for d in DAY) <= hours(p) for p in person),
        name="Nobody works more hours than agreed.",
    )
    m.require(
        (
            cl.implies(begins(t) + 1440 < begins(s) + 60 * (length(s) + 11), ~((roster(p, d) == s) & (roster(p, d + 1) == t)))
            for p in person
            for d in cl.Int(1, 27)
            for s in shift
            for t in shift
        ),
        name="Eleven hours of rest after each shift.",
    )
    m.require(
        (
            cl.count(cl.member((p, d), cl.defined(roster)) for d in cl.Int(first, first + 5)) <= 5
            for p in person
            for first in cl.Int(1, 23)
        ),
        name="Six days without a break are too many.",
    )
    m.require(
        pay
        == cl.sum(wage(p) * cl.sum(cl.sum(length(s) * cl.to_int(roster(p, d) == s) for s in shift) for d in DAY) for p in person),
        name="The pay of all hours that are worked.",
    )
    m.minimise(pay, about="The pay of all people together.")
    return m

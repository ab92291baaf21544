import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Nurses",
        about="A rota for a ward: who works when? Every shift needs enough people, nobody works early after a night or more than five days a week, and as many wishes as possible come true.",
    )
    nurse = m.given_enum("nurse", about="The nurses.")
    shift = m.enum("shift", ["early", "late", "night", "free"])
    day = m.enum("day", ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])
    needed = m.given(
        "needed",
        cl.Function(shift, cl.Int(0, None)),
        about="How many are needed for each shift; those who are free are not counted.",
    )
    wishes = m.given("wishes", cl.Relation(nurse, day), about="Who would like to be free on which day.")
    rota = m.find("rota", cl.Matrix(nurse, day, of=shift), about="Who has which shift on each day.", picture="grid")
    m.require(
        (cl.count(rota[n, d] == s for n in nurse) == people for s, people in needed for d in day),
        name="Each shift has the people that it needs.",
    )
    m.require(
        (
            cl.implies(rota[n, d] == shift.night, cl.member(rota[n, cl.succ(d)], cl.set([shift.night, shift.free])))
            & cl.implies(rota[n, d] == shift.late, rota[n, cl.succ(d)] != shift.early)
            for n in nurse
            for d in day
            if d < day.Su
        ),
        name="After a night, a nurse sleeps or works at night again; a late shift is not followed by an early one.",
    )
    m.require(
        (cl.count(rota[n, d] == shift.free for d in day) >= 2 for n in nurse), name="Everybody is free on two days or more."
    )
    m.maximise(cl.count(rota[n, d] == shift.free for n, d in wishes), about="How many wishes come true.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Exam plan",
        about="When and where is each exam? Nobody has two exams on one half of a day, everybody has a seat, and as few students as possible have two exams on the same day.",
    )
    exam = m.given_enum("exam", about="The exams, and the students who take them.")
    student = m.given_enum("student")
    takes = m.given("takes", cl.Relation(student, exam))
    room = m.given_enum("room", about="The rooms and their seats.")
    seats = m.given("seats", cl.Function(room, cl.Int(1, 1000), total=True))
    days = m.given("days", cl.Int(1, 20), about="How many days there are. Each of them has a morning and an afternoon.")
    DAY = m.domain("DAY", cl.Int(1, days))
    half = m.enum("half", ["morning", "afternoon"])
    away = m.given("away", cl.Relation(exam, DAY), about="On which days somebody who is needed for an exam is away.")
    time = m.find(
        "time",
        cl.Function(exam, (DAY, half), total=True),
        about="On which day, and on which half of it, each exam is.",
        picture="table, labels from held_in",
    )
    held_in = m.find("held_in", cl.Function(exam, room, total=True), about="In which room each exam is.", picture="nothing")
    SHARED = m.letting(
        "SHARED",
        cl.to_set(
            (a, b, cl.size(takes(..., a) & takes(..., b)))
            for a in exam
            for b in exam
            if a < b
            if cl.size(takes(..., a) & takes(..., b)) > 0
        ),
        about="Pairs of exams that somebody takes both, with the number of those who do.",
    )
    m.require((time(a) != time(b) for a, b, _ in SHARED), name="Nobody has two exams at the same time.")
    m.require(
        (cl.implies(time(a) == time(b), held_in(a) != held_in(b)) for a in exam for b in exam if a < b),
        name="Two exams at the same time are in different rooms.",
    )
    m.require((cl.size(takes(..., e)) <= seats(held_in(e)) for e in exam), name="Everybody has a seat.")
    m.require((time(e)[0] != d for e, d in away), name="Whoever is needed for an exam is there.")
    m.minimise(
        cl.sum(count * cl.to_int(time(a)[0] == time(b)[0]) for a, b, count in SHARED),
        about="How many times somebody has two exams on the same day.",
    )
    return m

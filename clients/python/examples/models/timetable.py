import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Timetable",
        about="Give every course a time and a room. Nobody has to be in two places at once, the rooms are large enough, and teachers are not asked to come when they cannot.",
    )
    course = m.given_enum("course")
    room = m.given_enum("room")
    teacher = m.given_enum("teacher")
    student = m.given_enum("student")
    times = m.given("times", cl.Int(1, None), about="How many times there are.")
    TIME = m.domain("TIME", cl.Int(1, times))
    seats = m.given("seats", cl.Function(room, cl.Int(1, None), total=True), about="The seats of each room.")
    taught_by = m.given("taught_by", cl.Function(course, teacher, total=True), about="Who teaches each course.")
    attends = m.given("attends", cl.Relation(student, course), about="Who takes which courses.")
    is_absent = m.given("is_absent", cl.Relation(teacher, TIME), about="When teachers cannot come.")
    lesson = m.find(
        "lesson",
        cl.Function(course, (TIME, room), total=True, injective=True),
        about="The time and the room of every course.",
        picture="table, labels from taught_by",
    )
    m.require(
        (lesson(a)[0] != lesson(b)[0] for a in course for b in course if (a < b) & (taught_by(a) == taught_by(b))),
        name="A teacher's courses are at different times.",
    )
    m.require(
        (
            lesson(a)[0] != lesson(b)[0]
            for a in course
            for b in course
            if (a < b) & cl.any(attends(s, a) & attends(s, b) for s in student)
        ),
        name="A student's courses are at different times.",
    )
    m.require((~is_absent(taught_by(c), time) for c, (time, _) in lesson), name="Nobody teaches while absent.")
    m.require((cl.size(attends(..., c)) <= seats(lesson(c)[1]) for c in course), name="Everybody has a seat.")
    return m

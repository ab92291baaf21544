import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Parents' evening",
        about="Families want to talk with teachers. Each family has its appointments one after the other if possible, with no two at the same time.",
    )
    teacher = m.given_enum("teacher", about="The teachers and the families.")
    family = m.given_enum("family")
    times = m.given("times", cl.Int(1, 20), about="The number of time slots for appointments.")
    TIME = m.domain("TIME", cl.Int(1, times))
    wants = m.given("wants", cl.Relation(family, teacher), about="Who wants to talk with whom.")
    teacher_away = m.given("teacher_away", cl.Relation(teacher, TIME), about="When a teacher or a family cannot come.")
    family_away = m.given("family_away", cl.Relation(family, TIME))
    talks_with = m.find(
        "talks_with",
        cl.Function((teacher, TIME), family),
        about="Which family a teacher talks with at each time.",
        picture="grid",
    )
    leaves = m.find("leaves", cl.Function(family, TIME, total=True), about="When the last appointment of each family is.")
    m.require(
        (cl.any(cl.member(((t, i), f), talks_with) for i in TIME) for f, t in wants),
        name="All who want to talk with each other have an appointment.",
    )
    m.require(
        (wants(f, t) & cl.all(cl.implies(j != i, ~cl.member(((t, j), f), talks_with)) for j in TIME) for (t, i), f in talks_with),
        name="Nobody has an appointment that was not asked for, or two with the same teacher.",
    )
    m.require(
        (cl.implies(u != t, ~cl.member(((u, i), f), talks_with)) for (t, i), f in talks_with for u in teacher),
        name="A family is in one place at a time.",
    )
    m.require(
        (~cl.member((t, i), cl.defined(talks_with)) for t, i in teacher_away),
        name="Teachers have no appointments while they are away.",
    )
    m.require(
        (cl.all(~cl.member(((t, i), f), talks_with) for t in teacher) for f, i in family_away),
        name="Families have no appointments while they are away.",
    )
    m.require((i <= leaves(f) for (_, i), f in talks_with), name="A family leaves after its last appointment.")
    m.minimise(cl.sum(leaves(f) for f in family), about="The families go home early: the sum of the times at which they leave.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Carpool",
        about="Who drives to work on which day? Everybody who comes on a day has a seat, nobody drives too often, and as few cars as possible are on the road.",
    )
    person = m.given_enum("person", about="The members of the carpool.")
    day = m.enum("day", ["Mo", "Tu", "We", "Th", "Fr"])
    seats = m.given(
        "seats", cl.Function(person, cl.Int(1, 9), total=True), about="The seats of each car, including the driver's."
    )
    comes = m.given("comes", cl.Relation(person, day), about="Who comes along on which day.")
    without_car = m.given("without_car", cl.Relation(person, day), about="On which days somebody has no car.")
    most = m.given("most", cl.Int(1, 5), about="How often each member drives at most in a week.")
    drives = m.find("drives", cl.Matrix(person, day, of=cl.Bool), about="The days on which each member drives.", picture="mosaic")
    m.require((cl.implies(drives[p, d], comes(p, d)) for p in person for d in day), name="Only those who come can drive.")
    m.require((~drives[p, d] for p, d in without_car), name="Nobody drives without a car.")
    m.require(
        (cl.sum(seats(p) * cl.to_int(drives[p, d]) for p in person) >= cl.size(comes(..., d)) for d in day),
        name="There is a seat for everybody who comes.",
    )
    m.require((cl.count(drives[p, d] for d in day) <= most for p in person), name="Nobody drives too often.")
    m.require((cl.any(drives[p, d] for d in day) for p in person), name="Everybody takes a turn.")
    m.minimise(cl.sum(cl.count(drives[p, d] for d in day) for p in person), about="How many times a car is driven to work.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Luggage",
        about="What goes into which bag? No bag gets too heavy, some things must come along, liquids do not go into the cabin, and batteries do not go anywhere else.",
    )
    bag = m.given_enum("bag", about="The bags, how much each of them holds, and which of them go into the cabin.")
    holds = m.given("holds", cl.Function(bag, cl.Int(0, 50000), total=True), unit="0.1")
    cabin = m.given("cabin", cl.Set(bag))
    thing = m.given_enum("thing", about="The things, what they weigh, and how useful they are.")
    weighs = m.given("weighs", cl.Function(thing, cl.Int(0, 50000), total=True), unit="0.1")
    useful = m.given("useful", cl.Function(thing, cl.Int(0, 10), total=True))
    needed = m.given("needed", cl.Set(thing), about="What must come along.")
    liquids = m.given("liquids", cl.Set(thing), about="What may not go into the cabin.")
    batteries = m.given("batteries", cl.Set(thing), about="What must go into the cabin.")
    goes_into = m.find(
        "goes_into",
        cl.Function(thing, bag),
        about="Into which bag each thing goes; a thing without a bag stays at home.",
        picture="table",
    )
    m.require((cl.sum(weighs(t) for t, c in goes_into if c == b) <= holds(b) for b in bag), name="No bag is too heavy.")
    m.require((cl.member(t, cl.defined(goes_into)) for t in needed), name="What is needed comes along.")
    m.require(
        (cl.implies(cl.member(t, liquids), ~cl.member(b, cabin)) for t, b in goes_into), name="Liquids do not go into the cabin."
    )
    m.require(
        (cl.implies(cl.member(t, batteries), cl.member(b, cabin)) for t, b in goes_into), name="Batteries go into the cabin."
    )
    m.maximise(cl.sum(useful(t) for t, _ in goes_into), about="How useful the things are that come along.")
    return m

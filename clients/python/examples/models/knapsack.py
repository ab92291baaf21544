import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Knapsack",
        about="A knapsack carries no more than a certain weight. Which items should go into it so that their value is as great as possible?",
    )
    item = m.given_enum("item")
    weight = m.given("weight", cl.Function(item, cl.Int(1, None), total=True))
    value = m.given("value", cl.Function(item, cl.Int(0, None), total=True))
    capacity = m.given("capacity", cl.Int(0, None))
    chosen = m.find("chosen", cl.Set(item))
    m.require(cl.sum(weight(i) for i in chosen) <= capacity)
    m.maximise(
        cl.sum(value(i) for i in chosen),
        about="The one statement that says what is best. The solver prints a best solution only.",
    )
    return m

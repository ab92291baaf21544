import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Knapsack",
        about="A knapsack carries no more than a certain weight. Which items should go into it so that their value is as great as possible?",
    )
    item = m.given_enum("item", about="The items that there are; each of them goes into the knapsack once, or stays at home.")
    weight = m.given(
        "weight", cl.Function(item, cl.Int(1, None), total=True), about="What each item weighs, and how much it is worth."
    )
    value = m.given("value", cl.Function(item, cl.Int(0, None), total=True))
    capacity = m.given("capacity", cl.Int(0, None), about="The weight that the knapsack carries.")
    chosen = m.find("chosen", cl.Set(item), about="What goes into the knapsack.")
    m.require(cl.sum(weight(i) for i in chosen) <= capacity, name="The knapsack carries no more than its capacity.")
    m.maximise(
        cl.sum(value(i) for i in chosen),
        about="The value of all items in the knapsack.",
    )
    return m

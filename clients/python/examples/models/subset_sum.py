import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder("Subset sum", about="Which of the given numbers add up to exactly the target?")
    numbers = m.given("numbers", cl.Set(cl.Int(1, None)))
    target = m.given("target", cl.Int(0, None))
    NUMBER = m.domain("NUMBER", cl.Int(values=numbers))
    chosen = m.find("chosen", cl.Set(NUMBER), about="The numbers that add up to the target.")
    m.require(cl.sum(number for number in chosen) == target, name="The chosen numbers add up to the target.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Golomb ruler",
        about="A ruler has n marks, the first at 0. No two pairs of marks are the same distance apart, so that every distance can be measured in at most one way. What is the shortest such ruler?",
    )
    n = m.given("n", cl.Int(2, None))
    MARK = m.domain("MARK", cl.Int(1, n))
    mark = m.find("mark", cl.Matrix(MARK, of=cl.Int(0, n**2)))
    m.require(mark[1] == 0)
    m.require(
        (mark[i] < mark[i + 1] for i in cl.Int(1, n - 1)),
        name="The marks in ascending order: without this, each ruler would be found n! times.",
    )
    m.require(
        cl.all_different(mark[j] - mark[i] for i in MARK for j in MARK if i < j),
        name="A later part of a comprehension may mention an earlier one.",
    )
    m.require(
        cl.implies(n > 2, mark[2] - mark[1] < mark[n] - mark[n - 1]),
        name="A ruler read from its other end is the same ruler: take the one that begins with the smaller distance.",
    )
    m.minimise(mark[n])
    return m

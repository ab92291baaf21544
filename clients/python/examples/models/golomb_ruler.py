import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Golomb ruler",
        about="A ruler has n marks, the first at 0. No two pairs of marks are the same distance apart, so that every distance can be measured in at most one way. What is the shortest such ruler?",
    )
    n = m.given("n", cl.Int(2, None))
    MARK = m.domain("MARK", cl.Int(1, n))
    mark = m.find("mark", cl.Matrix(MARK, of=cl.Int(0, n**2)), about="Where the marks are.")
    m.require(mark[1] == 0, name="The first mark is at 0.")
    m.require(
        (mark[i] < mark[i + 1] for i in cl.Int(1, n - 1)),
        name="The marks are in ascending order.",
    )
    m.require(
        cl.all_different(mark[j] - mark[i] for i in MARK for j in MARK if i < j),
        name="No two pairs of marks are the same distance apart.",
    )
    m.require(
        cl.implies(n > 2, mark[2] - mark[1] < mark[n] - mark[n - 1]),
        name="The first distance is smaller than the last one, because a ruler read from its other end is the same ruler.",
    )
    m.minimise(mark[n], about="The length of the ruler.")
    return m

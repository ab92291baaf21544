import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Magic sequence",
        about="A sequence of n numbers s[0], s[1], …, s[n-1] is magic if every number i occurs exactly s[i] times in it: 2, 0, 2, 0 is magic, because 0 occurs twice, 1 not at all, 2 twice, and 3 not at all. The sequence speaks about itself, and the model just says so.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(0, n - 1))
    s = m.find("s", cl.Matrix(INDEX, of=cl.Int(0, n)), about="The numbers of the sequence; the first one counts the zeros.")
    m.require(
        (s[i] == cl.count(s[j] == i for j in INDEX) for i in INDEX),
        name="Each number occurs as often as its place in the sequence says.",
    )
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Magic square",
        about="Arrange the numbers 1 to n * n in an n by n square so that all rows, all columns and the two diagonals have the same sum. Some numbers may be in place already.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(1, n))
    NUMBER = m.domain("NUMBER", cl.Int(1, n**2))
    hints = m.given("hints", cl.Function((INDEX, INDEX), NUMBER))
    magic = m.letting("magic", n * (n**2 + 1) // 2)
    square = m.find("square", cl.Matrix(INDEX, INDEX, of=NUMBER), picture="grid, hints from hints, sums")
    m.require(square[cell[0], cell[1]] == number for cell, number in hints)
    m.require(cl.all_different(cl.flatten(square)))
    m.require((cl.sum(square[i, :]) == magic) & (cl.sum(square[:, i]) == magic) for i in INDEX)
    m.require(cl.sum(square[i, i] for i in INDEX) == magic)
    m.require(cl.sum(square[i, n + 1 - i] for i in INDEX) == magic)
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Magic square",
        about="Arrange the numbers 1 to n * n in an n by n square so that all rows, all columns and the two diagonals have the same sum. Some numbers may be in place already.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(1, n))
    NUMBER = m.domain("NUMBER", cl.Int(1, n**2))
    hints = m.given("hints", cl.Function((INDEX, INDEX), NUMBER), about="The numbers that are in place already.")
    magic = m.letting(
        "magic",
        n * (n**2 + 1) // 2,
        about="A name for a value that follows from the parameters. All n rows together hold 1 + 2 + … + n², that is n² (n² + 1) / 2, so each of them holds the n-th part of it.",
    )
    square = m.find(
        "square", cl.Matrix(INDEX, INDEX, of=NUMBER), picture="grid, hints from hints, sums", about="The numbers in the square."
    )
    m.require(
        (square[cell[0], cell[1]] == number for cell, number in hints), name="Numbers that are in place already stay there."
    )
    m.require(cl.all_different(cl.flatten(square)), name="No number stands twice in the square.")
    m.require(
        ((cl.sum(square[i, :]) == magic) & (cl.sum(square[:, i]) == magic) for i in INDEX),
        name="Every row and every column has the same sum.",
    )
    m.require(cl.sum(square[i, i] for i in INDEX) == magic, name="The falling diagonal has the same sum as the rows.")
    m.require(cl.sum(square[i, n + 1 - i] for i in INDEX) == magic, name="The rising diagonal has the same sum as the rows.")
    return m

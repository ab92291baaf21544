import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Latin square completion",
        about="Fill an n by n square with the numbers 1 to n so that every row and every column holds each of them once. Some cells are filled already. The model is the futoshiki model without the signs. What is easy to say can be hard to solve: squares with about 42 % of the cells empty are the hard ones.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(1, n))
    hints = m.given(
        "hints",
        cl.Function((INDEX, INDEX), INDEX),
        about="The cells that are filled already.",
    )
    square = m.find(
        "square", cl.Matrix(INDEX, INDEX, of=INDEX), picture="grid, hints from hints", about="The numbers in the square."
    )
    m.require(
        (square[cell[0], cell[1]] == number for cell, number in hints), name="Cells that are filled already keep their numbers."
    )
    m.require(
        (cl.all_different(square[i, :]) & cl.all_different(square[:, i]) for i in INDEX),
        name="No number stands twice in a row or in a column.",
    )
    return m

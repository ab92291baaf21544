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
        about="A function need not map every cell: this is what makes it fit for hints.",
    )
    square = m.find("square", cl.Matrix(INDEX, INDEX, of=INDEX), picture="grid, hints from hints")
    m.require(square[cell[0], cell[1]] == number for cell, number in hints)
    m.require(cl.all_different(square[i, :]) & cl.all_different(square[:, i]) for i in INDEX)
    return m

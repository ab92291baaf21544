import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Futoshiki",
        about="A board has n rows and n columns. Fill in the numbers 1 to n so that no number stands twice in a row or in a column. Some cells are filled already, and between some pairs of cells a sign says which of the two holds the smaller number. This is a first model: it says what is known, what is to be found, and what must hold. How to find it is the solver's business.",
    )
    n = m.given("n", cl.Int(), about="The number of rows, and of columns.")
    DOMAIN = m.domain("DOMAIN", cl.Int(1, n))
    hints = m.given("hints", cl.Function((DOMAIN, DOMAIN), DOMAIN), about="The cells that are filled already.")
    less_than = m.given(
        "less_than",
        cl.Relation((DOMAIN, DOMAIN), (DOMAIN, DOMAIN)),
        about="The signs: which of two cells holds the smaller number.",
    )
    board = m.find(
        "board",
        cl.Matrix(DOMAIN, DOMAIN, of=DOMAIN),
        about="The numbers in the cells.",
        picture="grid, hints from hints, signs from less_than",
    )
    m.require((board[hint[0], hint[1]] == num for hint, num in hints), name="Cells that are filled already keep their numbers.")
    m.require((cl.all_different(board[i, :]) for i in DOMAIN), name="No number stands twice in a row.")
    m.require((cl.all_different(board[:, j]) for j in DOMAIN), name="No number stands twice in a column.")
    m.require((board[l[0], l[1]] < board[g[0], g[1]] for l, g in less_than), name="The signs are obeyed.")
    return m

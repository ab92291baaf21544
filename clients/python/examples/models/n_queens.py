import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "The n queens",
        about="Put n queens on an n by n chessboard so that none attacks another one: no two stand in the same row, column or diagonal. The idea: every row holds exactly one queen, so it is enough to say in which column it stands. The rows need no constraint then. A good choice of what to find leaves less to say.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(1, n))
    queen = m.find("queen", cl.Matrix(INDEX, of=INDEX), picture="chessboard", about="The column of the queen in each row.")
    m.require(cl.all_different(queen), name="No two queens stand in one column.")
    m.require(
        cl.all_different(queen[r] - r for r in INDEX),
        name="No two queens share a falling diagonal, on which row - column stays the same.",
    )
    m.require(
        cl.all_different(queen[r] + r for r in INDEX),
        name="No two queens share a rising diagonal, on which row + column stays the same.",
    )
    return m

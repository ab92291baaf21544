import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "The n queens",
        about="Put n queens on an n by n chessboard so that none attacks another one: no two stand in the same row, column or diagonal. The idea: every row holds exactly one queen, so it is enough to say in which column it stands. The rows need no constraint then. A good choice of what to find leaves less to say.",
    )
    n = m.given("n", cl.Int(1, None))
    INDEX = m.domain("INDEX", cl.Int(1, n))
    queen = m.find("queen", cl.Matrix(INDEX, of=INDEX), picture="chessboard")
    m.require(cl.all_different(queen))
    m.require(
        cl.all_different(queen[r] - r for r in INDEX),
        name="Two queens share a falling diagonal if row - column is the same for both, a rising one if row + column is. A comprehension writes down the list of these numbers, one for each row.",
    )
    m.require(cl.all_different(queen[r] + r for r in INDEX))
    return m

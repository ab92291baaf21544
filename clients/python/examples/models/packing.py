import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Packing",
        about="Cut pieces from a board of a fixed width so that as little of its length as possible is used. The pieces may not be turned.",
    )
    piece = m.given_enum("piece")
    board = m.given("board", (cl.Int(1, None), cl.Int(1, None)), about="The width and the length of the board.")
    extent = m.given(
        "extent",
        cl.Function(piece, (cl.Int(1, None), cl.Int(1, None)), total=True),
        about="The width and the length of each piece.",
    )
    at = m.find(
        "at",
        cl.Function(piece, (cl.Int(0, board[0]), cl.Int(0, board[1])), total=True),
        picture="rectangles, sizes from extent, frame from board",
        about="The lower left corner of each piece.",
    )
    used = m.find("used", cl.Int(0, board[1]), about="How much of the length is used.")
    m.require(
        ((at(p)[0] + extent(p)[0] <= board[0]) & (at(p)[1] + extent(p)[1] <= used) for p in piece),
        name="Every piece is on the used part of the board.",
    )
    m.require(
        (
            (at(p)[0] + extent(p)[0] <= at(q)[0])
            | (at(q)[0] + extent(q)[0] <= at(p)[0])
            | (at(p)[1] + extent(p)[1] <= at(q)[1])
            | (at(q)[1] + extent(q)[1] <= at(p)[1])
            for p in piece
            for q in piece
            if p != q
        ),
        name="Two pieces do not overlap: one is left of the other one, or below it.",
    )
    m.minimise(used, about="The length that is used.")
    return m

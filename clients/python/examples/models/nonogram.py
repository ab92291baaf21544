import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Nonogram",
        about="Fill squares of a board so that a picture comes out. The numbers beside each row and above each column are the lengths of the runs of filled squares there, in order; there is at least one empty square between two runs.",
    )
    height = m.given("height", cl.Int(1, None))
    width = m.given("width", cl.Int(1, None))
    ROW = m.domain("ROW", cl.Int(1, height))
    COLUMN = m.domain("COLUMN", cl.Int(1, width))
    beside = m.given(
        "beside",
        cl.Matrix(ROW, of=cl.Sequence(cl.Int(1, width), max_size=width)),
        about="How long the runs are beside each row and above each column, in their order.",
    )
    above = m.given("above", cl.Matrix(COLUMN, of=cl.Sequence(cl.Int(1, height), max_size=height)))
    filled = m.find(
        "filled",
        cl.Matrix(ROW, COLUMN, of=cl.Bool),
        picture="mosaic, beside from beside, above from above",
        about="The squares that are filled.",
    )
    left = m.find(
        "left",
        cl.Function((ROW, cl.Int(1, width)), COLUMN),
        about="Where each run begins, from the left.",
        picture="nothing",
    )
    top = m.find(
        "top", cl.Function((COLUMN, cl.Int(1, height)), ROW), picture="nothing", about="Where each run begins, from the top."
    )
    m.require(
        (cl.iff(cl.member((r, k), cl.defined(left)), k <= cl.size(beside[r])) for r in ROW for k in cl.Int(1, width)),
        name="A row has the runs beside it.",
    )
    m.require(
        (cl.iff(cl.member((c, k), cl.defined(top)), k <= cl.size(above[c])) for c in COLUMN for k in cl.Int(1, height)),
        name="A column has the runs above it.",
    )
    m.require(
        (
            cl.implies(k < cl.size(beside[r]), left(r, k) + length < left(r, k + 1)) & (left(r, k) + length - 1 <= width)
            for r in ROW
            for k, length in beside[r]
        ),
        name="One run ends before the next one begins, with a square between them; the last one ends on the board.",
    )
    m.require(
        cl.implies(k < cl.size(above[c]), top(c, k) + length < top(c, k + 1)) & (top(c, k) + length - 1 <= height)
        for c in COLUMN
        for k, length in above[c]
    )
    m.require(
        (
            cl.iff(filled[r, c], cl.any((left(r, k) <= c) & (c < left(r, k) + length) for k, length in beside[r]))
            & cl.iff(filled[r, c], cl.any((top(c, k) <= r) & (r < top(c, k) + length) for k, length in above[c]))
            for r in ROW
            for c in COLUMN
        ),
        name="A square is filled if and only if it lies in a run of its row, and in a run of its column.",
    )
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Sudoku",
        about="Fill a 9 by 9 grid with the numbers 1 to 9 so that every row, every column and every 3 by 3 block holds each of them once. Some cells are filled already.",
    )
    INDEX = m.domain("INDEX", cl.Int(1, 9))
    BLOCK = m.domain("BLOCK", cl.Int(0, 2))
    clues = m.given(
        "clues", cl.Matrix(INDEX, INDEX, of=cl.Int(0, 9)), about="The cells that are filled already; 0 stands for an empty cell."
    )
    grid = m.find(
        "grid", cl.Matrix(INDEX, INDEX, of=INDEX), about="The digits in the cells.", picture="grid, hints from clues, blocks of 3"
    )
    m.require(
        (grid[r, c] == clues[r, c] for r in INDEX for c in INDEX if clues[r, c] != 0),
        name="Cells that are filled already keep their digits.",
    )
    m.require(
        (cl.all_different(grid[i, :]) & cl.all_different(grid[:, i]) for i in INDEX),
        name="No digit stands twice in a row or in a column.",
    )
    m.require(
        (
            cl.all_different(grid[3 * down + r, 3 * right + c] for r in cl.Int(1, 3) for c in cl.Int(1, 3))
            for down in BLOCK
            for right in BLOCK
        ),
        name="No digit stands twice in a block.",
    )
    return m

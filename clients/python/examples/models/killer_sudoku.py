import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Killer sudoku",
        about="A sudoku without numbers to begin with. Instead, groups of cells, the cages, have a sum each, and the numbers in a cage differ.",
    )
    INDEX = m.domain("INDEX", cl.Int(1, 9))
    BLOCK = m.domain("BLOCK", cl.Int(0, 2))
    cages = m.given(
        "cages",
        cl.Function(cl.Set((INDEX, INDEX)), cl.Int(1, 45)),
        about="The cages: groups of cells, and the sum of each.",
    )
    grid = m.find(
        "grid",
        cl.Matrix(INDEX, INDEX, of=INDEX),
        picture="grid, regions from cages, blocks of 3",
        about="The numbers in the cells.",
    )
    m.require(
        (cl.all_different(grid[i, :]) & cl.all_different(grid[:, i]) for i in INDEX),
        name="No number stands twice in a row or in a column.",
    )
    m.require(
        (
            cl.all_different(grid[3 * down + r, 3 * right + c] for r in cl.Int(1, 3) for c in cl.Int(1, 3))
            for down in BLOCK
            for right in BLOCK
        ),
        name="No number stands twice in a block.",
    )
    m.require(
        (
            cl.all_different(grid[r, c] for r, c in cage) & (cl.sum(grid[r, c] for r, c in cage) == amount)
            for cage, amount in cages
        ),
        name="The numbers in a cage differ, and they add up to its sum.",
    )
    return m

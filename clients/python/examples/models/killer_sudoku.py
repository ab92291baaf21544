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
        about="A cage is a set of cells, and the function gives each its sum. Sets can be arguments like anything else.",
    )
    grid = m.find("grid", cl.Matrix(INDEX, INDEX, of=INDEX), picture="grid, regions from cages, blocks of 3")
    m.require(cl.all_different(grid[i, :]) & cl.all_different(grid[:, i]) for i in INDEX)
    m.require(
        cl.all_different(grid[3 * down + r, 3 * right + c] for r in cl.Int(1, 3) for c in cl.Int(1, 3))
        for down in BLOCK
        for right in BLOCK
    )
    m.require(
        (
            cl.all_different(grid[r, c] for r, c in cage) & (cl.sum(grid[r, c] for r, c in cage) == amount)
            for cage, amount in cages
        ),
        name="Each step of the quantifier takes a set with its image out of the function.",
    )
    return m

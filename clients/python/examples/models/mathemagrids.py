import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "MathemaGrids",
        about="Fill an m by m grid with the numbers 1 to m * m, each of them once. The operators + - * / stand between neighbours, and every row and every column has a given result, calculated strictly from left to right and from top to bottom: 7 - 2 * 3 is 15. No intermediate result is negative, every division is exact, and nothing is multiplied or divided by 1. The operators are data. So the model does not write down an expression: it describes the steps of the calculation, and says for each operator what a step with it means.",
    )
    operator = m.enum("operator", ["plus", "minus", "times", "divided_by"])
    m_ = m.given("m", cl.Int(2, None))
    INDEX = m.domain("INDEX", cl.Int(1, m_))
    STEP = m.domain("STEP", cl.Int(1, m_ - 1))
    NUMBER = m.domain("NUMBER", cl.Int(1, m_**2))
    hints = m.given("hints", cl.Function((INDEX, INDEX), NUMBER), about="The cells that are filled already.")
    across = m.given(
        "across", cl.Matrix(INDEX, STEP, of=operator), about="The signs to the right of each cell, and the signs below each cell."
    )
    down = m.given("down", cl.Matrix(STEP, INDEX, of=operator))
    row_results = m.given(
        "row_results", cl.Matrix(INDEX, of=cl.Int(0, None)), about="The results of the rows, and of the columns."
    )
    column_results = m.given("column_results", cl.Matrix(INDEX, of=cl.Int(0, None)))
    grid = m.find("grid", cl.Matrix(INDEX, INDEX, of=NUMBER), picture="grid, hints from hints", about="The numbers in the cells.")
    greatest = m.letting(
        "greatest",
        cl.product(m_**2 - i for i in cl.Int(0, m_ - 1)),
        about="What has been calculated when a cell is reached. It is never negative, and never more than the product of the m largest numbers.",
    )
    row_so_far = m.find("row_so_far", cl.Matrix(INDEX, INDEX, of=cl.Int(0, greatest)), picture="nothing")
    column_so_far = m.find("column_so_far", cl.Matrix(INDEX, INDEX, of=cl.Int(0, greatest)), picture="nothing")
    m.require(cl.all_different(cl.flatten(grid)), name="No number stands twice in the grid.")
    m.require(
        (grid[cell[0], cell[1]] == number for cell, number in hints), name="Cells that are filled already keep their numbers."
    )
    m.require(
        (
            (row_so_far[i, 1] == grid[i, 1])
            & (row_so_far[i, m_] == row_results[i])
            & (column_so_far[1, i] == grid[1, i])
            & (column_so_far[m_, i] == column_results[i])
            for i in INDEX
        ),
        name="Every row and column begins with its first number and ends with its result.",
    )
    m.require(
        (
            cl.implies(across[r, s] == operator.plus, row_so_far[r, s + 1] == row_so_far[r, s] + grid[r, s + 1])
            & cl.implies(across[r, s] == operator.minus, row_so_far[r, s + 1] == row_so_far[r, s] - grid[r, s + 1])
            & cl.implies(across[r, s] == operator.times, row_so_far[r, s + 1] == row_so_far[r, s] * grid[r, s + 1])
            & cl.implies(across[r, s] == operator.divided_by, row_so_far[r, s + 1] * grid[r, s + 1] == row_so_far[r, s])
            & cl.implies(cl.member(across[r, s], cl.set([operator.times, operator.divided_by])), grid[r, s + 1] != 1)
            for r in INDEX
            for s in STEP
        ),
        name="A step to the right: each number is added to what has been calculated before it in its row, or taken away from it, or multiplied by it, or it divides it without a remainder. Nothing is multiplied or divided by 1.",
    )
    m.require(
        (
            cl.implies(down[s, c] == operator.plus, column_so_far[s + 1, c] == column_so_far[s, c] + grid[s + 1, c])
            & cl.implies(down[s, c] == operator.minus, column_so_far[s + 1, c] == column_so_far[s, c] - grid[s + 1, c])
            & cl.implies(down[s, c] == operator.times, column_so_far[s + 1, c] == column_so_far[s, c] * grid[s + 1, c])
            & cl.implies(down[s, c] == operator.divided_by, column_so_far[s + 1, c] * grid[s + 1, c] == column_so_far[s, c])
            & cl.implies(cl.member(down[s, c], cl.set([operator.times, operator.divided_by])), grid[s + 1, c] != 1)
            for s in STEP
            for c in INDEX
        ),
        name="A step down: the same in each column.",
    )
    return m

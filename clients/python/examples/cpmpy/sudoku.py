"""Sudoku (CPMpy: sudoku.py)."""

import numpy as np

import conjure_like as cl

e = 0
given = np.array([
    [e, e, e, 2, e, 5, e, e, e],
    [e, 9, e, e, e, e, 7, 3, e],
    [e, e, 2, e, e, 9, e, 6, e],
    [2, e, e, e, e, e, 4, e, 9],
    [e, e, e, e, 7, e, e, e, e],
    [6, e, 9, e, e, e, e, e, 1],
    [e, 8, e, 4, e, e, 1, e, e],
    [e, 6, 3, e, e, e, e, 8, e],
    [e, e, e, 6, e, 8, e, e, e],
])  # fmt: skip

m = cl.Builder("Sudoku")
D, B = m.domain("line", cl.Int(0, 8)), m.domain("box", cl.Int(0, 2))
puzzle = m.find("puzzle", cl.Matrix(D, D, of=cl.Int(1, 9)), picture="grid, blocks of 3")
m.require(puzzle[i, j] == given[i, j] for i, j in zip(*given.nonzero()))
m.require((cl.all_different(puzzle[i, :]) for i in D), (cl.all_different(puzzle[:, j]) for j in D))
m.require(cl.all_different(puzzle[3 * b + i, 3 * c + j] for i in B for j in B) for b in B for c in B)

print(m.solve().picture("text"))

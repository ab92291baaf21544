#!/usr/bin/env python3
"""Prints a parameter file for models/latin-square.essence: a Latin square with holes.

    benches/latin_square.py ORDER HOLES SEED        for example: 20 0.42 1

The same arguments always print the same file. The square is drawn with the Markov chain of Jacobson and
Matthews ("Generating uniformly distributed random Latin squares", J. Combin. Des. 4, 1996), so that it
has none of the regularity of a shuffled cyclic square; then a fraction HOLES of its cells is
emptied at random. Squares of order 20 and more are hardest to complete with about 42 % of holes.
"""

import random
import sys


def random_latin_square(order, rng):
    """A matrix of numbers from 0 in which no row and no column holds a number twice.

    A square is seen as a cube of 0 and 1: `at[r][c][v]` says that cell (r, c) holds v. A step adds 1 to
    a cell of the cube and 1 and -1 in turn to the corners of a box around it, and may leave one cell at
    -1 ("improper"); the chain stops at the first proper square after order ** 3 steps.
    """
    numbers = range(order)
    at = [[[int((r + c) % order == v) for v in numbers] for c in numbers] for r in numbers]
    improper = None
    steps = 0
    while steps < order**3 or improper:
        steps += 1
        if improper:
            r, c, v = improper
        else:
            while True:
                r, c, v = (rng.randrange(order) for _ in range(3))
                if at[r][c][v] == 0:
                    break
        r2 = rng.choice([i for i in numbers if at[i][c][v] == 1])
        c2 = rng.choice([i for i in numbers if at[r][i][v] == 1])
        v2 = rng.choice([i for i in numbers if at[r][c][i] == 1])
        for x, y, z in ((r, c, v), (r, c2, v2), (r2, c, v2), (r2, c2, v)):
            at[x][y][z] += 1
        for x, y, z in ((r2, c, v), (r, c2, v), (r, c, v2), (r2, c2, v2)):
            at[x][y][z] -= 1
        improper = (r2, c2, v2) if at[r2][c2][v2] < 0 else None
    return [[at[r][c].index(1) for c in numbers] for r in numbers]


def with_holes(order, share, seed):
    """The hints: ((row, column), number), all counted from 1."""
    rng = random.Random(seed)
    square = random_latin_square(order, rng)
    cells = [(r, c) for r in range(order) for c in range(order)]
    kept = sorted(rng.sample(cells, len(cells) - round(share * len(cells))))
    return [((r + 1, c + 1), square[r][c] + 1) for r, c in kept]


def parameters(order, share, seed):
    hints = with_holes(order, share, seed)
    rows = []
    for row in range(1, order + 1):
        entries = [f"({r}, {c}) --> {number}" for (r, c), number in hints if r == row]
        if entries:
            rows.append(", ".join(entries))
    return (
        f"$ A Latin square of order {order} with {share:.0%} holes (seed {seed}).\n"
        "$ model: latin-square.essence\n"
        "\n"
        "$ The numbers 1 to n fill an n by n square.\n"
        f"letting n be {order}\n"
        "\n"
        "$ (row, column) --> the number in this cell\n"
        "letting hints be function(\n    " + ",\n    ".join(rows) + ")\n"
    )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.stdout.write(parameters(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))

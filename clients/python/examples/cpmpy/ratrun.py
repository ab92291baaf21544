"""A sudoku with a path through a maze, on which neighbours and boxes have prime sums (CPMpy: sudoku_ratrun1.py)."""

from typing import Iterator, Tuple

from ratrun_data import C_WALLS, H_WALLS, V_WALLS

import conjure_like as cl

primes = {2, 3, 5, 7, 11, 13, 17, 19}


def steps() -> Iterator[Tuple[Tuple[int, int], Tuple[int, int]]]:
    """The steps that no wall forbids."""
    for r in range(6):
        for c in range(6):
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    walls = V_WALLS if dr == 0 else H_WALLS if dc == 0 else C_WALLS
                    inside = (dr, dc) != (0, 0) and 0 <= r + dr < 6 and 0 <= c + dc < 6
                    if inside and not walls[min(r, r + dr)][min(c, c + dc)]:
                        yield (r, c), (r + dr, c + dc)


m = cl.Builder("Rat run")
D, B = m.domain("line", cl.Int(0, 5)), m.domain("box", cl.Int(0, 5))
cell = m.find("cell", cl.Matrix(D, D, of=cl.Int(1, 6)))
path = m.find("path", cl.Matrix(D, D, of=cl.Int(0, 36)))
step = m.letting("step", cl.relation(steps()))
m.require((cl.all_different(cell[i, :]) for i in D), (cl.all_different(cell[:, i]) for i in D))
boxes = [[(2 * (b // 2) + i, 3 * (b % 2) + j) for i in range(2) for j in range(3)] for b in range(6)]
for box in boxes:
    m.require(cl.all_different(cell[c] for c in box))
    m.require(cl.member(cl.sum(cell[c] * cl.to_int(path[c] != 0) for c in box), primes), name="The sum of the path in a box is prime.")
m.require(path[0, 2] == 1, cl.max(path) == path[4, 4], cl.all_different_except(path, 0))
m.require(
    cl.implies((path[r, c] != 0), cl.any(path[b] == path[r, c] + 1 for a, b in step if a == (r, c)))
    for r in D for c in D if (r != 4) | (c != 4)
)  # fmt: skip
m.require(cl.implies((path[a] != 0) & (path[a] + 1 == path[b]), cl.member(cell[a] + cell[b], primes)) for a, b in step)

result = m.solve()
print(*(row.tolist() for row in result.cell), sep="\n")
print(*(row.tolist() for row in result.path), sep="\n")

"""A sudoku with a path from emitter to emitter, whose parts follow the rules of both ends (CPMpy: sudoku_schrodingers_rat.py)."""

import itertools
from typing import Iterator, Tuple

from schrodingers_rat_data import C_WALLS, EMITTERS, H_WALLS, V_WALLS

import conjure_like as cl

cells = list(itertools.product(range(9), repeat=2))


def steps() -> Iterator[Tuple[Tuple[int, int], Tuple[int, int]]]:
    """The steps that no wall forbids."""
    for r, c in cells:
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            walls = V_WALLS if dr == 0 else H_WALLS if dc == 0 else C_WALLS
            if (dr, dc) != (0, 0) and (r + dr, c + dc) in cells and not walls[min(r, r + dr)][min(c, c + dc)]:
                yield (r, c), (r + dr, c + dc)


arcs = list(enumerate(steps(), 1))
m = cl.Builder("Schrödinger's rat")
D, digit, rule = m.domain("line", cl.Int(0, 8)), m.domain("digit", cl.Int(1, 9)), m.domain("rule", cl.Int(0, 6))
cell = m.find("cell", cl.Matrix(D, D, of=digit))
path = m.find("path", cl.Matrix(D, D, of=cl.Int(0, 81)), about="At which position of the path a cell is; 0 beside it.")
goes = m.find("goes", cl.Matrix(cl.Int(1, len(arcs)), of=bool), about="Which steps the path has.")

m.require((cl.all_different(cell[i, :]) for i in D), (cl.all_different(cell[:, i]) for i in D))
for box in itertools.product((0, 3, 6), repeat=2):
    m.require(cl.all_different(cell[box[0] + i, box[1] + j] for i in range(3) for j in range(3)))
m.require(path[2, 8] == 1, path[6, 6] == 1 + cl.count(goes[k] for k, _ in arcs))
for here in cells:
    m.require(cl.count(goes[k] for k, (_, b) in arcs if b == here) == (0 if here == (2, 8) else cl.to_int(path[here] > 0)))
    m.require(cl.count(goes[k] for k, (a, _) in arcs if a == here) == (0 if here == (6, 6) else cl.to_int(path[here] > 0)))
for big, small in ((0, 4), (1, 4)), ((2, 3), (2, 2)), ((6, 6), (7, 6)):
    m.require(cell[big] > cell[small], (~goes[k] for k, arc in arcs if arc == (small, big)))
for r, c in itertools.product(range(8), repeat=2):
    crossing = {(r, c), (r + 1, c + 1)}, {(r, c + 1), (r + 1, c)}
    m.require(cl.count(goes[k] for k, arc in arcs if set(arc) in crossing) <= 1)

# The state of the path at each cell: the rules of both ends of its part, the previous digit, the digits so far, and
# sums.
before, after = m.find("before", cl.Matrix(D, D, of=rule)), m.find("after", cl.Matrix(D, D, of=rule))
last, used = m.find("last", cl.Matrix(D, D, of=digit)), m.find("used", cl.Matrix(D, D, of=cl.Set(digit)))
ten, box_sum = m.find("ten", cl.Matrix(D, D, of=cl.Int(1, 10))), m.find("box_sum", cl.Matrix(D, D, of=cl.Int(1, 45)))
each_sum, crossed = m.find("each_sum", cl.Matrix(D, D, of=cl.Int(1, 45))), m.find("crossed", cl.Matrix(D, D, of=bool))

for k, (a, b) in arcs:
    is_first, is_last, same_box = a in EMITTERS, b in EMITTERS, (a[0] // 3, a[1] // 3) == (b[0] // 3, b[1] // 3)
    has = {n: goes[k] & ((before[b] == n) | (after[b] == n)) for n in range(1, 7)}
    digits = cl.set([cell[a]]) if is_first else used[a]
    ten_so_far, box_so_far = (cell[a], cell[a]) if is_first else (ten[a], box_sum[a])
    holds = [
        (goes[k], (path[a] > 0) & (path[b] == path[a] + 1) & (before[b] == (EMITTERS[a] if is_first else before[a])) & (before[b] != after[b])),
        (goes[k], (last[b] == cell[a]) & (used[b] == digits | cl.set([cell[b]]))),
        (has[1] | has[2], ~cl.member(cell[b], digits)),
        (has[2], ~cl.member(cell[b] - 1, digits) & ~cl.member(cell[b] + 1, digits)),
        (has[6], ten[b] == cl.if_else(ten_so_far == 10, cell[b], ten_so_far + cell[b])),
        (has[5], box_sum[b] == (box_so_far + cell[b] if same_box else cell[b])),
    ]
    if is_last:
        holds += [(goes[k], after[b] == EMITTERS[b]), (has[1], cl.max(used[b]) - cl.min(used[b]) == cl.size(used[b]) - 1)]
        holds += [(has[6], ten[b] == 10), (has[5], crossed[b] & (each_sum[b] == box_sum[b]))]
    if not is_first:
        three = [last[a], cell[a], cell[b]]
        holds += [(goes[k], after[a] == after[b]), (has[5], each_sum[b] == each_sum[a])]
        holds += [(has[3], cl.all_different(d % 3 for d in three)), (has[4], cl.all_different((d + 2) // 3 for d in three))]
    if same_box:
        holds += [(has[5], ~crossed[b] if is_first else crossed[b] == crossed[a])]
    else:
        holds += [(has[5], crossed[b] & (each_sum[b] == box_so_far))]
    m.require(cl.implies(condition, what) for condition, what in holds)

if __name__ == "__main__":
    result = m.solve(time_limit=300)
    print(*(row.tolist() for row in result.cell), sep="\n")
    print(*(row.tolist() for row in result.path), sep="\n")

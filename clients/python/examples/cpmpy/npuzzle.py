"""How to slide the tiles of the 8-puzzle into order in as few moves as possible (CPMpy: npuzzle.py)."""

import conjure_like as cl

start, end, moves = [[0, 3, 6], [2, 4, 8], [1, 7, 5]], [[1, 2, 3], [4, 5, 6], [7, 8, 0]], 20

m = cl.Builder("The 8-puzzle")
T, D = m.domain("time", cl.Int(1, moves)), m.domain("line", cl.Int(1, 3))
x = m.find("x", cl.Matrix(T, D, D, of=cl.Int(0, 8)), picture="grid")
m.require(x[1, :, :] == start, x[moves, :, :] == end)
m.require(cl.all_different(cl.flatten(x[t, :, :])) for t in T)
for t in range(1, moves):
    m.require(
        cl.implies(x[t + 1, i, j] == 0, cl.any(x[t, k, l] == 0 for k in D for l in D if abs(i - k) + abs(j - l) <= 1)) for i in D for j in D
    )
    m.require((x[t, i, j] == 0) | (x[t + 1, i, j] == 0) | (x[t, i, j] == x[t + 1, i, j]) for i in D for j in D)
m.maximise(cl.count(x[t, :, :] == end for t in T))

result = m.solve()
print("steps", moves - result.objective + 1)

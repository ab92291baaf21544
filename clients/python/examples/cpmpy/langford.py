"""Two of each of the numbers 1 to `k` in a row, with `i` numbers between the two `i` (CPMpy: prob024_langford.py)."""

import conjure_like as cl

k = 8

m = cl.Builder("Langford's problem")
D, places = m.domain("number", cl.Int(1, k)), cl.Int(1, 2 * k)
first = m.find("first", cl.Matrix(D, of=places))
row = m.find("row", cl.Matrix(places, of=D))
m.require((row[first[i]] == i) & (row[first[i] + i + 1] == i) for i in D)
m.require(row[1] < row[2 * k], name="Mirrored rows count once.")

for solution in m.solutions(number=10):
    print(*solution.row)

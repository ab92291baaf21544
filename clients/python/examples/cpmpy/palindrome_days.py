"""Which days of a century are palindromes as DDMMYY (CPMpy: palindrome_days.py)?"""

import conjure_like as cl

m = cl.Builder("Palindrome days")
v = m.find("v", cl.Matrix(cl.Int(1, 6), of=cl.Int(0, 9)))
day, month = 10 * v[1] + v[2], 10 * v[3] + v[4]
m.require(day >= 1, day <= 31, month >= 1, month <= 12)
m.require(v[i] == v[7 - i] for i in cl.Int(1, 3))
m.require(cl.implies(month == 2, day <= 28), cl.implies(cl.member(month, {2, 4, 6, 9, 11}), day <= 30))

for number, solution in enumerate(m.solutions(), 1):
    print(number, *solution.v)

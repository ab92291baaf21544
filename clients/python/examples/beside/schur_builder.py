"""Schur's lemma: divide 1 to 13 into three parts, so that no part has two numbers and their sum."""

import conjure_like as cl

m = cl.Builder("Sum-free parts")
N = m.domain("N", cl.Int(1, 13))
p = m.find("p", cl.Partition(N, max_num_parts=3))
m.require(~cl.together([a, b, a + b], p) for a in N for b in N if a <= b and a + b <= 13)

print("answer", m.count())

"""Words for DNA computing that differ much from each other and from mirrored complements (CPMpy: prob033_word_design.py)."""

import conjure_like as cl

n = 8

m = cl.Builder("Word design")
W, P = m.domain("word", cl.Int(1, n)), m.domain("place", cl.Int(1, 8))
word = m.find("words", cl.Matrix(W, P, of=cl.Int(1, 4)), about="1 to 4 are A, C, G and T: complements sum to 5.")
m.require((cl.count(cl.member(word[w, p], {2, 3}) for p in P) == 4 for w in W), name="Four letters are C or G.")
m.require((cl.count(word[v, p] != word[w, p] for p in P) >= 4 for v in W for w in W if v < w), name="Words differ in four places.")
m.require(
    (cl.count(word[v, 9 - p] != 5 - word[w, p] for p in P) >= 4 for v in W for w in W),
    name="A mirrored word differs from each complement in four places.",
)
m.require((cl.lex_less(word[w, :], word[w + 1, :]) for w in cl.Int(1, n - 1)), name="The words are in order.")

for letters in m.solve().words:
    print("".join("ACGT"[i - 1] for i in letters))

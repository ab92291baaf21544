import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Balanced incomplete block design",
        about="Choose b blocks from v objects so that every block holds k objects, every object is in r blocks, and every two objects meet in exactly lambda blocks. Which object is which, and which block is which, does not matter. Of the many solutions that differ only in names, only a few count.",
    )
    v = m.given("v", cl.Int(1, None))
    b = m.given("b", cl.Int(1, None))
    r = m.given("r", cl.Int(1, None))
    k = m.given("k", cl.Int(1, None))
    lambda_ = m.given("lambda", cl.Int(1, None))
    m.where(v * r == b * k, about="A design can only exist if the counts agree.")
    m.where(lambda_ * (v - 1) == r * (k - 1))
    OBJECT = m.domain("OBJECT", cl.Int(1, v))
    BLOCK = m.domain("BLOCK", cl.Int(1, b))
    holds = m.find(
        "holds",
        cl.Matrix(OBJECT, BLOCK, of=cl.Int(0, 1)),
        about="Which object is in which block: 1 if it is there, 0 if it is not.",
    )
    m.require((cl.sum(holds[i, :]) == r for i in OBJECT), name="Every object is in the same number of blocks.")
    m.require((cl.sum(holds[:, j]) == k for j in BLOCK), name="Every block holds the same number of objects.")
    m.require(
        (cl.sum(holds[i, x] * holds[j, x] for x in BLOCK) == lambda_ for i in OBJECT for j in OBJECT if i < j),
        name="Every two objects meet in the same number of blocks.",
    )
    m.require(
        (cl.lex_less_eq(holds[i, :], holds[i + 1, :]) for i in cl.Int(1, v - 1)),
        name="Objects and blocks are in order, because which one is which does not matter.",
    )
    m.require(cl.lex_less_eq(holds[:, j], holds[:, j + 1]) for j in cl.Int(1, b - 1))
    return m

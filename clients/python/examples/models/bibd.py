import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Balanced incomplete block design",
        about="Choose b blocks from v objects so that every block holds k objects, every object is in r blocks, and every two objects meet in exactly lambda blocks. Which object is which, and which block is which, does not matter. In a matrix of 0 and 1, rows and columns may then be ordered, and of many solutions that differ in names only, few are left.",
    )
    v = m.given("v", cl.Int(1, None))
    b = m.given("b", cl.Int(1, None))
    r = m.given("r", cl.Int(1, None))
    k = m.given("k", cl.Int(1, None))
    lambda_ = m.given("lambda", cl.Int(1, None))
    m.where(v * r == b * k)
    m.where(lambda_ * (v - 1) == r * (k - 1))
    OBJECT = m.domain("OBJECT", cl.Int(1, v))
    BLOCK = m.domain("BLOCK", cl.Int(1, b))
    holds = m.find("holds", cl.Matrix(OBJECT, BLOCK, of=cl.Int(0, 1)))
    m.require((cl.sum(holds[i, :]) == r for i in OBJECT), name="Two objects meet where both rows have a 1.")
    m.require(cl.sum(holds[:, j]) == k for j in BLOCK)
    m.require(cl.sum(holds[i, x] * holds[j, x] for x in BLOCK) == lambda_ for i in OBJECT for j in OBJECT if i < j)
    m.require(
        (cl.lex_less_eq(holds[i, :], holds[i + 1, :]) for i in cl.Int(1, v - 1)),
        name="A design can only exist if the counts agree.",
    )
    m.require(
        (cl.lex_less_eq(holds[:, j], holds[:, j + 1]) for j in cl.Int(1, b - 1)),
        name="A design can only exist if the counts agree.",
    )
    return m

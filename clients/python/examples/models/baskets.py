import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Baskets",
        about='Which goods are often bought together? Each set of goods that is in enough baskets is an answer. But if bread is never bought without butter, the answer "bread" says less than the answer "bread and butter", and is left out.',
    )
    good = m.given_enum("good")
    baskets = m.given(
        "baskets", cl.MSet(cl.Set(good)), about="What each customer has bought; two customers may have bought the same."
    )
    often = m.given("often", cl.Int(1, None), about="The number of baskets that is enough.")
    goods = m.find("goods", cl.Set(good, min_size=1), about="The goods, and the number of baskets with all of them.")
    times = m.find("times", cl.Int(1, cl.size(baskets)))
    m.require(times == cl.count(goods <= basket for basket in baskets), name="The number of baskets with all of the goods.")
    m.require(times >= often, name="The goods are in enough baskets.")
    m.dominance((cl.from_solution(goods) < goods) & (times == cl.from_solution(times)))
    m.incomparability(cl.size(goods), descending=True)
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "A portfolio with two goals",
        about="How many shares of which funds should you buy, so that the expected gain is high and the risk is low? Neither goal is more important: the answer is every trade-off. The data are a table: `docs/goals.md` shows the command.",
    )
    fund = m.given_enum("fund")
    price = m.given(
        "price",
        cl.Function(fund, cl.Int(1, None), total=True),
        about="The price of a share, the gain expected in a year, and the loss that is feared in a bad year.",
        unit="0.01",
    )
    gain = m.given("gain", cl.Function(fund, cl.Int(0, None), total=True), unit="0.1")
    loss = m.given("loss", cl.Function(fund, cl.Int(0, None), total=True), unit="0.5")
    branch = m.given_enum("branch", about="The branch of the economy that a fund is about.")
    about = m.given("about", cl.Function(fund, branch, total=True))
    budget = m.given("budget", cl.Int(1, None), about="The money there is, and the most shares of one fund.", unit="0.01")
    most = m.given("most", cl.Int(1, None))
    shares = m.find("shares", cl.Function(fund, cl.Int(0, most), total=True), about="How many shares of each fund to buy.")
    cost = m.find("cost", cl.Int(0, budget), unit="0.01", about="What the shares cost.")
    income = m.find("income", cl.Int(0, most * cl.sum(gain(f) for f in fund)), unit="0.1", about="The gain to expect from them.")
    risk = m.find("risk", cl.Int(0, most * cl.sum(loss(f) for f in fund)), unit="0.5", about="The loss to fear.")
    m.require(cost == cl.sum(shares(f) * price(f) for f in fund), name="The cost of all shares.")
    m.require(income == cl.sum(shares(f) * gain(f) for f in fund), name="The gain of all shares.")
    m.require(risk == cl.sum(shares(f) * loss(f) for f in fund), name="The loss of all shares.")
    m.require(
        10 * cost >= 9 * budget,
        name="At least nine tenths of the money are spent, and no branch gets more than half of what is spent.",
    )
    m.require(2 * cl.sum(shares(f) * price(f) for f in fund if about(f) == b) <= cost for b in branch)
    m.pareto(maximise=[income, -risk], about="The gain, and the loss that is avoided.")
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Deliveries with time windows",
        about="Which van serves whom, and when? Each customer says from when to when a van may come, and the drivers work as little as possible. The data are tables: `docs/goals.md` shows the commands.",
    )
    customer = m.given_enum(
        "customer",
        about="The customers, the minutes after midnight between which a delivery may begin, and how many boxes they get.",
    )
    opens = m.given("opens", cl.Function(customer, cl.Int(0, 1440), total=True))
    closes = m.given("closes", cl.Function(customer, cl.Int(0, 1440), total=True))
    boxes = m.given("boxes", cl.Function(customer, cl.Int(1, None), total=True))
    drive = m.given(
        "drive",
        cl.Function((customer, customer), cl.Int(0, None), total=True),
        about="The minutes that a van drives between two customers, and from and to the depot.",
    )
    away = m.given("away", cl.Function(customer, cl.Int(0, None), total=True))
    van = m.given_enum(
        "van", about="The vans, how many boxes each of them holds, when they start, and the minutes that a delivery takes."
    )
    holds = m.given("holds", cl.Function(van, cl.Int(1, None), total=True))
    START = m.given("START", cl.Int(0, 1440))
    UNLOADING = m.given("UNLOADING", cl.Int(0, 1440))
    served = m.find("served", cl.Function(customer, van, total=True), about="Which van serves each customer.")
    at = m.find("at", cl.Function(customer, cl.Int(0, 1440), total=True), about="When each delivery begins.")
    home = m.find("home", cl.Function(van, cl.Int(0, 1440), total=True), about="When each van is back at the depot.")
    m.require(
        ((opens(c) <= at(c)) & (at(c) <= closes(c)) for c in customer), name="Deliveries begin within the hours of the customers."
    )
    m.require(
        (at(c) >= START + away(c) for c in customer),
        name="A van comes from the depot, or from the customer before.",
    )
    m.require(
        cl.implies(
            (c < d) & (served(c) == served(d)),
            (at(d) >= at(c) + UNLOADING + drive(c, d)) | (at(c) >= at(d) + UNLOADING + drive(d, c)),
        )
        for c in customer
        for d in customer
    )
    m.require((home(served(c)) >= at(c) + UNLOADING + away(c) for c in customer), name="A van returns to the depot at the end.")
    m.require((cl.sum(boxes(c) for c in customer if served(c) == v) <= holds(v) for v in van), name="No van is too full.")
    m.require((home(v) >= START for v in van), name="Nobody is home before the start.")
    m.minimise(cl.sum(home(v) - START for v in van), about="The minutes that all drivers work together.")
    return m

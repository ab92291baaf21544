import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Allotment",
        about="What grows in which bed? Crops do not follow their own family, those that harm each other are not neighbours, and as many as possible stand beside a crop that does them good.",
    )
    rows = m.given("rows", cl.Int(1, 12), about="The rows of beds.")
    beds = m.given("beds", cl.Int(1, 12), about="How many beds each row has.")
    ROW = m.domain("ROW", cl.Int(1, rows))
    BED = m.domain("BED", cl.Int(1, beds))
    crop = m.given_enum("crop", about="The crops and their families.")
    family = m.given_enum("family")
    belongs_to = m.given("belongs_to", cl.Function(crop, family, total=True))
    wanted = m.given("wanted", cl.Function(crop, cl.Int(0, 20), total=True), about="How many beds each crop needs.")
    last_year = m.given("last_year", cl.Function((ROW, BED), family), about="Which families grew where last year.")
    harms = m.given("harms", cl.Relation(crop, crop), about="Crops that harm each other.")
    helps = m.given("helps", cl.Relation(crop, crop), about="Crops that do each other good.")
    NEIGHBOURS = m.letting(
        "NEIGHBOURS",
        cl.to_set(
            ((r, b), (s, c))
            for r in ROW
            for s in ROW
            for b in BED
            for c in BED
            if (r == s) & (c == b + 1) | (s == r + 1) & (b == c)
        ),
        about="The beds side by side: a bed, the row and the place of the next one.",
    )
    grows = m.find("grows", cl.Matrix(ROW, BED, of=crop), about="What grows in each bed.", picture="grid")
    m.require(
        (cl.sum(cl.count(grows[r, b] == c for b in BED) for r in ROW) >= wanted(c) for c in crop),
        name="Each crop has the beds that it needs.",
    )
    m.require(
        (belongs_to(grows[r, b]) != f for (r, b), f in last_year), name="No family grows in the same bed two years running."
    )
    m.require(
        (
            ~((grows[r, b] == x) & (grows[s, c] == y)) & ~((grows[r, b] == y) & (grows[s, c] == x))
            for (r, b), (s, c) in NEIGHBOURS
            for x, y in harms
        ),
        name="Crops that harm each other are not neighbours.",
    )
    m.maximise(
        cl.count(helps(grows[r, b], grows[s, c]) | helps(grows[s, c], grows[r, b]) for (r, b), (s, c) in NEIGHBOURS),
        about="How many pairs of neighbours do each other good.",
    )
    return m

import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Social golfers",
        about="Some golfers play every week in groups of the same size. No two of them may meet twice. Sets do most of the work here: a group is a set of golfers, and all constraints are about the number of members that two groups have in common.",
    )
    weeks = m.given("weeks", cl.Int(1, None))
    groups = m.given("groups", cl.Int(1, None))
    size_of_group = m.given("size_of_group", cl.Int(1, None))
    golfer = m.unnamed("golfer", groups * size_of_group)
    WEEK = m.domain("WEEK", cl.Int(1, weeks))
    GROUP = m.domain("GROUP", cl.Int(1, groups))
    plays = m.find(
        "plays", cl.Matrix(WEEK, GROUP, of=cl.Set(golfer, size=size_of_group)), about="Who plays in each group of each week."
    )
    m.require(
        (plays[w, g] & plays[w, h] == set() for w in WEEK for g in GROUP for h in GROUP if g < h),
        name="Within a week, nobody plays in two groups.",
    )
    m.require(
        (cl.size(plays[v, g] & plays[w, h]) <= 1 for v in WEEK for w in WEEK if v < w for g in GROUP for h in GROUP),
        name="Two groups of different weeks have at most one golfer in common.",
    )
    return m

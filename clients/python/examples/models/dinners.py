import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Dinners of a week",
        about="What do we cook, so that everybody likes it, there is enough time on each evening, and what is left over is not thrown away?",
    )
    recipe = m.given_enum("recipe", about="The recipes, and the minutes that each of them takes.")
    minutes = m.given("minutes", cl.Function(recipe, cl.Int(5, 240), total=True))
    day = m.enum("day", ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"])
    free_time = m.given(
        "free_time", cl.Function(day, cl.Int(0, 240), total=True), about="How many minutes there are for cooking on each day."
    )
    meat = m.given("meat", cl.Set(recipe), about="Recipes with meat.")
    most_meat = m.given("most_meat", cl.Int(0, 7), about="How many dinners with meat there are at most.")
    kind = m.given_enum(
        "kind", about="The kinds of dinners, such as pasta or soup. The same kind does not come on two days running."
    )
    of_kind = m.given("of_kind", cl.Function(recipe, kind, total=True))
    leftovers = m.given(
        "leftovers",
        cl.Relation(recipe, recipe),
        about="What is best cooked on the day after another recipe, as it uses what is left over.",
    )
    likes = m.given("likes", cl.Function(recipe, cl.Int(0, 10), total=True), about="How much the family likes each recipe.")
    dinner = m.find(
        "dinner",
        cl.Function(day, recipe, total=True, injective=True),
        about="What there is for dinner on each day.",
        picture="row",
    )
    m.require((minutes(dinner(d)) <= free_time(d) for d in day), name="There is enough time on each evening.")
    m.require(cl.count(cl.member(dinner(d), meat) for d in day) <= most_meat, name="There are not too many dinners with meat.")
    m.require(
        (of_kind(dinner(d)) != of_kind(dinner(cl.succ(d))) for d in day if d < day.Su),
        name="The same kind does not come on two days running.",
    )
    m.require(
        (cl.implies(dinner(d) == first, dinner(cl.succ(d)) == second) for first, second in leftovers for d in day if d < day.Su),
        name="What is left over is used on the next day.",
    )
    m.maximise(cl.sum(likes(dinner(d)) for d in day), about="How much the family likes what is cooked.")
    return m

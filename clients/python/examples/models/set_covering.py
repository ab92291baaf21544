import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Set covering",
        about="A fire station can be built at each of several sites, and from each site some of the villages are reached in time. Build as few stations as possible so that every village is reached.",
    )
    site = m.given_enum("site")
    village = m.given_enum("village")
    reaches = m.given("reaches", cl.Relation(site, village), about="From which site which village is reached.")
    built = m.find("built", cl.Set(site), about="The sites where a station is built.")
    m.require((cl.any(reaches(s, v) for s in built) for v in village), name="Every village is reached from a station.")
    m.minimise(cl.size(built), about="The number of stations.")
    return m

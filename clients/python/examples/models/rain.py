import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "A tournament that is planned again after rain",
        about="Every two teams play once, on courts and in time slots. When rain closes courts, the rest of the tournament is planned again, and as few matches as possible move. The data are tables: `docs/goals.md` shows the commands.",
    )
    team = m.given_enum("team")
    court = m.given_enum("court")
    SLOTS = m.given("SLOTS", cl.Int(1, None))
    slot = m.domain("slot", cl.Int(1, SLOTS))
    closed = m.given("closed", cl.Relation(court, slot), about="The courts that are closed at some time.")
    busy = m.given("busy", cl.Relation(team, slot), about="The slots in which a team cannot play.")
    match = m.find(
        "match",
        cl.Function((team, team), (court, slot), injective=True),
        about="Who plays whom, where and when; the first team of a pair is the one that comes first in the list of teams.",
    )
    last = m.find("last", cl.Int(0, SLOTS), about="The slot of the last match.")
    m.require(
        (cl.iff(cl.member((a, b), cl.defined(match)), a < b) for a in team for b in team), name="Every two teams play once."
    )
    m.require(
        (~cl.member(place, closed) for _, place in match),
        name="Nobody plays on a closed court, or twice at a time, or when busy.",
    )
    m.require(~cl.member((pair[0], place[1]), busy) & ~cl.member((pair[1], place[1]), busy) for pair, place in match)
    m.require(
        cl.count((place[1] == s) & ((pair[0] == t) | (pair[1] == t)) for pair, place in match) <= 1 for t in team for s in slot
    )
    m.require((place[1] <= last for _, place in match), name="The end of the tournament.")
    m.minimise(last, about="The slot of the last match.")
    return m

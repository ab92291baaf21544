import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Fixtures of a league",
        about="Every two teams play once, and nobody plays at home, or away, three times in a row. Teams may be without their ground on some days. If the number of teams is odd, each of them has a free day.",
    )
    team = m.given_enum("team", about="The teams.")
    teams = m.letting("teams", team.size)
    rounds = m.letting("rounds", teams - 1 + teams % 2)
    ROUND = m.domain("ROUND", cl.Int(1, rounds))
    no_ground = m.given("no_ground", cl.Relation(team, ROUND), about="In which rounds a team cannot play at home.")
    opponent = m.find(
        "opponent",
        cl.Matrix(team, ROUND, of=team),
        about="Whom a team plays in each round; on its free day, itself.",
        picture="grid",
    )
    at_home = m.find("at_home", cl.Matrix(team, ROUND, of=cl.Bool), about="Whether a team plays at home.", picture="mosaic")
    m.require(
        (cl.iff(opponent[t, r] == u, opponent[u, r] == t) for r in ROUND for t in team for u in team),
        name="The opponent of a team's opponent is the team.",
    )
    m.require((cl.all_different(opponent[t, r] for r in ROUND) for t in team), name="Every two teams play once.")
    m.require(
        cl.implies(teams % 2 == 0, cl.all(cl.all(opponent[t, r] != t for r in ROUND) for t in team)),
        name="If the number of teams is even, nobody has a free day.",
    )
    m.require(
        (
            cl.implies(opponent[t, r] == u, cl.to_int(at_home[t, r]) + cl.to_int(at_home[u, r]) == cl.to_int(t != u))
            for r in ROUND
            for t in team
            for u in team
            if t <= u
        ),
        name="One of two opponents plays at home, and nobody does on a free day.",
    )
    m.require((~at_home[t, r] for t, r in no_ground), name="Nobody plays at home without a ground.")
    m.require(
        (
            ~((at_home[t, r] == at_home[t, r + 1]) & (at_home[t, r] == at_home[t, r + 2]))
            for t in team
            for r in cl.Int(1, rounds - 2)
        ),
        name="Nobody plays at home, or away, three times in a row.",
    )
    m.require(
        (cl.member(cl.count(at_home[t, r] for r in ROUND), cl.set([teams // 2 - 1, teams // 2])) for t in team),
        name="Home games are shared out evenly.",
    )
    return m

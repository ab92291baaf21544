import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "A tournament from its results",
        about="Every two teams have met once, and one of them has won. All that is left is the list of how many wins each team had. Who may have beaten whom?",
    )
    team = m.given_enum("team")
    wins = m.given("wins", cl.Function(team, cl.Int(0, None), total=True))
    teams = m.letting("teams", team.size)
    m.where(
        cl.sum(wins(t) for t in team) == teams * (teams - 1) // 2,
        about="There are as many wins as pairs of teams, because every two teams have met once.",
    )
    beats = m.find(
        "beats",
        cl.Relation(team, team, asymmetric=True, connex=True),
        about="Which team has beaten which: one of every two teams has beaten the other.",
    )
    m.require((cl.size(beats(t, ...)) == wins(t) for t in team), name="Each team has beaten as many others as the list says.")
    return m

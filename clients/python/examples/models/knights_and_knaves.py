import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Knights and knaves",
        about='Knights always tell the truth, knaves always lie. Four islanders talk to you: Ada: "Ben and Cleo are of different kinds." Ben: "If Dan is a knight, so is Ada." Cleo: "Exactly two of us four are knights." Dan: "Ben is a knave, or I am a knave." Who is what?',
    )
    person = m.enum("person", ["Ada", "Ben", "Cleo", "Dan"])
    knight = m.find("knight", cl.Matrix(person, of=cl.Bool), about="Who is a knight.")
    m.require(
        cl.iff(knight[person.Ada], knight[person.Ben] != knight[person.Cleo]),
        name="Ada says that Ben and Cleo are of different kinds.",
    )
    m.require(
        cl.iff(knight[person.Ben], cl.implies(knight[person.Dan], knight[person.Ada])),
        name="Ben says that Ada is a knight if Dan is one.",
    )
    m.require(
        cl.iff(knight[person.Cleo], cl.count(knight[p] for p in person) == 2),
        name="Cleo says that exactly two of the four are knights.",
    )
    m.require(
        cl.iff(knight[person.Dan], ~knight[person.Ben] | ~knight[person.Dan]),
        name="Dan says that Ben is a knave, or that he is one himself.",
    )
    return m

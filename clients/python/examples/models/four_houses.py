import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Four houses",
        about="Four houses stand in a row, numbered from the left. In each lives one person with one pet, and each has a colour of its own. 1. Lena lives in the red house. 2. The dog lives next door to the blue house. 3. Omar keeps the parrot. 4. The green house is somewhere to the left of the white one. 5. Nobody lives to the left of Pia. 6. The cat does not live in the red house, and it does not belong to Pia. 7. The dog lives somewhere to the left of the tortoise. 8. Omar lives next door to the white house. Who lives where, and whose is the tortoise?",
    )
    person = m.enum("person", ["Lena", "Omar", "Pia", "Ravi"])
    paint = m.enum("paint", ["red", "green", "blue", "white"])
    animal = m.enum("animal", ["dog", "cat", "parrot", "tortoise"])
    HOUSE = m.domain("HOUSE", cl.Int(1, 4))
    house = m.find(
        "house",
        cl.Matrix(HOUSE, of=cl.Record(owner=person, colour=paint, pet=animal)),
        about="Who lives in each house, its colour, and the pet.",
    )
    m.require(cl.all_different(house[h]["owner"] for h in HOUSE), name="Every person lives in one house.")
    m.require(cl.all_different(house[h]["colour"] for h in HOUSE), name="Every colour occurs once.")
    m.require(cl.all_different(house[h]["pet"] for h in HOUSE), name="Every pet occurs once.")
    m.require(
        cl.any((house[h]["owner"] == person.Lena) & (house[h]["colour"] == paint.red) for h in HOUSE),
        name="Lena lives in the red house.",
    )
    m.require(
        cl.any(
            (abs(h - k) == 1) & (house[h]["pet"] == animal.dog) & (house[k]["colour"] == paint.blue) for h in HOUSE for k in HOUSE
        ),
        name="The dog lives next door to the blue house.",
    )
    m.require(
        cl.any((house[h]["owner"] == person.Omar) & (house[h]["pet"] == animal.parrot) for h in HOUSE),
        name="Omar keeps the parrot.",
    )
    m.require(
        cl.any((h < k) & (house[h]["colour"] == paint.green) & (house[k]["colour"] == paint.white) for h in HOUSE for k in HOUSE),
        name="The green house is somewhere to the left of the white one.",
    )
    m.require(house[1]["owner"] == person.Pia, name="Nobody lives to the left of Pia.")
    m.require(
        (
            cl.implies(house[h]["pet"] == animal.cat, (house[h]["colour"] != paint.red) & (house[h]["owner"] != person.Pia))
            for h in HOUSE
        ),
        name="The cat does not live in the red house, and it does not belong to Pia.",
    )
    m.require(
        cl.any((h < k) & (house[h]["pet"] == animal.dog) & (house[k]["pet"] == animal.tortoise) for h in HOUSE for k in HOUSE),
        name="The dog lives somewhere to the left of the tortoise.",
    )
    m.require(
        cl.any(
            (abs(h - k) == 1) & (house[h]["owner"] == person.Omar) & (house[k]["colour"] == paint.white)
            for h in HOUSE
            for k in HOUSE
        ),
        name="Omar lives next door to the white house.",
    )
    return m

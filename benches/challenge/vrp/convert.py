from parameters import FromZero


def parameters(data):
    return {
        "customers": data["N"],
        "vehicles": data["N"],
        "capacity": data["Capacity"],
        "demand": data["Demand"],
        "distance": FromZero(data["Distance"]),
    }


def decisions(data, found):
    places = range(data["N"] + 1)
    steps = {step for tour in found["tours"] for step in zip([0, *tour], [*tour, 0])}
    return {"x": [int((a, b) in steps) for a in places for b in places]}

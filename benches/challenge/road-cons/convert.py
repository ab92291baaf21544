FAR = 1_000_000


def parameters(data):
    towns = range(data["n"])
    assert all(data["distance"][a][b] > 0 for a in towns for b in towns if a != b), "a road without a length"
    return {
        "towns": data["n"],
        "budget": data["budget"],
        "far": FAR,
        "length": data["distance"],
        "cost": data["cost"],
    }


def decisions(data, found):
    towns, roads = range(1, data["n"] + 1), set(found["roads"])
    return {"construct": [(a, b) in roads for a in towns for b in towns]}

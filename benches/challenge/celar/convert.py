from parameters import MSet, Sets


def parameters(data):
    hard = zip(data["hardctrx"], data["hardctry"], data["hardctrk"])
    soft = zip(data["softctrx"], data["softctry"], data["softctrk"], data["softctrw"])
    return {
        "links": data["num_variables"],
        "permitted": [Sets(sorted(data["categories"][category - 1])) for category in data["domains"]],
        "distance": {(a, b): distance for a, b, distance in hard},
        "interference": MSet((a, b, gap, data["costs"][weight - 1]) for a, b, gap, weight in soft),
    }


def decisions(data, found):
    return {"f": [found["frequency"][link] for link in range(1, data["num_variables"] + 1)]}

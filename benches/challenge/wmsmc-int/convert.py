def parameters(data):
    return {
        "elements": data["elements"],
        "candidates": data["candidates"],
        "required": data["requirements"],
        "holds": data["candidate_sets"],
        "cost": data["candidate_weights"],
    }


def decisions(data, found):
    return {"candidate_copies": [found["taken"].count(one) for one in range(1, data["candidates"] + 1)]}

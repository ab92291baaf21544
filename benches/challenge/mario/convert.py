def parameters(data):
    home, goal = data["MarioHouse"], data["LuigiHouse"]
    assert data["conso"][goal - 1][home - 1] == 0, "the way back costs fuel"
    return {
        "houses": data["nbHouses"],
        "home": home,
        "goal": goal,
        "fuel": data["fuelMax"],
        "consumption": data["conso"],
        "gold": data["goldInHouse"],
    }


def decisions(data, found):
    path = found["path"]
    after = dict(zip(path, path[1:] + path[:1]))
    return {"succ": [after.get(house, house) for house in range(1, data["nbHouses"] + 1)]}

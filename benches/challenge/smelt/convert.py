HORIZON = 1000
KINDS = ["begins_after", "begins_within", "begins_no_later", "ends_no_later"]


def parameters(data):
    orders = list(zip(data["t"], data["h"], data["w"]))
    return {
        "recipes": data["r"],
        "minerals": data["m"],
        "lines": data["nl"],
        "rules": data["p"],
        "horizon": HORIZON,
        "duration": [sum(h * w for recipe, h, w in orders if recipe == k) for k in range(1, data["r"] + 1)],
        "flow": data["f"],
        "use": data["c"],
        "kind": [KINDS[kind - 1] for kind in data["typ"]],
        "first": data["k1"],
        "second": data["k2"],
        "delay": data["d"],
    }


def decisions(data, found):
    recipes = range(1, data["r"] + 1)
    return {
        "start": [found["start"][k] for k in recipes],
        "line": [found["line"][k] for k in recipes],
        "followed": [rule in found["followed"] for rule in range(1, data["p"] + 1)],
        "makespan": found["finish"],
    }

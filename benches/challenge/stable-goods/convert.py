def lists(data):
    """The entries of each person: (good, amount)."""
    entries = iter(zip(data["good_pref"], data["req_pref"]))
    return [[next(entries) for _ in range(count)] for count in data["npref"]]


def parameters(data):
    wishes, goods = lists(data), range(1, data["n"] + 1)
    places = [[(i, good) for i, (good, _) in enumerate(wish, 1)] for wish in wishes]
    entries = {(p, i): entry for p, wish in enumerate(wishes, 1) for i, entry in enumerate(wish, 1)}
    return {
        "people": data["m"],
        "goods": data["n"],
        "entries": max(data["npref"]),
        "available": data["available"],
        "worth": data["value"],
        "wanted": {key: good for key, (good, _) in entries.items()},
        "amount": {key: amount for key, (_, amount) in entries.items()},
        "rank": [[max([0, *(i for i, g in place if g == good)]) for good in goods] for place in places],
        "need": [[max([0, *(amount for g, amount in wish if g == good)]) for good in goods] for wish in wishes],
    }


def decisions(data, found):
    return {"preference": [found["choice"][person] for person in range(1, data["m"] + 1)]}

def parameters(data):
    return {
        "players": data["n"],
        "size_of_group": data["n_persons_in_group"],
        "rank": data["ranking"],
        "country": data["country"],
    }


def decisions(data, found):
    """The groups in the order of their lowest and then their highest ranks."""
    rank = data["ranking"]
    ranks = {group: sorted(rank[player - 1] for player in group) for group in found["groups"]}
    groups = sorted(ranks, key=lambda group: (ranks[group][0], ranks[group][-1]))
    number = {player: i for i, group in enumerate(groups, 1) for player in group}
    return {"assign_to": [number[player] for player in range(1, data["n"] + 1)]}

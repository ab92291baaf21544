from parameters import Sets


def parameters(data):
    assert 0 in data["sizes"], "a slab without orders would have waste"
    return {
        "orders": data["nbOrders"],
        "colours": data["nbColours"],
        "weight": data["ordSize"],
        "colour": data["ordCol"],
        "capacities": Sets(sorted(data["sizes"] - {0})),
    }


def decisions(data, found):
    slab = {order: number for number, part in enumerate(found["slabs"], 1) for order in part}
    return {"assign": [slab[order] for order in range(1, data["nbOrders"] + 1)]}

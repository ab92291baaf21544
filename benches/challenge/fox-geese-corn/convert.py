GOODS = {"fox": "fox", "goose": "geese", "corn": "corn"}


def parameters(data):
    return {
        "stock": dict(zip(GOODS, (data["f"], data["g"], data["c"]))),
        "price": dict(zip(GOODS, (data["pf"], data["pg"], data["pc"]))),
        "capacity": data["k"],
        "crossings": data["t"],
    }


def decisions(data, found):
    cargo = {name: [found["cargo"][t, good] for t in range(1, data["t"] + 1)] for good, name in GOODS.items()}
    return cargo | {"trips": found["trips"]}

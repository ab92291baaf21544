def parameters(data):
    assert min(data["buy"]) > 0, "a voucher for nothing"
    return {
        "pizzas": data["n"],
        "vouchers": data["m"],
        "price": data["price"],
        "buys": data["buy"],
        "gives": data["free"],
    }


def decisions(data, found):
    how = {pizza: -voucher for pizza, voucher in found["bought"].items()} | found["got"]
    return {"how": [how.get(pizza, 0) for pizza in range(1, data["n"] + 1)]}

def parameters(data):
    return {"n": data["n"]}


def decisions(data, found):
    numbers = range(1, data["n"] + 1)
    return {"heart": [int((row, place) in found["hearts"]) for row in numbers for place in numbers]}

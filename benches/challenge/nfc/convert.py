def parameters(data):
    return {
        "periods": data["n_periods"],
        "shift": data["shift_periods"],
        "required": dict(enumerate(data["worker_count"])),
    }


def decisions(data, found):
    periods = range(data["n_periods"])
    return {"w": [found["working"][t] for t in periods], "f": [found["leaving"][t] for t in periods]}

from parameters import Relation


def parameters(data):
    """The first and the last task of the data start and end the project: they become bounds."""
    last = data["n_tasks"]
    real = [row for row in data["prec"] if not {1, last} & {row[0], row[1]}]
    back = [row for row in data["prec"] if row[:2] == [last, 1]]
    return {
        "tasks": last - 2,
        "resources": data["n_res"],
        "iterations": min([last + 1, *(distance for *_, distance in back)]),
        "latest": sum(row[2] for row in data["prec"] if row[2] > 0),
        "capacity": data["rcap"],
        "use": data["rreq"][1:-1],
        "before": Relation(sorted({(a - 1, b - 1, latency, distance) for a, b, latency, distance in real})),
    }


def decisions(data, found):
    slots, iterations = found["slot"], found["iteration"]
    tasks = range(1, data["n_tasks"] - 1)
    return {
        "s": [0, *(slots[i] for i in tasks), found["period"]],
        "k": [0, *(iterations[i] for i in tasks), max(iterations.values())],
    }

SHIFTS = ["rest", "morning", "day", "evening", "joker"]


def parameters(data):
    table = {f"({shift}, {day})": n for shift, row in zip(SHIFTS, data["reqt"]) for day, n in enumerate(row, 1)}
    return {"weeks": data["weeks"], "required": table, "least": data["minobj"]}


def decisions(data, found):
    return {"flatroster": [1 + SHIFTS.index(found["shift"][day]) for day in range(7 * data["weeks"])]}

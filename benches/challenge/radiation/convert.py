def parameters(data):
    return {"rows": data["m"], "columns": data["n"], "intensity": data["Intensity"]}


def decisions(data, found):
    rows, columns = range(1, data["m"] + 1), range(1, data["n"] + 1)
    times = range(1, max(map(max, data["Intensity"])) + 1)
    return {
        "N": [found["shapes"][time] for time in times],
        "Q": [found["exposing"][row, column, time] for row in rows for column in columns for time in times],
    }

from parameters import Relation, Sets


def pairs(rows):
    return Relation(sorted({tuple(row) for row in rows}))


def parameters(data):
    wished = data["SoftAtomicConstraints"]
    assert len(pairs(wished)) == len(wished), "a wish counts twice"
    return {
        "cavities": data["k"],
        "cables": data["b"],
        "before": pairs(data["AtomicConstraints"]),
        "either": pairs(data["DisjunctiveConstraints"]),
        "at_once": Sets(sorted(set(data["DirectSuccessors"]))),
        "wished": pairs(wished),
    }


def decisions(data, found):
    return {"pfc": [found["place"][cavity] for cavity in range(1, data["k"] + 1)]}

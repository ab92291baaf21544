from parameters import Relation


def parameters(data):
    return {
        "nodes": len(data["A"]),
        "most": data["max_communities"],
        "edges": data["A"],
        "same": Relation(sorted(map(tuple, data["same_community"]))),
        "different": Relation(sorted(map(tuple, data["diff_community"]))),
    }


def decisions(data, found):
    part = {node: number for number, nodes in enumerate(found["communities"], 1) for node in nodes}
    return {"x": [part[node] for node in range(1, len(data["A"]) + 1)]}

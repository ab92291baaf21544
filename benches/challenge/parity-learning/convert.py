from parameters import Sets


def parameters(data):
    return {
        "inputs": data["num_vars"],
        "samples": data["num_samples"],
        "most_errors": data["max_errors"],
        "ones": [Sets(i for i, bit in enumerate(row, 1) if bit) for row in data["sample_inputs"]],
        "odd": Sets(i for i, bit in enumerate(data["sample_outputs"], 1) if bit),
    }


def decisions(data, found):
    return {"parity_bits": [i in found["chosen"] for i in range(1, data["num_vars"] + 1)]}

"""How values are written in Essence, in lines that are not too long."""


def function(pairs):
    return "function(\n    " + wrapped(f"{key} --> {value}" for key, value in pairs) + ")"


def relation(tuples):
    return "relation(\n    " + wrapped(map(str, tuples)) + ")"


def wrapped(items):
    lines, width = [[]], 0
    for item in items:
        if width + len(item) > 110:
            lines.append([])
            width = 0
        lines[-1].append(item)
        width += len(item) + 2
    return ",\n    ".join(", ".join(line) for line in lines)

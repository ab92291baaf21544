"""Writes values in Essence, with line breaks."""


def function(pairs):
    return "function(\n    " + wrapped(f"{key} --> {value}" for key, value in pairs) + ")"


def relation(tuples):
    return "relation(\n    " + wrapped(map(str, tuples)) + ")"


def wrapped(items):
    lines, width = [[]], 0
    for item in items:
        if lines[-1] and width + len(item) > 110:
            lines.append([])
            width = 0
        lines[-1].append(item)
        width += len(item) + 2
    return ",\n    ".join(", ".join(line) for line in lines)


class Relation(list):
    """Tuples of numbers."""


class Sets(list):
    """A set of numbers, or of lists that are sets of numbers."""


class MSet(list):
    """A multiset of tuples of numbers."""


class FromZero(list):
    """A matrix whose rows and columns are counted from 0."""


def essence(value):
    """A value in Essence: a dictionary is a function, a list is a function from 1, 2, …, and a list of lists is a matrix."""
    match value:
        case bool():
            return str(value).lower()
        case int() | str():
            return str(value)
        case dict():
            return function((key, essence(one)) for key, one in value.items())
        case MSet():
            return "mset(\n    " + wrapped(map(str, value)) + ")"
        case Relation():
            return relation(map(tuple, value))
        case Sets():
            return braces(value)
        case FromZero():
            index = f"int(0..{len(value) - 1})"
            return "[\n    " + ",\n    ".join(f"{str(row)[:-1]}; {index}]" for row in value) + f"; {index}]"
        case [[*_], *_] if not isinstance(value[0], Sets):
            return "[\n    " + ",\n    ".join(map(str, value)) + "]"
        case _:
            return function((i, essence(one)) for i, one in enumerate(value, 1))


def braces(value):
    return "{" + wrapped(braces(one) if isinstance(one, list) else str(one) for one in value) + "}"

"""Converts the JSON of solutions to Python values, directed by the domain of the decision variable."""

import json
import re
from decimal import Decimal
from typing import Any, Tuple

from .domains import Domain
from .errors import DataError
from .values import Function, Matrix, Multiset, Permutation, Relation, Sequence, Variant, record


def decode(data: Any, domain: Domain) -> Any:
    """Returns the Python value for the JSON of a value of a domain.

    >>> from conjure_like import Model
    >>> finds = Model("find m : matrix indexed by [int(0..1), bool] of int find p : partition from int").variables
    >>> decode({"0": [1, 2], "1": [3, 4]}, finds["m"])[1, True]
    4
    >>> decode([[1], [2]], finds["p"]) == {frozenset({1}), frozenset({2})}
    True
    >>> decode(96.48, Model("find x : int(0..9999) $ unit x: 0.01").variables["x"])
    Decimal('96.48')
    """
    kind, parts = domain.kind, domain.parts
    if kind == "int" and domain.unit:
        return decimal(data)
    if kind in ("bool", "int", "enum", "unnamed"):
        return domain.python[data] if domain.python is not None else data
    if kind == "tuple":
        return tuple(decode(v, d) for v, d in zip(data, parts))
    if kind == "record":
        return record(domain.names, [decode(data[n], d) for n, d in zip(domain.names, parts)])
    if kind == "variant":
        ((tag, value),) = data.items()
        return Variant(tag, decode(value, parts[domain.names.index(tag)]))
    if kind == "matrix":
        labels, rows = _matrix(data, domain)
        return Matrix(labels, rows)
    if kind == "function":
        # A function of integers, Booleans or names is a JSON object; others are lists of pairs.
        pairs = ((key_value(k, parts[0]), v) for k, v in data.items()) if isinstance(data, dict) else data
        return Function((decode(a, parts[0]), decode(v, parts[1])) for a, v in pairs)
    if kind == "relation":
        return Relation(tuple(decode(v, d) for v, d in zip(row, parts)) for row in data)
    if kind == "partition":
        return frozenset(frozenset(decode(v, parts[0]) for v in part) for part in data)
    if kind == "permutation":
        return Permutation.from_cycles([[decode(v, parts[0]) for v in cycle] for cycle in data])
    container: Any = {"set": frozenset, "mset": Multiset, "sequence": Sequence}[kind]
    return container([decode(v, parts[0]) for v in data])


def decimal(data: Any) -> Decimal:
    """Returns the decimal number of a JSON number or string. The shortest text of a double is the number that the
    program printed.
    """
    return Decimal(str(data))


def objective(data: Any) -> Any:
    """Returns the value of an objective, as decimal numbers if it has a unit."""
    if isinstance(data, list):
        return [objective(one) for one in data]
    return decimal(data) if isinstance(data, (float, str)) else data


def key_value(key: str, domain: Domain) -> Any:
    """Returns the value that a key of a JSON object represents."""
    return int(key) if domain.kind == "int" else key == "true" if domain.kind == "bool" else key


def _matrix(data: Any, domain: Domain) -> Any:
    """Returns the labels of all dimensions, and the nested elements."""
    index, *rest = domain.parts
    if isinstance(data, dict):
        own: Tuple[Any, ...] = tuple(key_value(k, index) for k in data)
        elements = list(data.values())
    else:
        own = _labels(index, len(data))
        elements = data
    if index.python is not None:
        own = tuple(index.python[label] if isinstance(label, str) else label for label in own)
    if len(rest) == 1:
        return [own], [decode(v, rest[0]) for v in elements]
    inner = [_matrix(v, Domain("matrix", tuple(rest))) for v in elements]
    # All rows have the same labels, because a matrix is rectangular.
    labels = inner[0][0] if inner else [()] * (len(rest) - 1)
    return [own, *labels], [rows for _, rows in inner]


def _labels(index: Domain, count: int) -> Tuple[Any, ...]:
    """Returns the indices of a dimension that JSON omits."""
    if index.kind == "bool" and count == 2:
        return (False, True)
    # The program prints a list only for named indices and for integers from 1; other integers are keys of an object.
    names = index.members
    return names if len(names) == count else tuple(range(1, count + 1))


#: A name in Essence that needs no quotation marks. `_` is not a name but an unknown part.
NAME = re.compile(r"""(?!_\Z)(?:[^\W\d]|[^\x00-\x7f\s])(?:[\w']|[^\x00-\x7f\s])*""")


def essence_name(text: str) -> str:
    """Returns the name in Essence for a text: the text itself, or the text in quotation marks.

    >>> essence_name("dark red"), essence_name("🐷"), essence_name('a "b" $')
    ('"dark red"', '🐷', '"a \\\\"b\\\\" $"')
    """
    return text if NAME.fullmatch(text) and text.isprintable() else json.dumps(text, ensure_ascii=False)


def essence(data: Any, domain: Domain) -> str:
    """Returns the Essence literal for the JSON of a value; `null` is an unknown part."""

    def each(values: Any, inner: Domain) -> str:
        return ", ".join(essence(v, inner) for v in values)

    if data is None:
        return "_"
    kind, parts = domain.kind, domain.parts
    if kind == "bool":
        return "true" if data else "false"
    if kind == "int":
        # Essence counts in units: with `unit x: 0.01`, the value 1.5 is the integer 150.
        return str(int(decimal(data) / Decimal(domain.unit))) if domain.unit else str(data)
    if kind in ("enum", "unnamed"):
        return essence_name(data)
    if kind == "tuple":
        inside = ", ".join(essence(v, d) for v, d in zip(data, parts))
        return f"({inside})" if len(parts) > 1 else f"tuple ({inside})"
    if kind == "record":
        return f"record {{{', '.join(f'{essence_name(n)} = {essence(data[n], d)}' for n, d in zip(domain.names, parts))}}}"
    if kind == "variant":
        ((tag, value),) = data.items()
        return f"variant {{{essence_name(tag)} = {essence(value, parts[domain.names.index(tag)])}}}"
    if kind == "matrix":
        index, *rest = parts
        inner = rest[0] if len(rest) == 1 else Domain("matrix", tuple(rest))
        labelled = isinstance(data, dict)
        labels = (key_value(k, index) for k in data) if labelled else _labels(index, len(data))
        name = index.kind if index.kind in ("int", "bool") else essence_name(index.name)
        # The members of an unnamed type have no order, so Essence has no ranges of them.
        range_ = name if index.kind in ("bool", "unnamed") else f"{name}({each(labels, index)})"
        return f"[{each(data.values() if labelled else data, inner)}; {range_}]"
    if kind == "function":
        pairs = [(key_value(k, parts[0]), v) for k, v in data.items()] if isinstance(data, dict) else data
        return f"function({', '.join(f'{essence(a, parts[0])} --> {essence(v, parts[1])}' for a, v in pairs)})"
    if kind == "relation":
        return f"relation({each(data, Domain('tuple', parts))})"
    if kind == "partition":
        return f"partition({each(data, Domain('set', parts))})"
    if kind == "permutation":
        return f"permutation({', '.join(f'({each(cycle, parts[0])})' for cycle in data)})"
    inside = each(data, parts[0])
    return {"set": f"{{{inside}}}", "mset": f"mset({inside})", "sequence": f"sequence({inside})"}[kind]

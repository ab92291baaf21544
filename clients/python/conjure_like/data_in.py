"""Converts Python values to the JSON of parameter files, directed by the domain of the parameter."""

import dataclasses
import math
import operator
import sys
from collections.abc import Iterable, Mapping
from collections import Counter
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, List, Tuple, Union

from .domains import Domain
from .errors import DataError
from .values import Matrix, cycles


def encode(value: Any, domain: Domain, where: str) -> Any:
    """Returns the JSON of a value; `where` names the value in messages. `None` is an unknown part, which parameters
    must not have.

    >>> from conjure_like import Model
    >>> givens = Model("given s : set of (int, bool) given f : function int --> int").parameters
    >>> encode({(1, True)}, givens["s"], "s")
    [[1, True]]
    >>> encode({1: 10}, givens["f"], "f")
    [[1, 10]]
    >>> from decimal import Decimal
    >>> encode([Decimal("12.50"), 3], Model("given p : set of int $ unit p: 0.01").parameters["p"], "p")
    ['12.50', 3]
    >>> encode({(1, 2)}, givens["s"], "s")
    Traceback (most recent call last):
    ...
    conjure_like.errors.DataError: `s`: 2 does not fit `bool`
    """
    return None if value is None else _ENCODERS[domain.kind](value, domain, where)


def _refuse(value: Any, domain: Domain, where: str) -> DataError:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "…"
    return DataError(f"`{where}`: {shown} does not fit `{domain}`")


def _refuse_counted(value: Any, index: Domain, where: str) -> None:
    """Refuses a table whose rows count from 0 if the indices of the model do not, and says what to do."""
    # Only the labels 0, 1, … are refused: pandas makes them if the user has not chosen any.
    if not _is(value, "pandas", "Series", "DataFrame") or list(value.index) != list(range(len(value))) or value.empty:
        return
    if index.kind == "enum":
        wanted = f"members of `{index.name}`"
    elif index.kind == "int" and index.limits and all(first.isdigit() and int(first) > 0 for first, _ in index.limits):
        wanted = f"numbers from {min(int(first) for first, _ in index.limits)}"
    else:
        # Bounds such as `n` are known to the program only; it reports a missing index 0.
        return
    is_table = _is(value, "pandas", "DataFrame")
    advice = "`table.set_index(column)`" if is_table else "`table.set_index(column)[name]`, or with `series.set_axis(labels)`"
    what = "table" if is_table else "series"
    raise DataError(f"`{where}`: the {what} counts its rows from 0, but the indices are {wanted}; give it labels with {advice}")


def _is(value: Any, module: str, *names: str) -> bool:
    """Returns true if a value belongs to a class of an optional module. A module that is not loaded cannot have made
    the value.
    """
    loaded = sys.modules.get(module)
    return loaded is not None and any(isinstance(value, getattr(loaded, name)) for name in names)


def _scalar(value: Any) -> Any:
    return value.item() if _is(value, "numpy", "generic") else value


def _bool(value: Any, domain: Domain, where: str) -> bool:
    value = _scalar(value)
    if not isinstance(value, (bool, int)) or value not in (0, 1):
        raise _refuse(value, domain, where)
    return bool(value)


def _int(value: Any, domain: Domain, where: str) -> Union[int, str]:
    """Encodes an integer. With a unit, the result is the text of a decimal number, which the program reads exactly."""
    value = _scalar(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    # `Decimal(str(0.1))` is 0.1, while `Decimal(0.1)` is the exact value of the double.
    if isinstance(value, (float, Decimal)) and math.isfinite(value) and (domain.unit or value == int(value)):
        return format(Decimal(str(value)), "f") if domain.unit else int(value)
    # `operator.index(True)` is 1, but a Boolean is not an integer in Essence.
    if isinstance(value, bool):
        raise _refuse(value, domain, where)
    try:
        return operator.index(value)
    except TypeError:
        raise _refuse(value, domain, where) from None


def _enum(value: Any, domain: Domain, where: str) -> str:
    if isinstance(value, Enum):
        return value.name
    if not isinstance(value, str):
        raise _refuse(value, domain, where)
    return str(value)


def _type(value: Any, domain: Domain, where: str) -> List[str]:
    return [_enum(member, Domain("enum", name=domain.name), where) for member in _elements(value, domain, where)]


def _elements(value: Any, domain: Domain, where: str) -> List[Any]:
    """Returns the elements of any iterable: the rows of a DataFrame, the edges of a graph."""
    if _is(value, "pandas", "DataFrame"):
        return list(value.itertuples(index=False, name=None))
    if _is(value, "pandas", "Series") or (_is(value, "numpy", "ndarray") and value.ndim):
        return list(value.tolist())
    if _is(value, "networkx", "Graph"):
        return list(value.edges())
    if type(value).__module__.startswith("networkx."):
        # Views of a graph, such as `graph.edges`, would otherwise be handled as mappings.
        return list(value)
    # A `Counter` is a mapping, so it must come before the test that refuses mappings.
    if isinstance(value, Counter):
        return list(value.elements())
    # A string is iterable, but a set of its letters is unlikely to be meant; a mapping would lose its values.
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise _refuse(value, domain, where)
    return list(value)


def _tuple(value: Any, domain: Domain, where: str) -> List[Any]:
    elements = _elements(value, domain, where)
    # A set has no order, so its elements cannot be told apart as components.
    if len(elements) != len(domain.parts) or isinstance(value, (set, frozenset)):
        raise _refuse(value, domain, where)
    return [encode(v, d, where) for v, d in zip(elements, domain.parts)]


def _fields(value: Any, domain: Domain, where: str) -> Dict[str, Any]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if _is(value, "pandas", "Series"):
        return dict(value.items())
    if isinstance(value, tuple) and len(value) == len(domain.names):
        return dict(zip(domain.names, value))
    raise _refuse(value, domain, where)


def _record(value: Any, domain: Domain, where: str) -> Dict[str, Any]:
    fields = _fields(value, domain, where)
    if set(fields) != set(domain.names):
        raise _refuse(value, domain, where)
    return {n: encode(fields[n], d, f"{where}[{n}]") for n, d in zip(domain.names, domain.parts)}


def _variant(value: Any, domain: Domain, where: str) -> Dict[str, Any]:
    tagged = value if isinstance(value, Mapping) else dict([value]) if isinstance(value, tuple) and len(value) == 2 else {}
    (tag, content), *others = [*tagged.items()] or [(None, None)]
    if others or tag not in domain.names:
        raise _refuse(value, domain, where)
    return {str(tag): encode(content, domain.parts[domain.names.index(tag)], f"{where}[{tag}]")}


def _collection(value: Any, domain: Domain, where: str) -> List[Any]:
    # The columns of a table are matched by name, whatever their order is.
    if domain.parts[0].kind == "record" and _is(value, "pandas", "DataFrame"):
        value = value.to_dict("records")
    elements = _elements(value, domain, where)
    return [encode(v, domain.parts[0], where) for v in elements]


def _relation(value: Any, domain: Domain, where: str) -> List[Any]:
    # The third column of the relation holds the weights of the edges; without a weight, an edge counts 1.
    if _is(value, "networkx", "Graph") and len(domain.parts) == 3:
        value = list(value.edges.data("weight", 1))
    rows = Domain("tuple", domain.parts)
    return [encode(v, rows, where) for v in _elements(value, domain, where)]


def _function(value: Any, domain: Domain, where: str) -> List[Any]:
    """Returns the pairs of a function. A graph is a function from nodes to their neighbours, or from edges to
    weights.
    """
    argument, image = domain.parts
    _refuse_counted(value, argument, where)
    if _is(value, "networkx", "Graph"):
        if argument.kind == "tuple":
            pairs: List[Tuple[Any, Any]] = [((a, b), w) for a, b, w in value.edges.data("weight", 1)]
        else:
            pairs = [(node, set(value[node])) for node in value]
    elif isinstance(value, (Mapping, Matrix)) or _is(value, "pandas", "Series"):
        pairs = list(value.items())
    elif _is(value, "pandas", "DataFrame") and argument.kind == "tuple":
        # A table with a row for each first argument and a column for each second argument.
        pairs = [((row, column), v) for column, cells in value.items() for row, v in cells.items()]
    else:
        pairs = [tuple(p) if isinstance(p, (tuple, list)) else (p,) for p in _elements(value, domain, where)]
        if any(len(p) != 2 for p in pairs):
            raise _refuse(value, domain, where)
    return [[encode(a, argument, where), encode(v, image, f"{where}({a})")] for a, v in pairs]


def _partition(value: Any, domain: Domain, where: str) -> List[Any]:
    part = Domain("set", domain.parts)
    return [encode(p, part, where) for p in _elements(value, domain, where)]


def _permutation(value: Any, domain: Domain, where: str) -> List[Any]:
    cycle = Domain("sequence", domain.parts)
    # A permutation maps its moved values onto themselves; otherwise there are no cycles.
    if isinstance(value, Mapping) and set(value) != set(value.values()):
        raise _refuse(value, domain, where)
    found = cycles(dict(value)) if isinstance(value, Mapping) else _elements(value, domain, where)
    return [encode(c, cycle, where) for c in found]


def _matrix(value: Any, domain: Domain, where: str) -> Any:
    """Encodes a matrix. Elements without labels are in the order of the indices; with labels, each has its index.

    A DataFrame or Series whose rows count from 0 has no labels.
    """
    if _is(value, "pandas", "Series", "DataFrame") and _labelled(value.index):
        _refuse_counted(value, domain.parts[0], where)
    if _is(value, "networkx", "Graph"):
        value = _adjacency(value, domain.parts[-1].kind == "bool")
    if _is(value, "pandas", "DataFrame"):
        rows = {row: _row(cells) for row, cells in value.iterrows()}
        value = rows if _labelled(value.index) else list(rows.values())
    elif _is(value, "pandas", "Series"):
        value = _row(value)
    elif isinstance(value, Matrix):
        value = dict(zip(value.labels[0], value))
    index, *rest = domain.parts
    inner = rest[0] if len(rest) == 1 else Domain("matrix", tuple(rest))
    if isinstance(value, Mapping):
        if len(rest) > 1:
            value = _by_first(value)
        # Named indices have a fixed order, so the matrix becomes a list; other labels become the keys of an object.
        if index.kind in ("enum", "bool"):
            value = _in_order(value, index, where)
        else:
            return {str(encode(k, index, where)): encode(v, inner, f"{where}[{k}]") for k, v in value.items()}
    if isinstance(value, (set, frozenset)):
        raise _refuse(value, domain, where)
    return [encode(v, inner, where) for v in _elements(value, domain, where)]


def _by_first(value: Mapping) -> Mapping:  # type: ignore[type-arg]
    """Groups a dict whose keys are tuples of indices by the first index."""
    if not all(isinstance(key, tuple) for key in value):
        return value
    rows: Dict[Any, Dict[Any, Any]] = {}
    for (first, *rest), element in value.items():
        rows.setdefault(first, {})[tuple(rest) if len(rest) > 1 else rest[0]] = element
    return rows


def _in_order(value: Mapping, index: Domain, where: str) -> List[Any]:  # type: ignore[type-arg]
    """Returns the elements of a dict in the order of the named indices."""
    order: Tuple[Any, ...] = (False, True) if index.kind == "bool" else index.members
    elements = {encode(k, index, where): v for k, v in value.items()}
    unknown = [k for k in elements if k not in order]
    if unknown:
        raise DataError(f"`{where}`: {unknown[0]!r} is not a member of `{index}`")
    return [elements[k] for k in order if k in elements]


def _labelled(index: Any) -> bool:
    return not _is(index, "pandas", "RangeIndex")


def _row(series: Any) -> Any:
    return dict(series.items()) if _labelled(series.index) else list(series)


def _adjacency(graph: Any, boolean: bool) -> Any:
    """Returns the adjacency matrix of a graph: Booleans, or weights (1 for an edge without a weight, 0 for no edge)."""
    weights = {(a, b): w for a, b, w in graph.edges.data("weight", 1)}
    if not graph.is_directed():
        weights.update({(b, a): w for (a, b), w in weights.items()})
    return {a: {b: (a, b) in weights if boolean else weights.get((a, b), 0) for b in graph} for a in graph}


_ENCODERS = {
    "bool": _bool,
    "int": _int,
    "enum": _enum,
    "unnamed": _enum,
    "type": _type,
    "tuple": _tuple,
    "record": _record,
    "variant": _variant,
    "set": _collection,
    "mset": _collection,
    "sequence": _collection,
    "relation": _relation,
    "function": _function,
    "partition": _partition,
    "permutation": _permutation,
    "matrix": _matrix,
}

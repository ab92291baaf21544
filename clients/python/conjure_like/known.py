"""Partial solutions as statements of Essence."""

from typing import Any, Iterator, List, Mapping, Sequence, Tuple

from .data_in import encode
from .data_out import essence, essence_name, key_value
from .domains import Domain
from .errors import DataError


def statements(values: Mapping[str, Any], domains: Mapping[str, Domain]) -> str:
    """Returns the values as statements. `None` is an unknown part; a dict whose keys are tuples gives single elements
    of a matrix.

    >>> from conjure_like import Model
    >>> finds = Model("find m : matrix indexed by [int(0..1), int(1..2)] of int find f : function int --> int").variables
    >>> print(statements({"m": [[3, None], [None, 4]], "f": {1: None, 2: 5}}, finds))
    such that m[0, 1] = 3
    such that m[0 + 1, 1 + 1] = 4
    letting f be function(1 --> _, 2 --> 5)
    >>> print(statements({"m": {(0, 2): 7}}, finds))
    such that m[0, 2] = 7
    """
    lines: List[str] = []
    for name, value in values.items():
        domain = domains[name]
        if domain.kind == "matrix":
            sparse = _is_sparse(value)
            # Only the known elements are stated, each as a constraint, because the others must stay free.
            cells = _named(value, domain, name) if sparse else _counted(encode(value, domain, name), domain.parts[:-1], name)
            lines += [f"such that {essence_name(name)}[{', '.join(i)}] = {essence(v, domain.parts[-1])}" for i, v in cells if v is not None]
        else:
            lines.append(f"letting {essence_name(name)} be {essence(encode(value, domain, name), domain)}")
    return "\n".join(lines)


def is_partial(values: Mapping[str, Any], domains: Mapping[str, Domain]) -> bool:
    """Returns true if a part of a value is unknown."""
    return any(has_none(v) or (domains[n].kind == "matrix" and _is_sparse(v)) for n, v in values.items())


def has_none(value: Any) -> bool:
    """Returns true if a value or a part of it is `None`."""
    if isinstance(value, Mapping):
        return any(map(has_none, value.values()))
    return value is None or (isinstance(value, (list, tuple)) and any(map(has_none, value)))


def _is_sparse(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, tuple) for key in value)


Cell = Tuple[Tuple[str, ...], Any]


def _named(value: Mapping[Tuple[Any, ...], Any], domain: Domain, name: str) -> Iterator[Cell]:
    """Yields the elements whose indices the user has written."""
    *indices, element = domain.parts
    for key, content in value.items():
        if len(key) != len(indices):
            raise DataError(f"`{name}`: {key!r} does not fit the indices of `{domain}`")
        yield tuple(essence(encode(k, i, name), i) for k, i in zip(key, indices)), encode(content, element, name)


def _counted(data: Any, indices: Sequence[Domain], name: str) -> Iterator[Cell]:
    """Yields the elements of nested lists in the order of the indices, or of objects whose keys are the indices."""
    if data is None:
        return
    index, *rest = indices
    labelled = ((essence(key_value(key, index), index), content) for key, content in data.items()) if isinstance(data, dict) else None
    # A list has the elements in the order of the indices, which Essence expressions such as `1 + 2` denote.
    pairs = labelled or zip(_order(index, len(data), name), data)
    for key, content in pairs:
        inner: Any = _counted(content, rest, name) if rest else [((), content)]
        for keys, value in inner:
            yield (key, *keys), value


def _order(index: Domain, count: int, name: str) -> List[str]:
    """Returns the first `count` indices of a dimension, as Essence."""
    if index.kind == "bool":
        return ["false", "true"]
    if index.kind != "int":
        return [essence_name(member) for member in index.members]
    if len(index.limits) != 1 or not index.limits[0][0]:
        raise DataError(f"`{name}`: write the indices, as in {{(1, 2): 3}}; they are not a single range")
    first = index.limits[0][0]
    return [first, *(f"{first} + {i}" for i in range(1, count))]

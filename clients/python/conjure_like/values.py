"""Types for values of Essence that Python lacks.

Treat them as constants, because they are hashable and can be members of sets: `dict(f)` and `Counter(m)` make copies
that you may change.
"""

import itertools
from collections import Counter, namedtuple
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any, Dict, Hashable, Iterable, Iterator, List, NamedTuple, Tuple


class Matrix:
    """A matrix with the indices of its domain: `m[i, j]` is an element, `m[i]` a row.

    >>> m = Matrix([("red", "blue"), (0, 1, 2)], [[1, 2, 3], [4, 5, 6]])
    >>> m["blue", 0], m["red"].tolist(), m.shape
    (4, [1, 2, 3], (2, 3))
    >>> m == [[1, 2, 3], [4, 5, 6]]
    True
    >>> for row in m:
    ...     print(sum(row))
    6
    15
    """

    __slots__ = ("labels", "_rows")

    def __init__(self, labels: Iterable[Iterable[Hashable]], rows: Iterable[Any]):
        #: The indices of each dimension.
        self.labels: Tuple[Tuple[Hashable, ...], ...] = tuple(map(tuple, labels))
        inner = self.labels[1:]
        self._rows = tuple(r if not inner or isinstance(r, Matrix) else Matrix(inner, r) for r in rows)
        if len(self._rows) != len(self.labels[0]):
            raise ValueError(f"{len(self._rows)} elements for {len(self.labels[0])} indices")

    @property
    def shape(self) -> Tuple[int, ...]:
        """The number of indices of each dimension."""
        return tuple(map(len, self.labels))

    def __getitem__(self, index: Any) -> Any:
        """Returns the element at an index, or the submatrix at the first indices. Raises `KeyError` for an index
        outside the domain.
        """
        first, *rest = index if isinstance(index, tuple) else (index,)
        try:
            element = self._rows[self.labels[0].index(first)]
        except ValueError:
            raise KeyError(f"{first!r} is not an index; the indices are {', '.join(map(repr, self.labels[0]))}") from None
        return element[tuple(rest)] if rest else element

    def _ipython_key_completions_(self) -> List[Hashable]:
        """The indices that Jupyter completes after `matrix[`."""
        return list(self.labels[0])

    def __iter__(self) -> Iterator[Any]:
        """Iterates over the elements, or over the rows of a matrix with several dimensions."""
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def items(self) -> Iterator[Tuple[Any, Any]]:
        """Iterates over the pairs of an index and its element; with several dimensions, the index is a tuple."""
        keys = self.labels[0] if len(self.labels) == 1 else itertools.product(*self.labels)
        return zip(keys, self.flat())

    def flat(self) -> Iterator[Any]:
        """Iterates over all elements, row by row."""
        for row in self._rows:
            if len(self.labels) > 1:
                yield from row.flat()
            else:
                yield row

    def tolist(self) -> List[Any]:
        """Returns the elements as nested lists."""
        return [row.tolist() if len(self.labels) > 1 else row for row in self._rows]

    def to_numpy(self) -> Any:
        """Returns the elements as a NumPy array of the same shape, whose indices count from 0."""
        import numpy

        flat = list(self.flat())
        # NumPy would turn tuples into further dimensions, so all other elements are stored as objects.
        if all(isinstance(v, (bool, int, str)) for v in flat):
            return numpy.array(flat).reshape(self.shape)
        array = numpy.empty(len(flat), dtype=object)
        array[:] = flat
        return array.reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def to_frame(self) -> Any:
        """Returns a pandas DataFrame labelled with the indices, or a Series if the matrix does not have two
        dimensions.
        """
        import pandas

        if len(self.labels) == 2:
            return pandas.DataFrame(self.to_numpy(), index=list(self.labels[0]), columns=list(self.labels[1]))
        if len(self.labels) == 1:
            return pandas.Series(self.to_numpy(), index=list(self.labels[0]))
        return pandas.Series(self.to_numpy().reshape(-1), index=pandas.MultiIndex.from_product(self.labels))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Matrix):
            return self.labels == other.labels and self._rows == other._rows
        if isinstance(other, (list, tuple)):
            return len(other) == len(self._rows) and all(a == b for a, b in zip(self._rows, other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.labels, self._rows))

    def __repr__(self) -> str:
        return f"Matrix({[list(l) for l in self.labels]}, {self.tolist()})"


class Function(Dict[Any, Any]):
    """A function: a hashable `dict`.

    >>> f = Function({1: "red", 2: "green"})
    >>> f[1], f == {1: "red", 2: "green"}, f in {f}
    ('red', True, True)
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class Permutation(Function):
    """A permutation: a hashable `dict` with the values that it moves. All other values are their own images.

    >>> p = Permutation.from_cycles([[1, 3, 2]])
    >>> p[1], p[3], p[7], p.cycles()
    (3, 2, 7, [(1, 3, 2)])
    """

    @classmethod
    def from_cycles(cls, cycles: Iterable[List[Any]]) -> "Permutation":
        return cls((a, b) for cycle in cycles for a, b in zip(cycle, [*cycle[1:], cycle[0]]))

    def __missing__(self, value: Any) -> Any:
        return value

    def cycles(self) -> List[Tuple[Any, ...]]:
        """The cycles of two or more values."""
        return cycles(self)


def cycles(images: Dict[Any, Any]) -> List[Tuple[Any, ...]]:
    """Returns the cycles of a permutation, without those of a single value."""
    found, seen = [], set()
    for start in images:
        cycle = []
        value = start
        while value not in seen and value in images:
            seen.add(value)
            cycle.append(value)
            value = images[value]
        if len(cycle) > 1:
            found.append(tuple(cycle))
    return found


class Multiset(Counter):  # type: ignore[type-arg]
    """A multiset: a hashable `Counter`.

    >>> sorted(Multiset([1, 2, 2]).elements())
    [1, 2, 2]
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class Sequence(Tuple[Any, ...]):
    """A sequence: a `tuple` that counts as one value, not as several columns, if it is an argument or a member.

    >>> s = Sequence([3, 1])
    >>> s == (3, 1), plain(Function({s: True})), plain(Function({(3, 1): True}))
    (True, [[[3, 1], True]], {'3': {'1': True}})
    """


class Relation(frozenset):  # type: ignore[type-arg]
    """A relation: a `frozenset` of tuples.

    >>> r = Relation([(1, "a"), (2, "b")])
    >>> (1, "a") in r
    True
    """

    def to_frame(self, columns: Any = None) -> Any:
        """Returns a pandas DataFrame with a row for each tuple."""
        import pandas

        return pandas.DataFrame(_in_order(self), columns=columns)


def record(names: Tuple[str, ...], values: Iterable[Any]) -> Any:
    """Returns a named tuple with these fields.

    >>> record(("a", "b"), [1, 2])
    record(a=1, b=2)
    """
    return _record_type(names)(*values)


@lru_cache(maxsize=None)
def _record_type(names: Tuple[str, ...]) -> Any:
    # `rename` gives fields that Python does not allow, such as `class`, positional names.
    fields = namedtuple("record", names, rename=True)  # type: ignore[misc]
    # Pickle looks up classes by name, which these do not have.
    reduce = {"__slots__": (), "__reduce__": lambda self: (record, (names, tuple(self))), "_names": names}
    return type("record", (fields,), reduce)


def field_names(value: Any) -> Any:
    """Returns the field names of a named tuple, as the model spells them if it is a record; `None` for other values.

    >>> field_names(record(("a", "class"), [1, 2])), field_names((1, 2))
    (('a', 'class'), None)
    """
    return getattr(value, "_names", getattr(value, "_fields", None)) if isinstance(value, tuple) else None


class Variant(NamedTuple):
    """A value of a variant: the name of the alternative and its value."""

    tag: str
    value: Any


def plain(value: Any) -> Any:
    """Returns a value in the types that `json.dumps` takes, as `--json=plain` prints it.

    A matrix that is indexed from 1 becomes a list, any other matrix a `dict`. Sets become lists. A function becomes a
    `dict`, and a function of tuples nested `dict`s.

    >>> import json
    >>> plain(Matrix([("red", "blue"), (1, 2)], [[1, 2], [3, 4]]))
    {'red': [1, 2], 'blue': [3, 4]}
    >>> json.dumps(plain({"chosen": frozenset({2, 1}), "m": Matrix([(1, 2)], [5, 6])}))
    '{"chosen": [1, 2], "m": [5, 6]}'
    >>> plain(Function({("a", 1): 5, ("a", 2): 6})), plain(Multiset([1, 2, 2])), plain(Variant("euros", 3))
    ({'a': {'1': 5, '2': 6}}, [1, 2, 2], {'euros': 3})
    >>> plain(Decimal("96.48")), plain(Decimal("46116860184273879.03"))
    (96.48, '46116860184273879.03')
    """
    if isinstance(value, Decimal):
        # A `float` if it is the same number when read back; otherwise the text, which loses nothing.
        return float(value) if Decimal(str(float(value))) == value else format(value, "f")
    if isinstance(value, Matrix):
        labels, elements = value.labels[0], [plain(v) for v in value]
        return elements if labels == tuple(range(1, len(labels) + 1)) else dict(zip(map(_key, labels), elements))
    if isinstance(value, Permutation):
        return [plain(cycle) for cycle in value.cycles()]
    if isinstance(value, Multiset):
        return _sorted(value.elements())
    if isinstance(value, Function):
        # Keys of JSON objects are strings, so a function of collections becomes a list of pairs.
        if any(isinstance(part, (tuple, frozenset, dict, Matrix)) for key in value for part in _parts(key)):
            return [[plain(key), plain(image)] for key, image in value.items()]
        nested: Dict[str, Any] = {}
        for key, image in value.items():
            *outer, last = map(_key, _parts(key))
            inner = nested
            for part in outer:
                inner = inner.setdefault(part, {})
            inner[last] = plain(image)
        return nested
    if isinstance(value, dict):
        return {_key(key): plain(v) for key, v in value.items()}
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Variant):
        return {value.tag: plain(value.value)}
    if names := field_names(value):
        return {name: plain(v) for name, v in zip(names, value)}
    if isinstance(value, (set, frozenset)):
        return _sorted(value)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def to_pandas(value: Any) -> Any:
    """Converts a value to a pandas DataFrame or Series with the labels of the model.

    A matrix with two dimensions becomes a DataFrame, and so does a set or a sequence of tuples, records or variants. A
    function becomes a Series indexed by its arguments; any other collection becomes a Series of its members.
    """
    import pandas

    if isinstance(value, (Matrix, Relation)):
        return value.to_frame()
    if isinstance(value, dict):
        # pandas reads tuples as keys of several levels, which fails for sequences of different lengths and for
        # matrices.
        if any(isinstance(key, Sequence) or isinstance(key, tuple) and any(isinstance(part, Matrix) for part in key) for key in value):
            keys = pandas.Series([None] * len(value), dtype=object)
            for at, key in enumerate(value):
                keys.iat[at] = key
            return pandas.Series(list(value.values()), index=pandas.Index(keys.array, tupleize_cols=False))
        return pandas.Series(dict(value), dtype=None if value else object)
    if names := field_names(value):
        return pandas.Series(list(value), index=list(names))
    members = _in_order(value) if isinstance(value, (set, frozenset)) else list(value)
    # Positions of sequences count from 1, as in the model.
    index = range(1, len(members) + 1) if isinstance(value, tuple) else None
    if members and all(isinstance(member, tuple) and not isinstance(member, Sequence) for member in members):
        fields = field_names(members[0]) or range(1, len(members[0]) + 1)
        return pandas.DataFrame(members, index=index, columns=list(fields))
    return pandas.Series(members, index=index, dtype=None if members else object)


def _parts(key: Any) -> Tuple[Any, ...]:
    return key if type(key) is tuple and key else (key,)


def _key(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else key.name if isinstance(key, Enum) else str(key)


def _sorted(values: Iterable[Any]) -> List[Any]:
    return _in_order(plain(v) for v in values)


def _in_order(values: Iterable[Any]) -> List[Any]:
    """Returns the values sorted if they are comparable, otherwise as they are."""
    members = list(values)
    try:
        return sorted(members)
    except TypeError:
        return members

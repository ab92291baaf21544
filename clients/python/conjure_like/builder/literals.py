"""Python values as constants of the model."""

import dataclasses
import sys
from collections import Counter
from collections.abc import Set as AbstractSet
from decimal import Decimal
from enum import Enum as PythonEnum
from types import GeneratorType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .. import values
from .domains import BOOL, INT, Domain
from .expressions import Expr, Literal, Name, Pairs, Text, Writer, expression
from .mistakes import ModellingError
from .printing import PREFIX


INFINITE = float("inf")


def constant(value: Any) -> Expr:
    """Returns a Python value as an expression.

    >>> from conjure_like.builder.literals import constant
    >>> print(*map(constant, (True, -3, (1, 2), [1, 2], {3, 1}, {1: True}, "red")))
    true -3 (1, 2) [1, 2] {1, 3} function(1 --> true) red
    """
    made = _MAKERS.get(type(value))
    if made is not None:
        return made(value)
    return _other(value)


def _number(value: int) -> Expr:
    return Text(str(value), INT, 100 if value >= 0 else PREFIX)


def _truth(value: bool) -> Expr:
    return Text("true" if value else "false", BOOL)


def _each(members: Any) -> List[Expr]:
    return [expression(m) for m in members]


def _type(members: Sequence[Expr]) -> Domain:
    types = [m.type for m in members if m.type is not None]
    return types[0].without_bounds() if types else Domain("any")


def _tuple(value: Tuple[Any, ...]) -> Expr:
    # A named tuple is a record, as in the values of solutions.
    names: Optional[Tuple[str, ...]] = getattr(value, "_fields", None)
    if names is not None:
        return record(**dict(zip(names, value)))
    members = _each(value)
    begin = "(" if len(members) > 1 else "tuple ("
    return Literal(begin, members, ")", Domain("tuple", tuple(m.type or Domain("any") for m in members)))


def matrix(value: Any, *indices: Domain) -> Expr:
    """A matrix of the elements. `indices` are the domains of the indices, one for each dimension; without them, indices
    count from 1.

    >>> import conjure_like as cl
    >>> D = cl.Int(0, 1)
    >>> print(cl.matrix([[1, 2], [3, 4]]), cl.matrix([[1, 2], [3, 4]], D, D))
    [[1, 2], [3, 4]] [[1, 2; int(0..1)], [3, 4; int(0..1)]; int(0..1)]
    """
    index, rest = (indices[0], indices[1:]) if indices else (None, ())
    members = [matrix(v, *rest) for v in value] if rest else _each(value)
    return Literal("[", members, "]", Domain("matrix", (index or _counted(len(members)), _type(members))), index)


def _counted(count: int) -> Domain:
    return Domain("int", ranges=((1, count),))


def _list(value: Any) -> Expr:
    return matrix(value)


def _set(value: Any) -> Expr:
    return set_of(_in_order(value))


def set_of(members: Any = ()) -> Expr:
    """A set of these members, which may be expressions, lists or sets, unlike those of a Python `set`.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.set([x, 3]))
    {x, 3}
    """
    members = _each(members)
    return Literal("{", members, "}", Domain("set", (_type(members),)))


def _in_order(value: Any) -> List[Any]:
    """Returns the members of a set in a fixed order, so that equal sets are printed equally."""
    listed = list(value)
    return sorted(listed) if _are_plain(listed) else sorted(listed, key=lambda v: str(expression(v)))


def _are_plain(listed: Sequence[Any]) -> bool:
    """Returns true if Python can sort these values: numbers, texts, or tuples of them."""
    kinds = {type(v) for v in listed}
    if len(kinds) > 1:
        return False
    return kinds <= {int, bool, str} or kinds == {tuple} and all(_are_plain(column) for column in zip(*listed))


def _mset(value: "Counter[Any]") -> Expr:
    members = _each(_in_order(value.elements()))
    return Literal("mset(", members, ")", Domain("mset", (_type(members),)))


def function(value: Any) -> Expr:
    """A function, from a `dict` or from pairs of an argument and its image.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.function({1: x, 2: 5}), cl.function([(x, 3)]))
    function(1 --> x, 2 --> 5) function(x --> 3)
    """
    pairs = [(expression(a), expression(b)) for a, b in (value.items() if hasattr(value, "items") else value)]
    return Pairs("function(", pairs, "-->", ")", Domain("function", (_type([a for a, _ in pairs]), _type([b for _, b in pairs]))))


def record(**fields: Any) -> Expr:
    """A record with these fields.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.record(row=x, column=2))
    record {row = x, column = 2}
    """
    pairs = [(Name(n, None), expression(v)) for n, v in fields.items()]
    types = tuple(v.type or Domain("any") for _, v in pairs)
    return Pairs("record {", pairs, "=", "}", Domain("record", types, names=tuple(fields)))


def variant(**alternative: Any) -> Expr:
    """A variant with this alternative and value.

    >>> import conjure_like as cl
    >>> print(cl.variant(whole=3))
    variant {whole = 3}
    """
    ((name, value),) = alternative.items()
    made = expression(value)
    return Pairs("variant {", [(Name(name, None), made)], "=", "}", Domain("variant", (made.type or Domain("any"),), names=(name,)))


def relation(rows: Any) -> Expr:
    """A relation of these tuples.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.relation([(1, x), (x, 3)]))
    relation((1, x), (x, 3))
    """
    members = [expression(tuple(r)) for r in (_in_order(rows) if isinstance(rows, (set, frozenset)) else rows)]
    columns = members[0].type.parts if members and members[0].type else ()
    return Literal("relation(", members, ")", Domain("relation", columns))


def sequence(members: Any) -> Expr:
    """A sequence of these elements.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.sequence([x, 3, x]))
    sequence(x, 3, x)
    """
    made = _each(members)
    return Literal("sequence(", made, ")", Domain("sequence", (_type(made),)))


def mset(members: Any) -> Expr:
    """A multiset of these members.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.mset([x, 3, 3]))
    mset(x, 3, 3)
    """
    made = _each(members)
    return Literal("mset(", made, ")", Domain("mset", (_type(made),)))


def partition(parts: Any) -> Expr:
    """A partition into these parts.

    >>> import conjure_like as cl
    >>> print(cl.partition([{1, 2}, {3}]))
    partition({1, 2}, {3})
    """
    made = [set_of(p) for p in parts]
    inner = made[0].type.parts[0] if made and made[0].type else Domain("any")
    return Literal("partition(", made, ")", Domain("partition", (inner,)))


def permutation(value: Any) -> Expr:
    """A permutation, from a `dict` of the values that move or from cycles.

    >>> import conjure_like as cl
    >>> print(cl.permutation({1: 2, 2: 1}), cl.permutation([(1, 3, 2)]))
    permutation((1, 2)) permutation((1, 3, 2))
    """
    cycles = values.cycles(dict(value)) if hasattr(value, "items") else value
    made = [Literal("(", _each(c), ")", None) for c in cycles]
    inner = _type(made[0].members) if made else Domain("any")
    return Literal("permutation(", made, ")", Domain("permutation", (inner,)))


def _labelled(value: values.Matrix) -> Expr:
    first, *rest = value.labels
    rows = [expression(v) for v in value]
    # Only integer indices are kept; a constant matrix that is indexed by names counts from 1.
    kept = all(isinstance(i, int) and not isinstance(i, bool) for i in first)
    index = Domain("int", ranges=tuple((i, i) for i in first)) if kept and first != tuple(range(1, len(first) + 1)) else None
    return Literal("[", rows, "]", Domain("matrix", (index or _counted(len(rows)), _type(rows))), index)


def _other(value: Any) -> Expr:
    for kind, made in _KINDS:
        if isinstance(value, kind):
            return made(value)
    if isinstance(value, GeneratorType):
        from .comprehensions import comprehension

        return comprehension(value)
    if value is None:
        raise ModellingError("`None` is not a value of a model", "leave the requirement out if nothing is known")
    if isinstance(value, (float, Decimal)):
        raise ModellingError(f"{value} is not an integer, and all numbers in a model are integers", _as_integer(value))
    if isinstance(value, Domain):
        raise ModellingError(
            f"`{value}` is a domain, not a value",
            f"range over it, as in `(… for x in {value})`; its number of values is `{value}.size`",
        )
    # These libraries are optional; one that is not loaded cannot have made the value.
    numpy, pandas, networkx = (sys.modules.get(m) for m in ("numpy", "pandas", "networkx"))
    if numpy is not None and isinstance(value, numpy.generic):
        return constant(value.item())
    if numpy is not None and isinstance(value, numpy.ndarray):
        _refuse_fractions(value, "array")
        return constant(value.tolist())
    if pandas is not None and isinstance(value, pandas.Series):
        _refuse_fractions(value, "column")
        # A column with labels is a function from the labels; the default index carries no information.
        counted = isinstance(value.index, pandas.RangeIndex)
        return matrix(value.tolist()) if counted else function(dict(value.items()))
    if pandas is not None and isinstance(value, pandas.DataFrame):
        for _, column in value.items():
            _refuse_fractions(column, "column")
        return relation(value.itertuples(index=False, name=None))
    if networkx is not None and isinstance(value, networkx.Graph):
        return relation(value.edges())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return record(**{f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    if isinstance(value, AbstractSet):
        # The keys of a `dict`, and the nodes or edges of a graph.
        return _set(value)
    if callable(value):
        name = getattr(value, "__name__", repr(value))
        raise ModellingError(f"`{name}` is a Python function, not a value", f"call it, as in `{name}(…)`")
    if hasattr(value, "__iter__"):
        return matrix(value)
    raise ModellingError(
        f"{value!r} of type `{type(value).__name__}` is not a value of a model", "a model has numbers, Booleans, names and collections"
    )


def _as_integer(value: Any) -> str:
    """Returns advice for a number that is not an `int`."""
    if value in (INFINITE, -INFINITE):
        return "leave the bound out, or write a number that is large enough"
    if value != value:
        return "it stands for what is missing: leave it out"
    return f"write {int(value)}" if value % 1 == 0 else "count in smaller units, such as cents for euros"


def _refuse_fractions(values: Any, what: str) -> None:
    """Refuses a NumPy array or a pandas column with missing values or non-integers, with advice."""
    is_column = what == "column"
    is_float = getattr(values.dtype, "kind", "") == "f"
    listed = values.tolist() if is_column else values.ravel().tolist()
    if values.isna().any() if is_column else is_float and any(v != v for v in listed):
        help = "write `column.fillna(0).astype(int)`, or `column.dropna()`" if is_column else "write `numpy.nan_to_num(array).astype(int)`"
        raise ModellingError(f"a value is missing in this {what}, but a model needs all of them", help)
    if is_float:
        help = f"write `{what}.astype(int)`" if all(v % 1 == 0 for v in listed) else f"count in smaller units, as in `({what} * 100).round().astype(int)`"
        raise ModellingError(f"this {what} has numbers of the type `{values.dtype}`, and all numbers in a model are integers", help)


def _name(value: str) -> Expr:
    return Member(value)


class Member(Name):
    """A Python text, which must be a member of an enumerated type of the model."""

    __slots__ = ()

    def __init__(self, name: str):
        super().__init__(name, None)

    def _text(self, w: Writer) -> str:
        return repr(self.name) if w.is_python else w.member(self.name)


_MAKERS: Dict[type, Callable[[Any], Expr]] = {
    int: _number, bool: _truth, str: _name, tuple: _tuple, list: _list, range: _list, set: _set, frozenset: _set, dict: function,
    Counter: _mset, values.Matrix: _labelled, values.Function: function, values.Relation: relation, values.Multiset: _mset,
    values.Sequence: sequence, values.Permutation: permutation,
}  # fmt: skip

_KINDS: Sequence[Tuple[Any, Callable[[Any], Expr]]] = (
    (PythonEnum, lambda v: Member(v.name)), (bool, _truth), (int, _number), (str, _name), (values.Variant, lambda v: variant(**{v.tag: v.value})),
    (Counter, _mset), (dict, function), (tuple, _tuple), (list, _list), (set, _set), (frozenset, _set),
)  # fmt: skip

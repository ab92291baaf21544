"""Domains: the sets of values that parameters and decision variables may have.

A domain is also the type of an expression; it may then be less precise, such as an `int` without bounds.
"""

import typing as t
from enum import Enum as PythonEnum
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional, Union

from .. import domains as declared
from .mistakes import ModellingError, checked
from .printing import written_name

if TYPE_CHECKING:
    from .expressions import Expr, Writer

#: The attributes of domains, by the names of their keyword arguments.
ATTRIBUTES = {
    "size": "size", "min_size": "minSize", "max_size": "maxSize", "min_occur": "minOccur", "max_occur": "maxOccur",
    "total": "total", "injective": "injective", "surjective": "surjective", "bijective": "bijective",
    "reflexive": "reflexive", "irreflexive": "irreflexive", "coreflexive": "coreflexive", "symmetric": "symmetric",
    "antisymmetric": "antiSymmetric", "asymmetric": "aSymmetric", "transitive": "transitive", "left_total": "leftTotal",
    "right_total": "rightTotal", "connex": "connex", "euclidean": "Euclidean", "serial": "serial", "equivalence": "equivalence",
    "partial_order": "partialOrder", "linear_order": "linearOrder", "weak_order": "weakOrder", "pre_order": "preOrder",
    "strict_partial_order": "strictPartialOrder", "regular": "regular", "part_size": "partSize", "min_part_size": "minPartSize",
    "max_part_size": "maxPartSize", "num_parts": "numParts", "min_num_parts": "minNumParts", "max_num_parts": "maxNumParts",
    "num_moved": "numMoved", "min_num_moved": "minNumMoved", "max_num_moved": "maxNumMoved",
}  # fmt: skip

#: A domain, or a value that stands for one: a tuple of domains, `bool`, `int`, or an `Enum` class.
DomainLike = Union["Domain", t.Tuple[Any, ...], type]

#: An attribute: a Boolean or a number.
Attribute = Any


class Domain:
    """A set of values. A generator over a domain is a quantifier of the model.

    >>> import conjure_like as cl
    >>> print(cl.Set(cl.Int(1, 9), size=2))
    set (size 2) of int(1..9)
    >>> print(cl.all(i * i < 100 for i in cl.Int(1, 9)))
    forAll i : int(1..9) . i * i < 100
    """

    def __init__(
        self,
        kind: str,
        parts: t.Tuple["Domain", ...] = (),
        *,
        name: str = "",
        names: t.Tuple[str, ...] = (),
        ranges: Optional[t.Tuple[t.Tuple[Any, Any], ...]] = None,
        attributes: t.Tuple[t.Tuple[str, Any], ...] = (),
        within: Any = None,
        tag: str = "",
    ):
        self.kind = kind
        self.parts = parts
        self.name = name
        self.names = names
        self.ranges = ranges
        self.attributes = attributes
        self.within = within
        #: The ranges; unlike `ranges`, these are known for a named domain, too.
        self.bounds = ranges
        self.tag = tag

    # ---- as a domain of the model

    def __iter__(self) -> Iterator["Expr"]:
        from .comprehensions import ranged
        from .expressions import instruction

        return ranged(self, instruction()[0])

    def _refuse_sign(self, other: Any) -> Any:
        raise ModellingError(
            f"`{self}` is a domain, and domains have no operators", "several ranges are `cl.Int(values=[(1, 3), (5, 9)])`; conditions exclude values"
        )

    __or__ = __and__ = __add__ = __sub__ = __mul__ = __ror__ = __rand__ = __radd__ = __rsub__ = __rmul__ = _refuse_sign

    def __contains__(self, value: object) -> bool:
        raise ModellingError(
            "Python tests if a value is in this domain, but the domain may depend on the data",
            "compare with the bounds, as in `(x >= 1) & (x <= n)`",
        )

    def __len__(self) -> int:
        from .expressions import spelt_domain
        from .mistakes import refuse_builtin, refuse_known

        raise refuse_known(str(self)) if self.kind == "enum" and self.names else refuse_builtin("len", spelt_domain(self))

    def __index__(self) -> int:
        raise ModellingError(f"`{self}` is a domain, not a number", f"range over it, as in `… for i in {self.name or 'D'}`; its number of values is `{self.name or 'D'}.size`")

    def __bool__(self) -> bool:
        # Without this method, `if domain` would call `__len__`, which refuses.
        return True

    def __getitem__(self, member: str) -> "Expr":
        """Returns the member of an enumerated type with this name."""
        from .expressions import Name

        if self.kind != "enum":
            raise ModellingError(
                f"`{self}` has no members with names", 'range over a domain, as in `… for i in D`; a list of values is a `m.letting("c", [5, 7, 9])`'
            )
        if self.names and member not in self.names:
            raise _unknown_member(member, self)
        return Name(member, self)

    def __getattr__(self, member: str) -> "Expr":
        if member.startswith("_") or self.__dict__.get("kind") != "enum":
            raise AttributeError(member)
        return self[member]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *(n for n in self.names if n.isidentifier() and self.kind == "enum")]

    def between(self, first: Any = None, last: Any = None, *ranges: t.Tuple[Any, Any]) -> "Domain":
        """Returns the domain of the members from `first` to `last` of an enumerated type; pairs are several ranges.

        >>> import conjure_like as cl
        >>> day = cl.Builder().enum("day", ["Mo", "Tu", "We"])
        >>> print(day.between("Tu"), day.between(("Mo", "Mo"), ("We", None)))
        day(Tu..) day(Mo, We..)
        """
        if self.kind != "enum":
            raise ModellingError(f"`{self}` is not an enumerated type", "write the bounds in `cl.Int(…, …)`")
        listed = ((first, last), *ranges) if not isinstance(first, tuple) else (first, *([last] if last else []), *ranges)
        for low, high in listed:
            at = [self.names.index(name) for name in map(self._member_name, (low, high)) if name is not None]
            if len(at) == 2 and at[0] > at[1]:
                raise ModellingError(f"no member of `{self}` is between these two", f"write the earlier one first, as in `{self}.between({high!r}, {low!r})`")
        return Domain("enum", name=self.name, names=self.names, ranges=listed)

    def _member_name(self, end: Any) -> Optional[str]:
        """Returns the name of a member, or `None` for expressions and for types whose members come with the data.
        Refuses unknown names.
        """
        from .expressions import Name

        is_member = isinstance(end, PythonEnum) or isinstance(end, Name) and end.owner is None
        name = end.name if is_member else end
        if not isinstance(name, str) or not self.names:
            return None
        if name not in self.names:
            raise _unknown_member(name, self)
        return name

    @property
    def size(self) -> "Expr":
        """The number of values of the domain, as an expression.

        >>> import conjure_like as cl
        >>> print(cl.Int(1, 9).size)
        |`int(1..9)`|
        """
        from .functions import size

        return size(self)

    def uses(self, kind: str) -> bool:
        """Returns true if this domain or a part of it is of this kind.

    >>> import conjure_like as cl
    >>> cl.Set((cl.Int(1, 9), cl.Bool)).uses("bool")
    True
    """
        return self.kind == kind or any(p.uses(kind) for p in self.parts)

    def without_bounds(self) -> "Domain":
        """Returns the type of the values, without bounds and attributes.

    >>> import conjure_like as cl
    >>> print(cl.Set(cl.Int(1, 9), size=3).without_bounds())
    set of int
    """
        if not self.parts and self.kind != "int":
            return self
        return Domain(
            self.kind, tuple(p.without_bounds() for p in self.parts), name="" if self.kind == "int" else self.name, names=self.names
        )

    def _named(self, name: str) -> "Domain":
        """Returns this domain under a name."""
        named = Domain(self.kind, self.parts, name=name, names=self.names, attributes=self.attributes, tag=self.tag)
        named.bounds = self.bounds
        return named

    # ---- as text

    def __str__(self) -> str:
        from .expressions import Lenient

        return self._text(Lenient())

    def __repr__(self) -> str:
        return f"<Domain: {self}>"

    def _text(self, w: "Writer") -> str:
        """Returns the domain as Essence."""
        if self.name:
            return written_name(self.name) + self._written_ranges(w)
        parts = [p._text(w) for p in self.parts]
        attributes = self._written_attributes(w)
        if self.kind == "int":
            word = f"int:{self.tag}" if self.tag else "int"
            return word + self._written_ranges(w)
        if self.kind == "tuple":
            return f"({', '.join(parts)})" if len(parts) > 1 else f"tuple ({', '.join(parts)})"
        if self.kind in ("record", "variant"):
            return f"{self.kind} {{{', '.join(f'{written_name(n)} : {p}' for n, p in zip(self.names, parts))}}}"
        if self.kind == "matrix":
            return f"matrix indexed by [{', '.join(parts[:-1])}] of {parts[-1]}"
        if self.kind == "function":
            return f"function {attributes}{parts[0]} --> {parts[1]}"
        if self.kind == "relation":
            return f"relation {attributes}of ({' * '.join(parts)})"
        if self.kind == "partition":
            return f"partition {attributes}from {parts[0]}"
        if self.kind in ("set", "mset", "sequence", "permutation"):
            return f"{self.kind} {attributes}of {parts[0]}"
        return self.kind

    def _written_ranges(self, w: "Writer") -> str:
        from .expressions import expression

        if self.within is not None:
            return f"({expression(self.within)._text(w)})"
        if self.ranges is None:
            return ""

        def end(value: Any) -> str:
            return "" if value is None else expression(value)._text(w)

        listed = [end(low) if _is_one(low, high) else f"{end(low)}..{end(high)}" for low, high in self.ranges]
        return f"({', '.join(listed)})"

    def _written_attributes(self, w: "Writer") -> str:
        from .expressions import expression

        listed = [word if value is True else f"{word} {expression(value)._operand(w)}" for word, value in self.attributes]
        return f"({', '.join(listed)}) " if listed else ""

    # ---- as a type

    @property
    def dimensions(self) -> "t.Tuple[t.Tuple[Domain, ...], Domain]":
        """The domains of all indices of a nested matrix or list, and the type of its elements.

    >>> import conjure_like as cl
    >>> indices, element = cl.Matrix(cl.Int(1, 2), cl.Int(1, 3), of=bool).dimensions
    >>> print(*indices, element)
    int(1..2) int(1..3) bool
    """
        indices: t.Tuple[Domain, ...] = ()
        inner = self
        while inner.kind in ("matrix", "list"):
            indices += inner.parts[:-1] if inner.kind == "matrix" else (INT,)
            inner = inner.parts[-1]
        return indices, inner

    @property
    def element(self) -> Optional["Domain"]:
        """The type of the values that a generator over this type yields, or `None` if it is unknown.

    >>> import conjure_like as cl
    >>> print(cl.Function(cl.Int(1, 9), bool).element)
    (int(1..9), bool)
    """
        if self.kind in ("set", "mset", "list"):
            return self.parts[0]
        if self.kind == "matrix":
            return self.parts[1] if len(self.parts) == 2 else Domain("matrix", self.parts[1:])
        if self.kind in ("function", "relation"):
            return Domain("tuple", self.parts)
        if self.kind == "sequence":
            return Domain("tuple", (INT, self.parts[0]))
        if self.kind == "permutation":
            return Domain("tuple", (self.parts[0], self.parts[0]))
        if self.kind == "partition":
            return Domain("set", self.parts)
        return None


INT = Domain("int")
BOOL = Domain("bool")


def _is_one(low: Any, high: Any) -> bool:
    """Returns true if a range is a single value."""
    return low is high and low is not None or (type(low) is type(high) and isinstance(low, (int, str)) and low == high)


def _unknown_member(member: str, domain: Domain) -> ModellingError:
    import difflib

    near = difflib.get_close_matches(str(member), domain.names, 1)
    return ModellingError(
        f"`{member}` is not a member of `{domain}`",
        f"did you mean `{near[0]}`?" if near else f"its members are {', '.join(domain.names)}",
    )


def domain(value: DomainLike) -> Domain:
    """Returns the domain for a value that stands for one."""
    if isinstance(value, Domain):
        return value
    if isinstance(value, tuple):
        return Domain("tuple", tuple(domain(v) for v in value))
    if value is bool:
        return BOOL
    if value is int:
        return Domain("int")
    if isinstance(value, type) and issubclass(value, PythonEnum):
        return Domain("enum", name=value.__name__, names=tuple(value.__members__))
    if isinstance(value, range):
        raise ModellingError("`range` is not a domain", _range_help(value))
    from .expressions import Expr

    if isinstance(value, Expr):
        raise ModellingError(
            f"`{value}` is an expression, not a domain", "write a domain such as `cl.Int(1, n)`, or `cl.Int(values=s)` for its members"
        )
    if isinstance(value, str):
        raise ModellingError(f"{value!r} is a text, not a domain", f"write a domain such as `cl.Int(1, 9)`, or `cl.Set(cl.Int(1, 9))`")
    if value is str:
        raise ModellingError(
            "a model has no texts, and its names belong to a type", 'declare them, as in `colour = m.enum("colour", ["red", "green"])`'
        )
    if isinstance(value, list) and any(isinstance(v, (Domain, type)) for v in value):
        raise ModellingError("a list is not a domain", "write a tuple of domains, as in `(cl.Int(1, 3), bool)`, or `cl.Sequence(cl.Int(1, 3))`")
    if isinstance(value, (list, set, frozenset)):
        raise ModellingError(
            f"`{value!r}` is not a domain", 'declare names with `m.enum("colour", ["red", "green"])`, numbers with `cl.Int(values=[1, 3])`'
        )
    raise ModellingError(f"`{value!r}` is not a domain", "write a domain such as `cl.Int(1, 9)`, `cl.Bool` or `cl.Set(cl.Int(1, 9))`")


def _range_help(value: range) -> str:
    if value.step == 1:
        return f"write `cl.Int({value.start}, {value.stop - 1})`: the last value is included"
    return f"write `cl.Int(values={value!r})`"


def _attributes(given: Dict[str, Attribute]) -> t.Tuple[t.Tuple[str, Any], ...]:
    found = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        if value is True and name in _WITH_NUMBER:
            raise ModellingError(f"`{name}` needs a number", f"write `{name}=2`")
        if value is not True and name not in _WITH_NUMBER:
            raise ModellingError(f"`{name}` is `True` or `False`, not {value!r}")
        found.append((ATTRIBUTES[name], value))
    return tuple(found)


_WITH_NUMBER = {n for n in ATTRIBUTES if n == "size" or n.startswith(("min_", "max_", "part_size", "num_"))}

Bool = BOOL


@checked
def Int(low: Any = None, high: Any = None, *, values: Any = None, tag: str = "") -> Domain:
    """The integers from `low` to `high`, both included; `None` leaves an end open, for parameters.

    `values` is a list of values and ranges, or a set of the model.

    >>> import conjure_like as cl
    >>> print(cl.Int(1, 9), cl.Int(), cl.Int(0, None), cl.Int(values=[1, 3, (5, 9)]))
    int(1..9) int int(0..) int(1, 3, 5..9)
    """
    if values is not None:
        if low is not None or high is not None:
            raise ModellingError("give bounds or values, not both")
        from .expressions import Expr

        if isinstance(values, Expr):
            return Domain("int", within=values, tag=tag)
        listed = values if isinstance(values, range) else list(values)
        return Domain("int", ranges=tuple(v if isinstance(v, tuple) else (v, v) for v in listed), tag=tag)
    for bound in (low, high):
        _refuse_bound(bound)
    if low is None and high is None:
        return Domain("int", tag=tag)
    return Domain("int", ranges=((low, high),), tag=tag)


def _refuse_bound(bound: Any) -> None:
    if isinstance(bound, str):
        number = bound.lstrip("-").isdigit()
        raise ModellingError(
            f"{bound!r} is a text, not a bound", f"write `{bound}` without quotation marks" if number else "members of a type: `t.between(…)`"
        )
    if isinstance(bound, float):
        raise ModellingError(f"{bound!r} is not an integer", "all numbers in a model are integers; count in smaller units")
    if isinstance(bound, (range, list, set, frozenset)):
        raise ModellingError(f"{bound!r} is not a bound", "write `cl.Int(values=…)` for single values")
    if isinstance(bound, Domain):
        raise ModellingError(f"`{bound}` is a domain, not a bound", f"write `{bound}` alone, or its largest value `cl.max({bound})`")


@checked
def Matrix(*indices: DomainLike, of: DomainLike) -> Domain:
    """Matrices with an element for each index; several domains of indices make several dimensions.

    >>> import conjure_like as cl
    >>> print(cl.Matrix(cl.Int(1, 2), cl.Bool, of=cl.Int(0, 9)))
    matrix indexed by [int(1..2), bool] of int(0..9)
    """
    if not indices:
        raise ModellingError("a matrix needs the domain of its indices", "write `cl.Matrix(Int(1, n), of=…)`")
    for index in indices:
        if isinstance(index, int):
            raise ModellingError(
                f"{index} is not the domain of indices", f"write `cl.Int(1, {index})`, or `cl.Int(0, {index - 1})` to count from 0"
            )
    return Domain("matrix", (*map(domain, indices), domain(of)))


@checked
def Set(of: DomainLike, *, size: Attribute = None, min_size: Attribute = None, max_size: Attribute = None) -> Domain:
    """Sets of values of a domain.

    >>> import conjure_like as cl
    >>> print(cl.Set(cl.Int(1, 9), max_size=3))
    set (maxSize 3) of int(1..9)
    """
    return Domain("set", (domain(of),), attributes=_attributes({"size": size, "min_size": min_size, "max_size": max_size}))


@checked
def MSet(
    of: DomainLike, *, size: Attribute = None, min_size: Attribute = None, max_size: Attribute = None, min_occur: Attribute = None,
    max_occur: Attribute = None,
) -> Domain:  # fmt: skip
    """Multisets, in which a value can occur more than once.

    >>> import conjure_like as cl
    >>> print(cl.MSet(cl.Int(1, 9), size=4, max_occur=2))
    mset (size 4, maxOccur 2) of int(1..9)
    """
    given = {"size": size, "min_size": min_size, "max_size": max_size, "min_occur": min_occur, "max_occur": max_occur}
    return Domain("mset", (domain(of),), attributes=_attributes(given))


@checked
def Function(
    argument: DomainLike, image: DomainLike, *, total: bool = False, injective: bool = False, surjective: bool = False,
    bijective: bool = False, size: Attribute = None, min_size: Attribute = None, max_size: Attribute = None,
) -> Domain:  # fmt: skip
    """Functions, which may be partial unless `total` is true.

    >>> import conjure_like as cl
    >>> print(cl.Function((cl.Int(1, 3), cl.Int(1, 3)), cl.Bool, total=True))
    function (total) (int(1..3), int(1..3)) --> bool
    """
    given = {"size": size, "min_size": min_size, "max_size": max_size, "total": total, "injective": injective, "surjective": surjective}
    return Domain("function", (domain(argument), domain(image)), attributes=_attributes({**given, "bijective": bijective}))


@checked
def Sequence(
    of: DomainLike, *, size: Attribute = None, min_size: Attribute = None, max_size: Attribute = None, injective: bool = False,
    surjective: bool = False, bijective: bool = False,
) -> Domain:  # fmt: skip
    """Sequences of varying length; positions count from 1.

    >>> import conjure_like as cl
    >>> print(cl.Sequence(cl.Bool, max_size=3))
    sequence (maxSize 3) of bool
    """
    given = {"size": size, "min_size": min_size, "max_size": max_size, "injective": injective, "surjective": surjective}
    return Domain("sequence", (domain(of),), attributes=_attributes({**given, "bijective": bijective}))


@checked
def Relation(
    *columns: DomainLike, size: Attribute = None, min_size: Attribute = None, max_size: Attribute = None, reflexive: bool = False,
    irreflexive: bool = False, coreflexive: bool = False, symmetric: bool = False, antisymmetric: bool = False, asymmetric: bool = False,
    transitive: bool = False, total: bool = False, left_total: bool = False, right_total: bool = False, connex: bool = False,
    euclidean: bool = False, serial: bool = False, equivalence: bool = False, partial_order: bool = False, linear_order: bool = False,
    weak_order: bool = False, pre_order: bool = False, strict_partial_order: bool = False,
) -> Domain:  # fmt: skip
    """Relations: sets of tuples, with a domain for each column.

    >>> import conjure_like as cl
    >>> print(cl.Relation(cl.Int(1, 3), cl.Int(1, 3), symmetric=True))
    relation (symmetric) of (int(1..3) * int(1..3))
    """
    given = {k: v for k, v in locals().items() if k in ATTRIBUTES}
    return Domain("relation", tuple(map(domain, columns)), attributes=_attributes(given))


@checked
def Partition(
    of: DomainLike, *, num_parts: Attribute = None, min_num_parts: Attribute = None, max_num_parts: Attribute = None,
    part_size: Attribute = None, min_part_size: Attribute = None, max_part_size: Attribute = None, regular: bool = False,
) -> Domain:  # fmt: skip
    """Partitions of values of a domain into parts.

    >>> import conjure_like as cl
    >>> print(cl.Partition(cl.Int(1, 6), num_parts=2, regular=True))
    partition (numParts 2, regular) from int(1..6)
    """
    given = {k: v for k, v in locals().items() if k in ATTRIBUTES}
    return Domain("partition", (domain(of),), attributes=_attributes(given))


@checked
def Permutation(of: DomainLike, *, num_moved: Attribute = None, min_num_moved: Attribute = None, max_num_moved: Attribute = None) -> Domain:
    """Permutations of the values of a domain.

    >>> import conjure_like as cl
    >>> print(cl.Permutation(cl.Int(1, 6), num_moved=2))
    permutation (numMoved 2) of int(1..6)
    """
    given = {"num_moved": num_moved, "min_num_moved": min_num_moved, "max_num_moved": max_num_moved}
    return Domain("permutation", (domain(of),), attributes=_attributes(given))


@checked
def Tuple(*components: DomainLike) -> Domain:
    """Tuples. You can write `(a, b)` for `Tuple(a, b)` in other domains.

    >>> import conjure_like as cl
    >>> print(cl.Tuple(cl.Bool), cl.Set((cl.Bool, cl.Int(1, 2))))
    tuple (bool) set of (bool, int(1..2))
    """
    return Domain("tuple", tuple(map(domain, components)))


@checked
def Record(**fields: DomainLike) -> Domain:
    """Records, whose components have names: `r["row"]` is a component.

    >>> import conjure_like as cl
    >>> print(cl.Record(row=cl.Int(1, 3), column=cl.Int(1, 3)))
    record {row : int(1..3), column : int(1..3)}
    """
    return Domain("record", tuple(map(domain, fields.values())), names=tuple(fields))


@checked
def Variant(**alternatives: DomainLike) -> Domain:
    """Variants, whose values belong to one of several alternatives.

    >>> import conjure_like as cl
    >>> print(cl.Variant(whole=cl.Int(1, 3), truth=cl.Bool))
    variant {whole : int(1..3), truth : bool}
    """
    return Domain("variant", tuple(map(domain, alternatives.values())), names=tuple(alternatives))


def of_declaration(found: declared.Domain) -> Domain:
    """Returns the domain of a declaration that the program has read."""
    ranges = None
    if found.limits:
        ranges = tuple((_bound(low), _bound(high)) for low, high in found.limits)
    name = found.name if found.kind in ("enum", "unnamed", "type") else ""
    return Domain(found.kind, tuple(of_declaration(p) for p in found.parts), name=name, names=found.names, ranges=ranges)


def _bound(text: str) -> Any:
    from .expressions import Text

    if not text:
        return None
    return int(text) if text.lstrip("-").isdigit() else Text(text)


def of_enum(members: Any) -> t.Tuple[str, ...]:
    """Returns the names of the members of an enumerated type, from texts, an `Enum` class or a pandas column."""
    if isinstance(members, type) and issubclass(members, PythonEnum):
        # Iterating over the class leaves out aliases of members.
        return tuple(member.name for member in members)
    if isinstance(members, str):
        raise ModellingError(f"{members!r} is one text, not a list of names", f"write `{members.split()!r}`")
    # The values of a pandas column repeat, but a type has each member once.
    column: Any = members
    listed = column.unique().tolist() if hasattr(column, "unique") else list(column)
    return tuple(str(m.name if isinstance(m, PythonEnum) else m) for m in listed)

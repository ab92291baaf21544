"""Expressions: immutable trees that Python's operators build, and that are printed as Essence."""

import opcode
import re
import sys
from typing import TYPE_CHECKING, Any, Callable, Container, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from .domains import BOOL, INT, Domain
from .mistakes import (
    ModellingError, checked, index_word, is_dropped, outside_frame, refuse_builtin, refuse_hash, refuse_lookup, refuse_members, refuse_numpy,
    refuse_text, refuse_unused,
)  # fmt: skip
from .printing import ATOM, INFIX, OPEN, PREFIX, RESERVED, is_plain, written_name

#: The kinds on which Python's operators `&`, `|` and comparisons are set operators.
SETS = ("set", "mset", "function", "relation")


class Writer:
    """The names of quantified names while an expression is printed."""

    #: `is_exact` distinguishes quantified names before they have names; `is_python` prints operators as in Python.
    is_exact = is_python = False

    #: The model whose text is printed, if any.
    owner: Optional[object] = None

    def __init__(self, taken: Container[str] = ()):
        self._names: Dict[int, str] = {}
        #: The names that enclosing quantifiers have bound.
        self._used: Set[str] = set()
        self._taken = taken
        self._read: Set[int] = set()

    def name(self, variable: "Quantified") -> str:
        """Returns the name of a quantified name, which an enclosing quantifier must have bound."""
        found = self._names.get(id(variable))
        if found is None:
            raise ModellingError(
                f"`{variable.wanted or 'a name'}` ranges over values in a generator, and is used outside of it",
                "use it only inside of the generator that introduces it",
            )
        self._read.add(id(variable))
        return found

    def bind(self, variable: "Quantified") -> str:
        """Chooses a name that is free here."""
        wanted = variable.wanted.strip("_") or _default_name(variable)
        if wanted in RESERVED or not is_plain(wanted):
            wanted += "_"
        name, number = wanted, 1
        while name in self._used or name in self._taken:
            number += 1
            name = f"{wanted}{number}"
        self._used.add(name)
        self._names[id(variable)] = name
        return name

    def release(self, variables: Sequence["Quantified"]) -> None:
        """Frees names at the end of the quantifier that binds them."""
        for variable in variables:
            self._used.discard(self._names.pop(id(variable)))

    def member(self, name: str) -> str:
        """Returns the text for a member of an enumerated type."""
        return written_name(name)

    def is_read(self, variable: "Quantified") -> bool:
        """Returns true if the name has been printed since it was bound."""
        return id(variable) in self._read


def _default_name(variable: "Quantified") -> str:
    kind = variable.type.kind if variable.type else ""
    return {"int": "i", "bool": "b", "set": "s", "tuple": "t"}.get(kind, "x")


class Expr:
    """A part of a model whose value is known when the model is solved.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> x, y = m.find("x", cl.Int(1, 9)), m.find("y", cl.Int(1, 9))
    >>> print((x + y) * 2 <= 12, (x == 1) | (y > 2), ~(x < y), sep="; ")
    (x + y) * 2 <= 12; x = 1 \\/ y > 2; !(x < y)
    """

    __slots__ = ("type",)

    #: Makes NumPy leave operators to this class.
    __array_ufunc__ = None

    #: The precedence of the printed expression.
    tightness = ATOM

    def __init__(self, type: Optional[Domain] = None):
        self.type = type

    def _text(self, w: Writer) -> str:
        raise NotImplementedError

    def _operand(self, w: Writer, tightness: int = ATOM) -> str:
        text = self._text(w)
        return text if self.tightness >= tightness else f"({text})"

    @property
    def _kind(self) -> str:
        return self.type.kind if self.type and self.type.kind != "any" else ""

    def __str__(self) -> str:
        from .comprehensions import is_read

        # `f"{i}"` in a generator would be the same text for all values of the quantified name.
        if is_read(sys._getframe(1)):
            refuse_text(spelt(self))
        return self._text(Lenient())

    def __repr__(self) -> str:
        return f"<Expr: {self}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _ipython_key_completions_(self) -> List[str]:
        """The components that Jupyter completes after `record[`."""
        return list(self.type.names) if self.type is not None and self._kind in ("record", "variant") else []

    def __hash__(self) -> int:
        raise refuse_hash(spelt(self))

    # ---- arithmetic

    def __add__(self, other: Any) -> "Expr":
        return _arithmetic("+", self, other)

    def __radd__(self, other: Any) -> "Expr":
        if type(other) is int and other == 0:
            # Python's `sum` starts with 0.
            return self
        return _arithmetic("+", other, self)

    def __sub__(self, other: Any) -> "Expr":
        return _arithmetic("-", self, other)

    def __rsub__(self, other: Any) -> "Expr":
        return _arithmetic("-", other, self)

    def __mul__(self, other: Any) -> "Expr":
        return _arithmetic("*", self, other)

    def __rmul__(self, other: Any) -> "Expr":
        return _arithmetic("*", other, self)

    def __floordiv__(self, other: Any) -> "Expr":
        return _arithmetic("/", self, other)

    def __rfloordiv__(self, other: Any) -> "Expr":
        return _arithmetic("/", other, self)

    def __mod__(self, other: Any) -> "Expr":
        return _arithmetic("%", self, other)

    def __rmod__(self, other: Any) -> "Expr":
        return _arithmetic("%", other, self)

    def __pow__(self, other: Any, modulus: Any = None) -> "Expr":
        power = _arithmetic("**", self, other)
        if modulus is not None:
            raise ModellingError("`pow` takes two arguments in a model", f"write `{spelt(power)} % {spelt(modulus)}`")
        return power

    def __rpow__(self, other: Any) -> "Expr":
        return _arithmetic("**", other, self)

    def __neg__(self) -> "Expr":
        _refuse_whole("-", self)
        if self._kind == "bool":
            raise ModellingError(f"`-` takes numbers, but `{spelt(self)}` is true or false", f"write `~{spelt(self)}` for the opposite")
        return Prefix("-", self, INT)

    def __pos__(self) -> "Expr":
        return self

    def __abs__(self) -> "Expr":
        _refuse_whole("abs", self)
        if self._kind not in ("int", ""):
            raise ModellingError(
                f"`abs` takes numbers, but `{spelt(self)}` is {_said(self)}", f"write `cl.size({spelt(self)})` for its number of members"
            )
        return Bars(self)

    def __truediv__(self, other: Any) -> "Expr":
        raise ModellingError(
            "`/` divides without rounding in Python, and all numbers in a model are integers",
            f"write `{spelt(self)} // {spelt(other)}`, which rounds down, or multiply the other side",
        )

    def __rtruediv__(self, other: Any) -> "Expr":
        raise ModellingError(
            "`/` divides without rounding in Python, and all numbers in a model are integers",
            f"write `{spelt(other)} // {spelt(self)}`, which rounds down, or multiply the other side",
        )

    def __matmul__(self, other: Any) -> "Expr":
        raise ModellingError("a model has no matrix product", "write a sum of products, as in `cl.sum(a[i] * b[i] for i in D)`")

    __rmatmul__ = __matmul__

    def __divmod__(self, other: Any) -> "Expr":
        raise ModellingError("`divmod` has two results, but an expression has one value", "write `x // y` and `x % y`")

    def __round__(self, digits: Any = None) -> "Expr":
        raise ModellingError(
            "all numbers in a model are integers, so there is nothing to round", f"leave out `round`: write `{spelt(self)}`"
        )

    # ---- comparison

    def __eq__(self, other: Any) -> "Expr":  # type: ignore[override]
        return _used(_equation("=", self, other))

    def __ne__(self, other: Any) -> "Expr":  # type: ignore[override]
        return _used(_equation("!=", self, other))

    def __lt__(self, other: Any) -> "Expr":
        return _used(_comparison("<", "subset", self, other))

    def __le__(self, other: Any) -> "Expr":
        return _used(_comparison("<=", "subsetEq", self, other))

    def __gt__(self, other: Any) -> "Expr":
        return _used(_comparison(">", "supset", self, other))

    def __ge__(self, other: Any) -> "Expr":
        return _used(_comparison(">=", "supsetEq", self, other))

    # ---- logic and sets

    def __and__(self, other: Any) -> "Expr":
        return _used(_logic("/\\", "intersect", "&", self, other))

    def __rand__(self, other: Any) -> "Expr":
        return _logic("/\\", "intersect", "&", other, self)

    def __or__(self, other: Any) -> "Expr":
        return _used(_logic("\\/", "union", "|", self, other))

    def __ror__(self, other: Any) -> "Expr":
        return _logic("\\/", "union", "|", other, self)

    def __xor__(self, other: Any) -> "Expr":
        if _has_kind(self, SETS) or _has_kind(other, SETS):
            raise ModellingError("`^` of two sets has no operator in a model", "write `(a - b) | (b - a)`")
        return _used(_checked_logic("^", self, other, lambda a, b: Infix("!=", a, b, BOOL)))

    __rxor__ = __xor__

    def __invert__(self) -> "Expr":
        _refuse_whole("~", self)
        if self._kind == "permutation":
            raise ModellingError(
                f"`~` negates a condition, but `{spelt(self)}` is a permutation", f"write `cl.permutation_inverse({spelt(self)})` for its inverse"
            )
        if self._kind in SETS:
            raise ModellingError(
                f"`~` negates a condition, but `{spelt(self)}` is {_said(self)}", f"write `cl.size({spelt(self)}) == 0` if it should be empty"
            )
        if _is_number(self):
            raise ModellingError(
                f"`~` negates a condition, but `{spelt(self)}` is a number", f"write `-{spelt(self)}` for the number with the other sign"
            )
        return _used(Prefix("!", self, BOOL))

    @checked
    def implies(self, other: Any) -> "Expr":
        """True unless this condition holds and the other one does not.

        >>> import conjure_like as cl
        >>> x = cl.Builder().find("x", cl.Int(1, 9))
        >>> print((x > 3).implies(x % 2 == 0))
        x > 3 -> x % 2 = 0
        """
        return _checked_logic("implies", self, other, lambda a, b: Infix("->", a, b, BOOL))

    @checked
    def iff(self, other: Any) -> "Expr":
        """True if both conditions hold or neither does.

        >>> import conjure_like as cl
        >>> x = cl.Builder().find("x", cl.Int(1, 9))
        >>> print((x > 3).iff(x % 2 == 0))
        x > 3 <-> x % 2 = 0
        """
        return _checked_logic("iff", self, other, lambda a, b: Infix("<->", a, b, BOOL))

    def __rshift__(self, other: Any) -> "Expr":
        raise ModellingError("`>>` shifts bits in Python", f"write `({spelt(self)}).implies(…)`")

    def __lshift__(self, other: Any) -> "Expr":
        raise ModellingError("`<<` shifts bits in Python", f"write `{spelt(self)} * 2 ** {spelt(other)}`")

    __rrshift__ = __rlshift__ = __rshift__

    # ---- parts

    def __getitem__(self, index: Any) -> "Expr":
        return _indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        indices = ", ".join(map(spelt, index if isinstance(index, tuple) else (index,)))
        raise ModellingError("a model has no assignments", f"write `m.require({spelt(self)}[{indices}] == {spelt(value)})`")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            from .elsewhere import unknown_attribute

            raise unknown_attribute(self, name, spelt(self))

    def __call__(self, *arguments: Any) -> "Expr":
        return _applied(self, arguments)

    def __iter__(self) -> Iterator["Expr"]:
        from .comprehensions import ranged

        word, count = instruction()
        if word in ("UNPACK_SEQUENCE", "UNPACK_EX"):
            if word == "UNPACK_EX":
                raise ModellingError("`*` unpacks a value that is known only when the model is solved", "name each component")
            # `a, b = t` compiles to an instruction that has the number of names, so the components can be made.
            return iter(unpacked(self, count))
        # `[*t]` and `tuple(t)` iterate over a tuple without a `for`; its size is known from its type.
        if self._kind == "tuple" and word != "GET_ITER":
            return iter(unpacked(self, len(self.type.parts if self.type else ())))
        if self._kind in ("int", "bool", "enum", "unnamed", "record", "variant"):
            raise ModellingError(f"`{spelt(self)}` has no members: it is of type `{self.type}`", _no_members(self))
        return ranged(self, word)

    # ---- operations that Python would silently do wrong

    def __bool__(self) -> bool:
        from .comprehensions import decided

        return decided(self)

    def __contains__(self, value: object) -> bool:
        from .comprehensions import decided
        from .functions import member

        return decided(member(value, self))

    def __len__(self) -> int:
        raise refuse_builtin("len", spelt(self))

    def __int__(self) -> int:
        raise refuse_builtin("int", spelt(self))

    def __float__(self) -> float:
        raise refuse_builtin("float", spelt(self))

    def __index__(self) -> int:
        raise refuse_builtin(index_word(outside_frame()), spelt(self))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Returns a NumPy array that holds this object, but refuses an expression as a position in an array."""
        import numpy

        word, _ = instruction()
        if word in ("BINARY_SUBSCR", "BINARY_OP"):
            raise refuse_builtin("index", spelt(self))
        array = numpy.empty((), dtype=object)
        array[()] = self
        return array

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        """Refuses a NumPy function, which needs values."""
        raise refuse_numpy(function.__name__, spelt(self))

    def __reversed__(self) -> Iterator["Expr"]:
        raise refuse_members(spelt(self))

    def __format__(self, how: str) -> str:
        return format(str(self), how)


def _no_members(e: Expr) -> str:
    if e._kind == "int":
        return f"to range over the numbers up to it, write `cl.Int(1, {spelt(e)})`"
    return "range over a set, a matrix or a domain"


class Lenient(Writer):
    """A writer that prints unbound quantified names as the Python program names them."""

    def name(self, variable: "Quantified") -> str:
        self._read.add(id(variable))
        return self._names.get(id(variable)) or variable.wanted or _default_name(variable)


def instruction() -> Tuple[str, int]:
    """Returns the Python instruction that has called the caller, and its argument."""
    frame = sys._getframe(2)
    code, at = frame.f_code.co_code, frame.f_lasti
    return opcode.opname[code[at]], code[at + 1]


#: The operators of the model that Python spells differently.
_PYTHON = {
    "=": "==", "/\\": "&", "\\/": "|", "/": "//", "union": "|", "intersect": "&", "subset": "<", "subsetEq": "<=", "supset": ">", "supsetEq": ">=",
}  # fmt: skip


class _Spelling(Lenient):
    """A writer that prints expressions as Python spells them, for messages."""

    is_python = True


def spelt(value: Any) -> str:
    """Returns a value as Python spells it; a long text is cut."""
    from .comprehensions import name_variables

    name_variables()
    text = value._text(_Spelling()) if isinstance(value, Expr) else repr(value)
    return text if len(text) <= 200 else f"{text[:199]}…"


# ---- nodes


class Name(Expr):
    """A name of the model: a parameter, a decision variable, a `letting`, or a member of a type."""

    __slots__ = ("name", "owner")

    def __init__(self, name: str, type: Optional[Domain], owner: Optional[object] = None):
        self.name = name
        self.type = type
        #: The model that declares the name.
        self.owner = owner

    def _text(self, w: Writer) -> str:
        if self.owner is not None and w.owner is not None and self.owner is not w.owner:
            raise ModellingError(
                f"`{self.name}` belongs to another model", f"an expression is a part of one model only: declare it in this model, too; in a copy of a model, write `m.find[{self.name!r}]`"
            )
        return written_name(self.name)


class Text(Expr):
    """Essence text that is printed as it is."""

    __slots__ = ("text", "_tightness")

    def __init__(self, text: str, type: Optional[Domain] = None, tightness: int = ATOM):
        self.text = text
        self.type = type
        self._tightness = tightness

    @property
    def tightness(self) -> int:  # type: ignore[override]
        return self._tightness

    def _text(self, w: Writer) -> str:
        return {"true": "True", "false": "False"}.get(self.text, self.text) if w.is_python else self.text


class Quantified(Expr):
    """A name that is quantified over the values of a domain or the members of a collection, or a component of such a
    value with a name.
    """

    __slots__ = ("wanted", "parts", "brackets", "owner", "source")

    def __init__(self, type: Optional[Domain], owner: Optional["Component"] = None, source: Optional[Expr] = None):
        self.type = type
        #: The function or sequence whose pairs the name stands for.
        self.source = source
        #: The name of the Python variable, or empty if the program does not keep it.
        self.wanted = ""
        #: The components if the value has been unpacked, and the brackets of the pattern.
        self.parts: Tuple["Component", ...] = ()
        self.brackets = "()"
        #: The component of an unpacked tuple that this name stands for.
        self.owner = owner

    @property
    def is_apart(self) -> bool:
        """True if the components have names but the whole has none."""
        # In `for t in r if t[0] < t[1]`, the whole has a name `t`; in `for a, b in r`, only the parts have.
        return bool(self.parts) and not self.wanted and (self.owner is None or self.owner.whole.is_apart)

    def _text(self, w: Writer) -> str:
        # Names are chosen when the whole generator has been read; until then, the identity distinguishes quantified
        # names.
        if w.is_exact:
            return f"#{id(self)}"
        if self.is_apart:
            parts = [p._text(w) for p in self.parts]
            return f"({', '.join(parts)})" if len(parts) > 1 else f"tuple ({parts[0]})"
        return self.owner._text(w) if self.owner is not None and not self.owner.whole.is_apart else w.name(self)

    def variables(self) -> Iterator["Quantified"]:
        """Yields the names that the pattern binds."""
        if not self.is_apart:
            yield self
        for part in self.parts if self.is_apart else ():
            yield from part.quantified.variables()

    def pattern(self, w: Writer) -> str:
        """Returns the name, or the pattern of the names of the components. The body must have been printed before."""
        if not self.is_apart:
            # Names that the body does not use are `_` in the pattern, as a person would write them.
            return w.name(self) if w.is_read(self) else "_"
        parts = ", ".join([p.quantified.pattern(w) for p in self.parts])
        begin = "tuple (" if self.brackets == "()" and len(self.parts) == 1 else self.brackets[0]
        return f"{begin}{parts}{self.brackets[1]}"


class Component(Expr):
    """A component of a quantified tuple: a name if the tuple has been unpacked, otherwise `t[1]`."""

    __slots__ = ("whole", "number", "quantified")

    def __init__(self, whole: Quantified, number: int, type: Optional[Domain]):
        self.whole = whole
        self.number = number
        self.type = type
        self.quantified = Quantified(type, self)

    def _text(self, w: Writer) -> str:
        if w.is_exact or self.whole.is_apart:
            return self.quantified._text(w)
        return f"{self.whole._text(w)}[{self.number}]"


class Prefix(Expr):
    """A prefix operator with its operand."""

    __slots__ = ("sign", "inner")
    tightness = PREFIX

    def __init__(self, sign: str, inner: Expr, type: Domain):
        self.sign = sign
        self.inner = inner
        self.type = type

    def _text(self, w: Writer) -> str:
        sign = "~" if w.is_python and self.sign == "!" else self.sign
        return sign + self.inner._operand(w, PREFIX)


class Infix(Expr):
    """An infix operator with its operands."""

    __slots__ = ("word", "left", "right")

    def __init__(self, word: str, left: Expr, right: Expr, type: Optional[Domain]):
        self.word = word
        self.left = left
        self.right = right
        self.type = type

    @property
    def tightness(self) -> int:  # type: ignore[override]
        return INFIX[self.word].tightness

    def _text(self, w: Writer) -> str:
        level, side = INFIX[self.word]
        if w.is_python and (self.word in ("->", "<->", "in")):
            return f"{_CALLS[self.word]}({self.left._text(w)}, {self.right._text(w)})"
        # A loop instead of recursion: a sum of many terms is a left-deep tree, which would exceed Python's recursion
        # limit.
        row: List["Infix"] = []
        node: Expr = self
        while isinstance(node, Infix) and INFIX[node.word].tightness == level and (node is self or side == "left"):
            row.append(node)
            node = node.left
        if len(row) > LONGEST_ROW and {i.word for i in row} <= _LISTED.keys() and self._kind in ("int", "bool"):
            members = [node._text(w), *(f"-{i.right._operand(w, PREFIX)}" if i.word == "-" else i.right._text(w) for i in reversed(row))]
            return f"{_LISTED[row[0].word]}([{', '.join(members)}])"
        text = self._side(node, w, level if side == "left" else level + 1)
        for infix in reversed(row):
            sign = _PYTHON.get(infix.word, infix.word) if w.is_python else infix.word
            text += f" {sign} {infix._right(w, level, side)}"
        return text

    def _right(self, w: Writer, level: int, side: str) -> str:
        if level == 1 and self.right.tightness == OPEN:
            # A quantifier after `->` needs no parentheses, because it extends to the end anyway.
            return self.right._text(w)
        return self._side(self.right, w, level if side == "right" else level + 1)

    def _side(self, side: Expr, w: Writer, level: int) -> str:
        """Returns an operand. In Python, `&` and `|` bind tighter than comparisons, which therefore need
        parentheses.
        """
        is_loose = w.is_python and self.word in ("/\\", "\\/") and isinstance(side, Infix) and side.word not in ("/\\", "in")
        return f"({side._text(w)})" if is_loose else side._operand(w, level)


#: Longer chains of operators are printed as lists; the program refuses much longer chains.
LONGEST_ROW = 60

#: The list functions for operators. A difference is a sum in which one term is negated.
_LISTED = {"+": "sum", "-": "sum", "/\\": "and", "\\/": "or"}

#: The Python functions for operators that Python lacks.
_CALLS = {"->": "cl.implies", "<->": "cl.iff", "in": "cl.member"}


class Bars(Expr):
    """The absolute value of a number, or the size of a collection."""

    __slots__ = ("inner",)

    def __init__(self, inner: Expr):
        self.inner = inner
        self.type = INT

    def _text(self, w: Writer) -> str:
        text = self.inner._text(w)
        return f"|{text}|" if not w.is_python else f"abs({text})" if self.inner._kind == "int" else f"cl.size({text})"


class Apply(Expr):
    """A function of the language with its operands, such as `max(x, y)`."""

    __slots__ = ("word", "operands")

    def __init__(self, word: str, operands: Sequence[Expr], type: Optional[Domain] = None):
        self.word = word
        self.operands = tuple(operands)
        self.type = type

    def _text(self, w: Writer) -> str:
        name = python_name(self.word) if w.is_python else self.word
        return f"{name}({', '.join([o._text(w) for o in self.operands])})"


def python_name(word: str) -> str:
    """Returns the Python function for a word of the model."""
    return "cl." + _NAMES.get(word, re.sub(r"[A-Z]+", lambda capitals: "_" + capitals.group().lower(), word))


#: Functions whose name is not just the word in lower case.
_NAMES = {
    "allDiff": "all_different", "alldifferent_except": "all_different_except", "and": "all", "atleast": "at_least", "atmost": "at_most",
    "catchUndef": "catch_undefined", "or": "any", "permInverse": "permutation_inverse", "range": "range_of", "toMSet": "to_mset",
}  # fmt: skip


class Postfix(Expr):
    """An expression followed by indices in brackets or arguments in parentheses."""

    __slots__ = ("inner", "begin", "operands", "end")

    def __init__(self, inner: Expr, begin: str, operands: Sequence[Expr], end: str, type: Optional[Domain]):
        self.inner = inner
        self.begin = begin
        self.operands = tuple(operands)
        self.end = end
        self.type = type

    def _text(self, w: Writer) -> str:
        # `if_else` prints as a matrix indexed by `bool`: `[other, value; bool][condition]`.
        if w.is_python and isinstance(self.inner, Literal) and self.inner.indices is BOOL:
            other, value = self.inner.members
            return f"cl.if_else({self.operands[0]._text(w)}, {value._text(w)}, {other._text(w)})"
        operands = self.operands
        if w.is_python and self.begin == "(" and isinstance(operands[0], Literal) and operands[0].begin == "(":
            # In Python, a function of pairs is called with two arguments.
            operands = operands[0].members
        return f"{self.inner._operand(w)}{self.begin}{', '.join([o._text(w) for o in operands])}{self.end}"


class Literal(Expr):
    """A collection with its members between `begin` and `end`."""

    __slots__ = ("begin", "members", "end", "joint", "indices")

    def __init__(self, begin: str, members: Sequence[Expr], end: str, type: Optional[Domain], indices: Optional[Domain] = None):
        self.begin = begin
        self.members = tuple(members)
        self.end = end
        self.type = type
        self.indices = indices

    def _text(self, w: Writer) -> str:
        members = ", ".join([m._text(w) for m in self.members])
        # `mset(…)`, `sequence(…)` and the like are functions of one list in Python.
        if w.is_python and self.begin.endswith("(") and self.begin not in ("(", "tuple ("):
            return f"cl.{self.begin}[{members}])"
        if w.is_python and self.begin in ("{", "tuple ("):
            return f"({members},)" if self.begin != "{" else f"{{{members}}}" if members else "set()"
        indices = f"; {self.indices._text(w)}" if self.indices is not None and not w.is_python else ""
        return f"{self.begin}{members}{indices}{self.end}"


class Pairs(Expr):
    """The members of a function, or the fields of a record or variant."""

    __slots__ = ("begin", "pairs", "joint", "end")

    def __init__(self, begin: str, pairs: Sequence[Tuple[Expr, Expr]], joint: str, end: str, type: Optional[Domain]):
        self.begin = begin
        self.pairs = tuple(pairs)
        self.joint = joint
        self.end = end
        self.type = type

    def _text(self, w: Writer) -> str:
        if w.is_python:
            is_function = self.begin == "function("
            pairs = [f"{a._text(w)}{': ' if is_function else '='}{b._text(w)}" for a, b in self.pairs]
            return f"{{{', '.join(pairs)}}}" if is_function else f"cl.{self.begin.split()[0]}({', '.join(pairs)})"
        pairs = [f"{a._text(w)} {self.joint} {b._text(w)}" for a, b in self.pairs]
        return f"{self.begin}{', '.join(pairs)}{self.end}"


class OfDomain(Expr):
    """A domain in place of an expression."""

    __slots__ = ("domain",)

    def __init__(self, domain: Domain):
        self.domain = domain
        self.type = Domain("domain", (domain,))

    def _text(self, w: Writer) -> str:
        return spelt_domain(self.domain) if w.is_python else f"`{self.domain._text(w)}`"


class Typed(Expr):
    """An expression with a type annotation."""

    __slots__ = ("inner", "domain")

    def __init__(self, inner: Expr, domain: Domain):
        self.inner = inner
        self.domain = domain
        self.type = domain

    def _text(self, w: Writer) -> str:
        return f"({self.inner._operand(w)} : `{self.domain._text(w)}`)"


class Slice(Expr):
    """The whole or a part of a dimension of a matrix."""

    __slots__ = ("low", "high")

    def __init__(self, low: Optional[Expr] = None, high: Optional[Expr] = None):
        self.low = low
        self.high = high
        self.type = None

    def _text(self, w: Writer) -> str:
        if w.is_python and self.low is None and self.high is None:
            return ":"
        return f"{'' if self.low is None else self.low._text(w)}..{'' if self.high is None else self.high._text(w)}"


# ---- values of Python


def expression(value: Any) -> Expr:
    """Returns an expression: the value itself if it is one, or a constant."""
    return value if isinstance(value, Expr) else constant(value)


def fitted(value: Any, type: Optional[Domain]) -> Expr:
    """Returns a value as an expression of a type: a `dict` becomes a record or a variant if the type is one."""
    if isinstance(value, dict) and type is not None and type.kind in ("record", "variant"):
        from .literals import record, variant

        parts = {name: fitted(value[name], part) for name, part in zip(type.names, type.parts) if name in value}
        if len(parts) == len(value) == (len(type.parts) if type.kind == "record" else 1):
            return record(**parts) if type.kind == "record" else variant(**parts)
    made = expression(value)
    if not isinstance(value, Expr) and type is not None and type.kind not in ("variant", "record", "tuple") and type.uses("variant"):
        # The program does not infer one type from different alternatives of a variant.
        return Typed(made, type.without_bounds())
    return made


# ---- operators


def _used(condition: Expr) -> Expr:
    """Returns a condition, but refuses it as a statement, which nothing would require."""
    if is_dropped(sys._getframe(2), ""):
        raise refuse_unused(condition)
    return condition


def _has_kind(value: Any, kinds: Sequence[str]) -> bool:
    if isinstance(value, Expr):
        return value._kind in kinds
    return "set" in kinds and isinstance(value, (set, frozenset))


def _is_number(value: Any) -> bool:
    if isinstance(value, Expr):
        return value._kind == "int"
    return isinstance(value, int) and not isinstance(value, bool)


def _arithmetic(word: str, left: Any, right: Any) -> Expr:
    a, b = expression(left), expression(right)
    sign = word if word != "/" else "//"
    if a._kind in LISTS or b._kind in LISTS:
        raise _whole(sign, a, b)
    for operand in (a, b):
        if operand._kind == "bool":
            raise ModellingError(
                f"`{sign}` takes numbers, but `{spelt(operand)}` is true or false",
                f"write `cl.to_int({spelt(operand)})`, which is 1 or 0",
            )
        # People write products of permutations, as in mathematics.
        if a._kind == "permutation" and word in ("*", "**"):
            composed = f"cl.compose({spelt(a)}, {spelt(b if word == '*' else a)})"
            raise ModellingError(f"`{sign}` takes numbers, but `{spelt(a)}` is a permutation", f"write `{composed}`")
        if operand._kind in ("tuple", "record", "sequence", "partition", "permutation"):
            raise ModellingError(
                f"`{sign}` takes numbers, but `{spelt(operand)}` is {_said(operand)}",
                _of_pair(operand) or f"write a condition on its parts, as in `{_part_of(operand)} == 3`",
            )
        if operand._kind == "enum":
            raise ModellingError(
                f"`{sign}` takes numbers, but `{spelt(operand)}` is a member of `{operand.type}`",
                f"write `cl.succ({spelt(operand)})` or `cl.pred({spelt(operand)})` for its neighbours",
            )
    # `-` is the only arithmetic sign that Essence and Python share for sets: the difference.
    if word == "-" and (a._kind in SETS or b._kind in SETS):
        return Infix(word, *_both_collections("-", a, b))
    if a._kind in SETS or b._kind in SETS:
        help = f"write `{spelt(left)} | {spelt(right)}` for the union" if word == "+" else "write `cl.size(s)` for the number of members, `cl.sum(s)` for their sum"
        raise ModellingError(f"`{sign}` is for numbers", help)
    return Infix(word, a, b, INT)


def _part_of(e: Expr) -> str:
    """Returns an example of a part of a value, as Python spells it."""
    of = e.type.names[0] if e._kind == "record" and e.type is not None and e.type.names else ""
    return {"tuple": f"{spelt(e)}[0]", "record": f"{spelt(e)}[{of!r}]", "partition": f"cl.size(cl.parts({spelt(e)}))"}.get(e._kind, f"{spelt(e)}(1)")


def _both_collections(sign: str, a: Expr, b: Expr) -> Tuple[Expr, Expr, Optional[Domain]]:
    """Returns the operands of a set operator and their type; refuses a single value beside a collection."""
    for one, other in ((a, b), (b, a)):
        if one._kind in SETS and other._kind in ("int", "bool", "enum", "tuple", *LISTS):
            member = spelt(other)
            raise ModellingError(
                f"`{sign}` joins two collections, but `{member}` is {_said(other)}", f"write `{_as_set(member, other)}` for a set"
            )
    return a, b, a.type or b.type


def _as_set(shown: str, e: Expr) -> str:
    """Returns a value as a set: a list in other brackets, or the set whose only member is the value."""
    if e._kind in LISTS:
        inner = shown[1:-1]
        return f"{{{inner}}}" if inner and isinstance(e, Literal) else "set()" if isinstance(e, Literal) else f"cl.to_set({shown})"
    return f"{{{shown}}}" if shown.lstrip("-").isdigit() else f"cl.set([{shown}])"


#: The kinds on which NumPy's operators would work element by element.
LISTS = ("matrix", "list")


def _refuse_whole(sign: str, e: Expr) -> None:
    if e._kind in LISTS:
        raise _whole(sign, e)


def _whole(sign: str, *operands: Expr) -> ModellingError:
    """Returns the error for an operator on whole matrices: only `==` is defined for them, and no operator works
    element by element.
    """
    indices, domains = _ranges(operands)
    matrices = [o for o in operands if o._kind in LISTS]
    shown = [_one_element(o, indices) for o in operands]
    if len(shown) == 1:
        element = f"abs({shown[0]})" if sign == "abs" else f"{sign}{shown[0]}"
    else:
        element = f"{shown[0]}.{sign}({shown[1]})" if sign in ("implies", "iff") else f"{shown[0]} {sign} {shown[1]}"
    each = f"{element} {' '.join(f'for {i} in {d}' for i, d in zip(indices, domains))}"
    # A list of Python cannot be indexed by an expression, so the advice gives it a name in the model.
    written = next((m for m in matrices if isinstance(m, Literal)), None)
    where = "" if written is None else f', where `v = m.letting("v", {spelt(written)})`'
    said = f"`{sign}` works on single values, but `{spelt(matrices[0])}` is a matrix"
    if sign == "!=" and len(matrices) == 2:
        differ = f"~({spelt(operands[0])} == {spelt(operands[1])})"
        return ModellingError(
            f"`!=` could mean that all elements of `{spelt(matrices[0])}` differ from others, or that one does",
            f"write `cl.all({each})` if all differ{where}, or `{differ}` if one does",
        )
    if sign in ("<", "<=", ">", ">=") and len(matrices) == 2:
        # Essence has `<lex` and `<=lex` but no `>lex`, so the operands are swapped.
        small, large = operands if sign.startswith("<") else reversed(operands)
        order = f"cl.lex_less{'_eq' if sign.endswith('=') else ''}({spelt(small)}, {spelt(large)})"
        return ModellingError(said, f"write `cl.all({each})` for each element{where}, or `{order}` for the lexicographic order")
    if sign in ("+", "-", "*", "//", "%", "**", "abs"):
        return ModellingError(said, f"write a generator, as in `cl.sum({each})`{where}")
    return ModellingError(said, f"write `cl.all({each})` if it holds for each element{where}, or `cl.count(…)` for how many")


def _ranges(operands: Sequence[Expr]) -> Tuple[List[str], List[str]]:
    """Returns names for the indices of a matrix, and their domains in Python. A written matrix comes last, because
    its indices count from 1.
    """
    types = [o.type for o in sorted(operands, key=lambda o: isinstance(o, Literal)) if o._kind in LISTS and o.type is not None]
    domains = types[0].dimensions[0] if types else (INT,)
    return list("ijklmn"[: len(domains)]), [spelt_domain(d) for d in domains]


def spelt_domain(d: Domain) -> str:
    if d.name or d.kind == "bool":
        return d.name or "cl.Bool"
    if d.kind == "int" and d.ranges and len(d.ranges) == 1:
        return f"cl.Int({spelt(d.ranges[0][0])}, {spelt(d.ranges[0][1])})"
    return "D"


def _one_element(e: Expr, indices: Sequence[str]) -> str:
    if e._kind not in LISTS:
        return spelt(e)
    name = "v" if isinstance(e, Literal) else spelt(e)
    return f"{name if isinstance(e, (Name, Postfix, Literal)) else f'({name})'}[{', '.join(indices)}]"


def _comparison(word: str, of_sets: str, left: Any, right: Any) -> Expr:
    a, b = expression(left), expression(right)
    if a._kind == b._kind == "int":
        return Infix(word, a, b, BOOL)
    if a._kind in SETS or b._kind in SETS:
        if {a._kind, b._kind} & {"int", "bool", "enum"}:
            _same_kind(word, a, b)
        return Infix(of_sets, *_both_collections(word, a, b)[:2], BOOL)
    if a._kind in LISTS or b._kind in LISTS:
        raise _whole(word, a, b)
    _same_kind(word, a, b)
    return Infix(word, a, b, BOOL)


def _equation(word: str, left: Any, right: Any) -> Expr:
    if right is None:
        raise ModellingError(
            f"`None` is not a value of a model, so `{spelt(left)}` is never equal to it", "leave the requirement out if nothing is known"
        )
    a = expression(left)
    b = fitted(right, a.type)
    # A shortcut for the usual case: two integers need none of the checks below.
    if a._kind == b._kind == "int":
        return Infix(word, a, b, BOOL)
    # `m == [3, 4]` compares by index: if the indices of `m` start at 0, so must those of the list.
    b = _with_indices(b, a.type)
    kinds = {a._kind, b._kind}
    if kinds & set(LISTS) and (kinds & {"int", "bool", "enum"} or word == "!=" and kinds <= set(LISTS)):
        raise _whole("==" if word == "=" else word, a, b)
    _same_kind("==" if word == "=" else word, a, b)
    return Infix(word, a, b, BOOL)


#: Kinds that are comparable with another kind: lists are matrices, and so are written sequences.
_ALIKE = {"list": "matrix", "sequence": "matrix", "type": "enum"}

#: Examples of values of each kind in Python.
_WRITTEN = {
    "set": "{1, 2}", "mset": "cl.mset([1, 1, 2])", "function": "{1: 2}", "sequence": "cl.sequence([1, 2])", "relation": "cl.relation([(1, 2)])",
    "partition": "cl.partition([{1, 2}, {3}])", "permutation": "cl.permutation([(1, 2)])", "tuple": "(1, 2)", "matrix": "[1, 2]", "int": "3",
    "bool": "True",
}  # fmt: skip


def _same_kind(word: str, a: Expr, b: Expr) -> None:
    from .literals import Member

    kinds = _ALIKE.get(a._kind, a._kind), _ALIKE.get(b._kind, b._kind)
    for one, other in ((a, b), (b, a)):
        if isinstance(other, Member) and one._kind not in ("", "enum"):
            # `x == "3"`: Python data from files are often text.
            help = f"write `{other.name}` without quotation marks" if other.name.lstrip("-").isdigit() else _advice_for(one)
            raise ModellingError(f"`{word}` compares `{spelt(one)}` with the text `{other.name!r}`, but `{spelt(one)}` is {_said(one)}", help)
    if kinds[0] and kinds[1] and kinds[0] != kinds[1]:
        help = ""
        if set(kinds) == {"int", "bool"}:
            condition = a if kinds[0] == "bool" else b
            help = f"write `cl.to_int({spelt(condition)})` for a number; mind the parentheses around comparisons beside `&` and `|`"
        elif set(kinds) == {"int", "set"}:
            collection = a if kinds[0] == "set" else b
            help = f"write `cl.size({spelt(collection)})` for the number of its members, or `cl.member(x, {spelt(collection)})`"
        elif "enum" in kinds:
            of = a if kinds[0] == "enum" else b
            help = f"its values are members of `{of.type}`, such as `{of.type.names[0]!r}`" if of.type and of.type.names else ""
        elif set(kinds) == {"set", "matrix"} and isinstance(b if kinds[1] == "matrix" else a, Literal):
            listed = b if kinds[1] == "matrix" else a
            help = f"write `{_as_set(spelt(listed), listed)}` for a set"
        raise ModellingError(
            f"{_compared(word, a, b)}, but one is {_said(a)} and the other is {_said(b)}",
            _of_pair(a) or _of_pair(b) or help or _advice_for(a),
        )


def _compared(word: str, a: Expr, b: Expr) -> str:
    verb, joint = ("chooses between", "and") if word == "if_else" else ("compares", "with")
    return f"`{word}` {verb} `{spelt(a)}` {joint} `{spelt(b)}`"


def _of_pair(e: Any) -> str:
    """Returns advice for unpacking a pair of a function or sequence that has one name, or an empty text for other
    expressions.
    """
    if not isinstance(e, Quantified) or e.source is None:
        return ""
    of, names = spelt(e.source), "position, value" if e.source._kind == "sequence" else "argument, value"
    return f"the members of `{of}` are pairs: write `… for {names} in {of}`, or `… for {spelt(e)} in cl.range_of({of})` for its values"


def _advice_for(e: Expr) -> str:
    """Returns advice for a value that can be compared with an expression."""
    if _of_pair(e):
        return _of_pair(e)
    if e._kind in ("record", "variant") and e.type is not None:
        fields = [f"{n}=…" for n in e.type.names]
        return f"write `cl.{e._kind}({', '.join(fields if e._kind == 'record' else fields[:1])})`"
    if e._kind in _WRITTEN:
        return f"compare it with {_said(e)}, such as `{_WRITTEN[e._kind]}`"
    return f"both sides must be {_said(e)}"


def _said(e: Expr) -> str:
    if isinstance(e, Literal) and e._kind == "matrix":
        return "a list"
    words = {"int": "a number", "bool": "true or false", "enum": f"a member of `{e.type}`", "list": "a list", "mset": "a multiset"}
    return words.get(e._kind, f"a {e._kind}")


def _with_indices(e: Expr, type: Optional[Domain]) -> Expr:
    """Returns a written matrix with the indices of the matrix that it is compared with; otherwise they would count
    from 1.
    """
    if type is None or type.kind != "matrix" or not isinstance(e, Literal) or e.begin != "[" or e.indices is not None:
        return e
    (index, *rest), element = type.dimensions
    inner = Domain("matrix", (*rest, element)) if rest else element
    members = [_with_indices(m, inner) for m in e.members]
    first = index.bounds[0] if index.kind == "int" and index.bounds and len(index.bounds) == 1 else None
    counts = first is not None and isinstance(first[0], int) and first[0] == 1
    return Literal("[", members, "]", e.type, None if counts or not members else index)


def _logic(word: str, of_sets: str, sign: str, left: Any, right: Any) -> Expr:
    if _has_kind(left, SETS) or _has_kind(right, SETS):
        return Infix(of_sets, *_both_collections(sign, expression(left), expression(right)))
    return _checked_logic(sign, left, right, lambda a, b: Infix(word, a, b, BOOL))


def _checked_logic(sign: str, left: Any, right: Any, make: Callable[[Expr, Expr], Expr]) -> Expr:
    a, b = expression(left), expression(right)
    if a._kind in LISTS or b._kind in LISTS:
        raise _whole(sign, a, b)
    for operand in (a, b):
        if operand._kind not in ("bool", ""):
            tighter = f"`{sign}` binds tighter than comparisons in Python: put parentheses around them, as in `(x == 1) {sign} (y == 2)`"
            help = tighter if sign in "&|^" else f"write conditions, as in `(x == 1).{sign}(y == 2)`"
            raise ModellingError(f"`{sign}` joins conditions, but `{spelt(operand)}` is {_said(operand)}", help)
    return make(a, b)


def _indexed(e: Expr, index: Any) -> Expr:
    """Returns an expression with an index in brackets."""
    kind, type = e._kind, e.type
    if kind == "tuple" and type is not None:
        return _component(e, index, type)
    if kind in ("record", "variant") and type is not None:
        if not isinstance(index, str) or index not in type.names:
            raise ModellingError(f"`{spelt(e)}` has no component `{index}`", f"its components are {', '.join(type.names)}")
        return Postfix(e, "[", [Name(index, None)], "]", type.parts[type.names.index(index)])
    if kind in ("function", "permutation", "relation"):
        return _applied(e, index if isinstance(index, tuple) and kind == "relation" else (index,))
    if kind == "sequence":
        raise ModellingError(
            f"`{spelt(e)}` is a sequence, whose positions count from 1, while Python's brackets count from 0", _position(spelt(e), index)
        )
    if kind in ("set", "mset", "partition", "int", "bool", "enum"):
        raise ModellingError(f"`{spelt(e)}` has no elements with indices: it is {_said(e)}", _without_indices(e))
    indices = index if isinstance(index, tuple) else (index,)
    for i in indices:
        if isinstance(i, int):
            continue
        if isinstance(i, (list, set)) or hasattr(i, "dtype") and i.shape:
            raise ModellingError(
                f"an index of `{spelt(e)}` is one value, not several", f"write a list, as in `cl.constant([{spelt(e)}[1], {spelt(e)}[3]])`"
            )
    if kind in ("matrix", "list") and type is not None:
        return _element(e, indices, type)
    return Postfix(e, "[", [_one_index(i) for i in indices], "]", None)


def _position(shown: str, index: Any) -> str:
    """Returns advice for an element of a sequence that is written with brackets."""
    if isinstance(index, slice):
        return f"a part of a sequence is not an expression: range over positions, as in `… {shown}(i), {shown}(i + 1) … for i in D if i < cl.size({shown})`"
    if isinstance(index, int) and index < 0:
        last = f"cl.size({shown})" + (f" - {-index - 1}" if index < -1 else "")
        return f"write `{shown}({last})`"
    return f"write `{shown}({spelt(index + 1 if isinstance(index, int) else index)})`, in which positions count from 1"


def _without_indices(e: Expr) -> str:
    if e._kind in ("set", "mset"):
        return f"its members have no order: range over them, as in `… for x in {spelt(e)}`, or write `cl.min({spelt(e)})`"
    if e._kind == "partition":
        return f"its parts have no order: range over them, as in `… for part in cl.parts({spelt(e)})`"
    if isinstance(e, Postfix):
        return f"leave out the last index: `{spelt(e)}` is already {_said(e)}"
    return 'for several values, declare a matrix, as in `m.find("a", cl.Matrix(D, of=cl.Int(1, 9)))`'


def _component(e: Expr, index: Any, type: Domain) -> Expr:
    if not isinstance(index, int):
        raise ModellingError(
            f"the components of the tuple `{spelt(e)}` are selected by constant numbers", "write `t[0]`, or unpack it as `a, b`"
        )
    count = len(type.parts)
    number = index + count if index < 0 else index
    if not 0 <= number < count:
        raise ModellingError(
            f"`{spelt(e)}` has {count} components, but no component {index}", "components of tuples count from 0, as in Python"
        )
    if isinstance(e, (Quantified, Component)):
        return unpacked(e, count)[number]
    return Postfix(e, "[", [expression(number + 1)], "]", type.parts[number])


def _element(e: Expr, indices: Sequence[Any], type: Domain) -> Expr:
    domains, element = type.dimensions
    spread: List[Any] = []
    for i in indices:
        if isinstance(i, Expr) and i._kind == "tuple" and i.type is not None and len(domains) > 1:
            spread += [_component(i, n, i.type) for n in range(len(i.type.parts))]
        else:
            spread.append(i)
    if len(spread) > len(domains):
        if element.kind in ("tuple", "function", "sequence", "record", "any"):
            return _element(e, spread[: len(domains)], type)[tuple(spread[len(domains) :])]
        raise ModellingError(
            f"`{spelt(e)}` has {len(domains)} {_plural('index', len(domains))}, not {len(spread)}", f"its domain is `{type}`"
        )
    written, left = [], []
    for i, d in zip(spread, domains):
        if isinstance(i, (slice, Domain)):
            written.append(_slice(i, d))
            left.append(d)
        else:
            written.append(_checked_index(e, i, d))
    left += domains[len(spread) :]
    return Postfix(e, "[", written, "]", Domain("matrix", (*left, element)) if left else element)


def _plural(word: str, number: int) -> str:
    return word if number == 1 else {"index": "indices"}[word]


def _slice(i: Union[slice, Domain], d: Domain) -> Expr:
    if isinstance(i, Domain):
        if i.kind not in ("int", "enum") or i.ranges is None or len(i.ranges) != 1:
            raise ModellingError(
                f"`{i}` is not a range of indices", "write the range of indices as a domain, as in `row[cl.Int(2, 5)]`"
            )
        low, high = i.ranges[0]
        return Slice(None if low is None else expression(low), None if high is None else expression(high))
    if i.start is None and i.stop is None and i.step is None:
        return Slice()
    raise ModellingError(
        "a slice excludes its end in Python, but a model includes it and has no steps",
        "write the first and the last index, as in `row[cl.Int(2, 5)]`",
    )


def _one_index(i: Any) -> Expr:
    if isinstance(i, (slice, Domain)):
        return _slice(i, INT)
    return expression(i)


def _checked_index(e: Expr, i: Any, d: Domain) -> Expr:
    """Returns an index; refuses a number outside the domain of the indices."""
    if d.kind == "int" and isinstance(i, int) and not isinstance(i, bool) and d.bounds:
        lows, highs = [low for low, _ in d.bounds], [high for _, high in d.bounds]
        if _is_outside(i, d):
            help = "the indices are the values of this domain"
            if i == 0:
                help += f": the first one is {lows[0]}"
                help += f"; a list has other indices as `cl.matrix(values, {spelt_domain(Domain('int', ranges=((0, highs[0] - lows[0]),)))})`" if _is_counted(d) else ""
            elif i < 0:
                help += f": write the last one itself, `{highs[-1]}`"
            raise ModellingError(f"`{spelt(e)}` has no index {i}; its indices are `{d}`", help)
    if isinstance(i, Expr) and i._kind == "bool" and d.kind == "int":
        raise ModellingError(
            f"an index of `{spelt(e)}` is a number, but `{spelt(i)}` is true or false",
            "write the condition in a generator, as in `cl.sum(a[i] for i in D if a[i] > 3)`",
        )
    if isinstance(i, str) and d.kind == "enum" and d.names and i not in d.names:
        d[i]
    return expression(i)


def _is_counted(d: Domain) -> bool:
    """Returns true if the indices of a domain are those of a list, which count from 1."""
    bounds = d.bounds or ()
    return not d.name and len(bounds) == 1 and bounds[0][0] == 1 and isinstance(bounds[0][1], int)


def _applied(e: Expr, arguments: Sequence[Any]) -> Expr:
    kind, type = e._kind, e.type
    if len(arguments) == 1 and hasattr(arguments[0], "iloc"):
        # A pandas column calls an expression in its brackets as if it were a function.
        raise refuse_lookup("column", spelt(e))
    if kind in LISTS:
        raise ModellingError(f"`{spelt(e)}` is a matrix", f"write brackets, as in `{spelt(e)}[i]`")
    if kind in ("int", "bool", "enum", "set", "mset", "tuple", "record", "partition"):
        help = "write `*` for a product" if kind == "int" else f"leave out the parentheses after `{spelt(e)}`"
        raise ModellingError(f"`{spelt(e)}` cannot be applied: it is {_said(e)}", help)
    if kind == "relation":
        if len(arguments) == 1 and isinstance(arguments[0], tuple):
            arguments = arguments[0]
        if type is not None and len(arguments) != len(type.parts) and all(isinstance(a, (int, str)) or a is Ellipsis for a in arguments):
            free = ", ".join([*map(_spelt_argument, arguments[: len(type.parts)]), *["..."] * (len(type.parts) - len(arguments))])
            raise ModellingError(
                f"`{spelt(e)}` has {len(type.parts)} columns, but {_counted(len(arguments), 'value')} is given".replace("values is", "values are"),
                f"write `{spelt(e)}({free})`" + ("; `...` stands for a column that may have any value" if len(arguments) < len(type.parts) else ""),
            )
        operands = [Text("_") if a is Ellipsis else expression(a) for a in arguments]
        free_parts = tuple(p for a, p in zip(arguments, type.parts if type else ()) if a is Ellipsis)
        return Postfix(e, "(", operands, ")", Domain("relation", free_parts) if any(a is Ellipsis for a in arguments) else BOOL)
    if type is not None and kind in ("function", "permutation"):
        _check_arguments(e, arguments, type.parts[0])
    if len(arguments) > 1:
        arguments = [tuple(arguments)]
    image = type.parts[-1] if type is not None and kind in ("function", "permutation", "sequence") and type.parts else None
    return Postfix(e, "(", [expression(a) for a in arguments], ")", image)


def _check_arguments(e: Expr, arguments: Sequence[Any], of: Domain) -> None:
    """Refuses a wrong number of arguments, and a number for which the function is never defined."""
    given = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else arguments
    if of.kind != "tuple" and len(given) == 1 and _of_pair(given[0]):
        raise ModellingError(f"`{spelt(given[0])}` is a pair, but the arguments of `{spelt(e)}` are `{of}`", _of_pair(given[0]))
    if of.kind in ("int", "bool", "enum", "set") and len(given) != 1:
        raise ModellingError(
            f"`{spelt(e)}` takes one argument of the domain `{of}`, not {len(given)}",
            f"write `{spelt(e)}({_spelt_argument(given[0]) if given else 'x'})`; the domain of a function of pairs is `cl.Function((D, E), F)`",
        )
    # A permutation is defined everywhere: it leaves the values that it does not move as they are.
    if e._kind == "function" and of.kind == "int" and isinstance(given[0], int) and not isinstance(given[0], bool) and _is_outside(given[0], of):
        raise ModellingError(
            f"`{spelt(e)}` is never defined at {given[0]}: its arguments are `{of}`", "the arguments are the values of this domain"
        )


def _spelt_argument(value: Any) -> str:
    return "..." if value is Ellipsis else spelt(value)


def _counted(number: int, word: str) -> str:
    return f"{number} {word if number == 1 else word + 's'}"


def _is_outside(value: int, d: Domain) -> bool:
    """Returns true if a domain of integers cannot contain a number."""
    bounds = d.bounds or ()
    if len(bounds) == 1:
        low, high = bounds[0]
        return isinstance(low, int) and value < low or isinstance(high, int) and value > high
    return bool(bounds) and (
        all(isinstance(low, int) and value < low for low, _ in bounds) or all(isinstance(high, int) and value > high for _, high in bounds)
    )


def unpacked(e: Expr, count: int) -> Tuple[Expr, ...]:
    """Returns the components of a tuple, as `a, b = t` unpacks it; a quantified set or list becomes a pattern."""
    kind, type = e._kind, e.type
    if kind == "tuple" and type is not None and len(type.parts) != count:
        raise ModellingError(f"`{spelt(e)}` has {len(type.parts)} components, not {count}", f"its type is `{type}`")
    if isinstance(e, (Quantified, Component)):
        quantified = e.quantified if isinstance(e, Component) else e
        if not quantified.parts:
            types: Sequence[Optional[Domain]] = [None] * count
            if kind in ("set", "matrix", "list") and type is not None:
                quantified.brackets = "{}" if kind == "set" else "[]"
                types = [type.element] * count
            elif kind == "tuple" and type is not None:
                types = type.parts
            quantified.parts = tuple(Component(quantified, n, t) for n, t in enumerate(types, 1))
        return quantified.parts
    if kind == "tuple" and type is not None:
        return tuple(_component(e, n, type) for n in range(count))
    if kind:
        raise ModellingError(
            f"Python unpacks `{spelt(e)}` into {count} values, but the number of its values is known only when the model is solved",
            "only tuples can be unpacked; range over other collections in a generator",
        )
    return tuple(Postfix(e, "[", [expression(n)], "]", None) for n in range(1, count + 1))


# Constants are expressions and expressions contain constants, so the two modules import each other.
from .literals import constant  # noqa: E402

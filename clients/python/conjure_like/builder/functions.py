"""The functions of the language. A function that takes a list takes a generator, too."""

from types import GeneratorType
from typing import Any, Callable, List, Optional, Tuple

from .comprehensions import Aggregate, Combinations, Comprehension, DefinedIf, Let, LocalFind, comprehension, from_function
from .domains import ATTRIBUTES, BOOL, INT, Domain, domain
from .expressions import Apply, Bars, Expr, Infix, Literal, Name, OfDomain, Postfix, Text, Typed, _said, _same_kind, expression, fitted, spelt
from .literals import function, matrix, mset, partition, permutation, record, relation, sequence, variant
from .literals import set_of as set
from .mistakes import ModellingError, checked

__all__: List[str] = [
    "abs", "active", "all", "all_different", "all_different_except", "any", "apart", "at_least", "at_most", "attribute",
    "catch_undefined", "combinations", "compose", "concatenate", "constant", "count", "defined", "defined_if", "dont_care", "dot_less",
    "dot_less_eq", "element_id", "essence", "exists", "factorial", "flatten", "for_all", "freq", "from_solution", "function", "gcc",
    "hist", "if_else", "iff", "image", "image_set", "implies", "inverse", "let", "lex_less", "lex_less_eq", "listing", "local_find",
    "make_table", "matrix", "max", "member", "min", "mset", "participants", "partition", "parts", "party", "permutation",
    "permutation_inverse", "power_set", "pre_image", "pred", "product", "quick_permutation_order", "range_of", "record", "relation",
    "restrict", "sequence", "set", "size", "subsequence", "substring", "succ", "sum", "sum_over", "table", "tilde_less",
    "tilde_less_eq", "to_int", "to_mset", "to_relation", "to_set", "together", "transform", "true", "typed", "variant", "xor",
]  # fmt: skip


_SETS: Tuple[type, ...] = (type(frozenset()), type({0}))


def _collection(values: Any) -> Expr:
    """Returns the operand of an aggregate: a collection of the model, or a list of the values of a generator or
    Python collection.
    """
    if len(values) == 1:
        (value,) = values
        if isinstance(value, Expr):
            return value
        if isinstance(value, Domain):
            return OfDomain(value)
        if isinstance(value, GeneratorType):
            return comprehension(value)
        # Sets and dicts are collections of the model. The elements of a list stay separate: each is checked, and a short
        # list is printed with operators, as in `1 + 2 + 3`.
        if isinstance(value, (*_SETS, dict)) or not hasattr(value, "__iter__"):
            return expression(value)
        return comprehension(value)
    return comprehension(values)


def _aggregate(word: str, values: Any, type: Optional[Domain]) -> Expr:
    over = _collection(values)
    if isinstance(over, Comprehension):
        return Aggregate(word, over, type)
    return Apply(word, [over], type)


def _list(value: Any) -> Expr:
    if isinstance(value, Expr):
        return value
    return comprehension(value) if isinstance(value, GeneratorType) else expression(value)


def _conditions(word: str, values: Any) -> Expr:
    made = _aggregate(word, values, BOOL)
    if isinstance(made, Apply):
        over = made.operands[0]
        of = over.type and (over.type.dimensions[1] if _is_matrix(over) else over.type.element)
        if over._kind in ("bool", "int") or of and of.kind not in ("bool", "any"):
            raise ModellingError(f"`{spelt(over)}` is not a list of conditions", "write a generator, as in `cl.all(x > 0 for x in s)`")
    for element in _elements(made):
        if element._kind not in ("bool", ""):
            raise ModellingError(
                f"`cl.{function_of(word)}` takes conditions, but `{spelt(element)}` is {_said(element)}",
                f"write a condition, as in `cl.{function_of(word)}(x == 1, x == {spelt(element) if element._kind == 'int' else 2})`",
            )
    return made


def function_of(word: str) -> str:
    """Returns the name of the function for a word of the language."""
    return {"and": "all", "or": "any"}.get(word, word)


def _elements(made: Expr) -> List[Expr]:
    """Returns the aggregated elements if they are listed or generated."""
    return [c.element for c in made.over.clauses] if isinstance(made, Aggregate) else []


# ---- logic


def all(*conditions: Any) -> Expr:
    """True if all conditions hold. The conditions are a generator, a list, or several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Matrix(cl.Int(1, 3), of=cl.Int(1, 9)))
    >>> print(cl.all(x[i] < x[j] for i in cl.Int(1, 3) for j in cl.Int(1, 3) if i < j))
    forAll i, j : int(1..3), i < j . x[i] < x[j]
    """
    return _conditions("and", conditions)


def any(*conditions: Any) -> Expr:
    """True if at least one condition holds. The conditions are a generator, a list, or several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Set(cl.Int(1, 9)))
    >>> print(cl.any(i > 3 for i in x))
    exists i in x . i > 3
    """
    return _conditions("or", conditions)


def xor(*conditions: Any) -> Expr:
    """True if an odd number of the conditions hold.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.xor(x > 3, x < 5, x == 4))
    xor([x > 3, x < 5, x = 4])
    """
    return _conditions("xor", conditions)


def implies(condition: Any, other: Any) -> Expr:
    """True unless the first condition holds and the other one does not.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.implies(x > 3, x % 2 == 0))
    x > 3 -> x % 2 = 0
    """
    return Infix("->", expression(condition), expression(other), BOOL)


def iff(condition: Any, other: Any) -> Expr:
    """True if both conditions hold or neither does.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.iff(x > 3, x % 2 == 0))
    x > 3 <-> x % 2 = 0
    """
    return Infix("<->", expression(condition), expression(other), BOOL)


def if_else(condition: Any, value: Any, other: Any) -> Expr:
    """`value` if the condition holds, otherwise `other`.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.if_else(x > 3, 10, x))
    [x, 10; bool][x > 3]
    """
    a, b = expression(value), expression(other)
    if {a._kind, b._kind} <= {"int", "bool", "enum", "set", "tuple"}:
        _same_kind("if_else", a, b)
    return Postfix(Literal("[", [b, a], "]", None, BOOL), "[", [expression(condition)], "]", a.type or b.type)


def to_int(condition: Any) -> Expr:
    """1 if the condition holds, otherwise 0.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.to_int(x > 3))
    toInt(x > 3)
    """
    made = expression(condition)
    if made._kind == "int":
        raise ModellingError(f"`{spelt(made)}` is already a number", "leave out `cl.to_int`")
    return Apply("toInt", [made], INT)


def count(conditions: Any) -> Expr:
    """The number of conditions that hold.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Matrix(cl.Int(1, 3), of=cl.Int(1, 9)))
    >>> print(cl.count(x[i] == 2 for i in cl.Int(1, 3)))
    sum i : int(1..3) . toInt(x[i] = 2)
    """
    over = comprehension(conditions)
    # Essence has no counting quantifier: the number of conditions is a sum of ones.
    return Aggregate("sum", Comprehension([c._replace(element=to_int(c.element)) for c in over.clauses]), INT)


def for_all(source: Any, condition: Callable[..., Any]) -> Expr:
    """True if the condition holds for all values of a domain or all members of a collection: `all` with a function.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Function(cl.Int(1, 3), cl.Int(1, 9)))
    >>> print(cl.for_all(x, lambda i, value: value > i))
    forAll (i, value) in x . value > i
    """
    return Aggregate("and", from_function(_source(source), condition), BOOL)


def exists(source: Any, condition: Callable[..., Any]) -> Expr:
    """True if the condition holds for some value of a domain or some member of a collection: `any` with a function.

    >>> import conjure_like as cl
    >>> print(cl.exists(cl.Int(1, 3), lambda i: i * i == 9))
    exists i : int(1..3) . i * i = 9
    """
    return Aggregate("or", from_function(_source(source), condition), BOOL)


def sum_over(source: Any, value: Callable[..., Any]) -> Expr:
    """The sum over all values of a domain or all members of a collection: `sum` with a function.

    >>> import conjure_like as cl
    >>> print(cl.sum_over(cl.Int(1, 3), lambda i: i * i))
    sum i : int(1..3) . i * i
    """
    return Aggregate("sum", from_function(_source(source), value), INT)


def _source(source: Any) -> Any:
    return source if isinstance(source, (Domain, Combinations, Let)) else expression(source)


# ---- numbers


def sum(*values: Any) -> Expr:
    """The sum of the values of a generator, of the members of a collection, or of several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Set(cl.Int(1, 9)))
    >>> print(cl.sum(x), cl.sum(i * i for i in x), cl.sum([1, 2, 3]), sep="; ")
    sum(x); sum i in x . i * i; 1 + 2 + 3
    """
    return _numbers("sum", values)


def product(*values: Any) -> Expr:
    """The product of the values of a generator, of the members of a collection, or of several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Set(cl.Int(1, 9)))
    >>> print(cl.product(i + 1 for i in x))
    product i in x . i + 1
    """
    return _numbers("product", values)


def _numbers(word: str, values: Any) -> Expr:
    made = _aggregate(word, values, INT)
    if isinstance(made, Apply):
        _refuse_pairs(word, made.operands[0])
    for element in _elements(made):
        if element._kind == "bool":
            raise ModellingError(
                f"`{word}` takes numbers, but `{spelt(element)}` is true or false",
                f"write `cl.count(…)` for how many hold, or `cl.to_int({spelt(element)})`",
            )
        _refuse_collection(word, element)
    if isinstance(made, Apply) and made.operands[0]._kind == "matrix":
        # `sum` and `product` of Essence take one dimension.
        type = made.operands[0].type
        if type is not None and len(type.parts) > 2:
            return Apply(word, [Apply("flatten", made.operands, None)], INT)
    if isinstance(made, Apply) and made.operands[0]._kind == "int":
        raise ModellingError(f"`{spelt(made.operands[0])}` is one number, not a collection", "give a generator or a list")
    return made


def _refuse_pairs(word: str, e: Expr) -> Expr:
    """Returns a collection, but refuses functions and sequences, whose members are pairs."""
    if e._kind in ("function", "sequence"):
        values = f"{'(' if word == 'freq' else ''}value for _, value in {spelt(e)}{'), …' if word == 'freq' else ''}"
        first = "an argument and its image" if e._kind == "function" else "a position and its element"
        raise ModellingError(f"the members of `{spelt(e)}` are pairs of {first}", f"write `cl.{word}({values})`")
    return e


def _refuse_collection(word: str, element: Expr) -> None:
    """Refuses a collection among the numbers of an aggregate."""
    if element._kind in ("set", "mset", "matrix", "list"):
        shown = spelt(element)
        raise ModellingError(f"`{word}` takes numbers, but `{shown}` is {_said(element)}", f"write `cl.{word}({shown})` instead")


def min(*values: Any) -> Expr:
    """The smallest of the values of a generator, of the members of a collection, or of several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.min(x, 3))
    min([x, 3])
    """
    return _extreme("min", values)


def max(*values: Any) -> Expr:
    """The largest of the values of a generator, of the members of a collection, or of several arguments.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Matrix(cl.Int(1, 3), of=cl.Int(1, 9)))
    >>> print(cl.max(x), cl.max(x[i] - i for i in cl.Int(1, 3)), sep="; ")
    max(x); max([x[i] - i | i : int(1..3)])
    """
    return _extreme("max", values)


def _extreme(word: str, values: Any) -> Expr:
    over = _flat(_refuse_pairs(word, _collection(values)))
    if over._kind == "int":
        raise ModellingError(f"`{spelt(over)}` is one number, not a collection", f"give a generator, a list or several values to `cl.{word}`")
    elements = over.members if isinstance(over, Literal) else [c.element for c in over.clauses] if isinstance(over, Comprehension) else ()
    for element in elements:
        _refuse_collection(word, element)
    type = over.type.parts[-1] if over.type is not None and over.type.parts else None
    return Apply(word, [over], type)


def _flat(e: Expr) -> Expr:
    """Returns all elements of a matrix as a list."""
    if e._kind == "matrix" and e.type is not None and len(e.type.parts) > 2:
        return Apply("flatten", [e], Domain("list", (e.type.parts[-1],)))
    return e


def abs(value: Any) -> Expr:
    """The absolute value.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(-9, 9))
    >>> print(abs(x - 3), cl.abs(x))
    |x - 3| |x|
    """
    return expression(value).__abs__()


def factorial(value: Any) -> Expr:
    """The factorial of a number, which must not depend on decision variables.

    >>> import conjure_like as cl
    >>> n = cl.Builder().given("n", cl.Int(1, 9))
    >>> print(cl.factorial(n))
    factorial(n)
    """
    return Apply("factorial", [expression(value)], INT)


# ---- lists and matrices


def listing(*values: Any) -> Expr:
    """The list of the values of a generator, indexed from 1.

    >>> import conjure_like as cl
    >>> print(cl.listing(i * i for i in cl.Int(1, 9) if i != 5))
    [i * i | i : int(1..9), i != 5]
    """
    return _collection(values)


def all_different(*values: Any) -> Expr:
    """True if no two elements are equal.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(1, 8)))
    >>> print(cl.all_different(q), cl.all_different(q[i] + i for i in cl.Int(1, 8)), sep="; ")
    allDiff(q); allDiff([q[i] + i | i : int(1..8)])
    """
    made = _refuse_pairs("all_different", _collection(values))
    if made._kind in ("set", "mset"):
        # The constraint would be redundant for a set; for a multiset, a set says it better.
        differ = "always" if made._kind == "set" else "rarely all"
        help = "leave it out" if made._kind == "set" else "declare a set"
        raise ModellingError(f"the members of {_said(made)} are {differ} different", help)
    if made.type is not None and made.type.kind == "matrix" and len(made.type.dimensions[0]) > 1:
        raise ModellingError(
            f"`{spelt(made)}` has several dimensions: should its rows differ, or its elements?",
            f"write `cl.all_different(cl.flatten({spelt(made)}))` for the elements, or a generator of rows",
        )
    return Apply("allDiff", [made], BOOL)


def all_different_except(values: Any, value: Any) -> Expr:
    """True if no two elements are equal, except those that equal `value`.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(0, 8)))
    >>> print(cl.all_different_except(q, 0))
    alldifferent_except(q, 0)
    """
    made, exception = _list(values), expression(value)
    return Apply("alldifferent_except", [made if _is_matrix(exception) else _flat(made), exception], BOOL)


def _is_matrix(e: Expr) -> bool:
    return e._kind in ("matrix", "list")


def gcc(values: Any, members: Any, numbers: Any) -> Expr:
    """Global cardinality: true if each member `members[i]` occurs exactly `numbers[i]` times among the values.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(0, 8)))
    >>> print(cl.gcc(q, [1, 2], [3, 4]))
    gcc(q, [1, 2], [3, 4])
    """
    return Apply("gcc", [_list(values), _list(members), _list(numbers)], BOOL)


def at_least(values: Any, numbers: Any, members: Any) -> Expr:
    """True if each member `members[i]` occurs at least `numbers[i]` times among the values.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(0, 8)))
    >>> print(cl.at_least(q, [3], [1]))
    atleast(q, [3], [1])
    """
    return Apply("atleast", [_list(values), _list(numbers), _list(members)], BOOL)


def at_most(values: Any, numbers: Any, members: Any) -> Expr:
    """True if each member `members[i]` occurs at most `numbers[i]` times among the values.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(0, 8)))
    >>> print(cl.at_most(q, [3], [1]))
    atmost(q, [3], [1])
    """
    return Apply("atmost", [_list(values), _list(numbers), _list(members)], BOOL)


def table(values: Any, rows: Any) -> Expr:
    """True if the list of values is one of the rows.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> x, y = m.find("x", cl.Int(1, 9)), m.find("y", cl.Int(1, 9))
    >>> print(cl.table([x, y], [[1, 2], [3, 4]]))
    table([x, y], [[1, 2], [3, 4]])
    """
    made, of = _list(values), _list(rows)
    if isinstance(of, Literal) and [m for m in of.members if m._kind == "int"]:
        raise ModellingError(f"the rows of `{spelt(of)}` are numbers, not lists", f"write a list of lists, as in `[{spelt(of)}]`")
    return Apply("table", [made, of], BOOL)


def make_table(condition: Any) -> Expr:
    """The condition itself, with advice to the solver to turn it into a table.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 9))
    >>> print(cl.make_table(x * x > 7))
    makeTable(x * x > 7)
    """
    return Apply("makeTable", [expression(condition)], BOOL)


def flatten(value: Any, dimensions: Any = None) -> Expr:
    """All elements of a matrix as one list; with `dimensions`, a matrix whose first dimensions are joined.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 2), cl.Int(1, 2), of=cl.Bool))
    >>> print(cl.flatten(q))
    flatten(q)
    """
    made = _list(value)
    if dimensions is None:
        return Apply("flatten", [made], Domain("list", (_innermost(made.type),)))
    type = None
    if made.type is not None and isinstance(dimensions, int):
        indices, element = made.type.dimensions
        left = indices[dimensions + 1 :]
        type = Domain("list", (Domain("matrix", (*left, element)) if left else element,))
    return Apply("flatten", [expression(dimensions), made], type)


def _innermost(type: Optional[Domain]) -> Domain:
    while type is not None and type.kind in ("matrix", "list"):
        type = type.parts[-1]
    return type or Domain("any")


def concatenate(*lists: Any) -> Expr:
    """The concatenation of lists.

    >>> import conjure_like as cl
    >>> print(cl.concatenate([1, 2], (i for i in cl.Int(5, 9))))
    concatenate([[1, 2], [i | i : int(5..9)]])
    """
    made = _list(lists[0]) if len(lists) == 1 else matrix([_list(v) for v in lists])
    return Apply("concatenate", [made], Domain("list", (_innermost(made.type),)))


def element_id(values: Any, index: Any) -> Expr:
    """The element at an index, or the index itself if it is outside the matrix.

    >>> import conjure_like as cl
    >>> print(cl.element_id([3, 1, 2], 9))
    elementId([3, 1, 2], 9)
    """
    made = _list(values)
    return Apply("elementId", [made, expression(index)], made.type.element if made.type else None)


def _order(word: str, a: Any, b: Any) -> Expr:
    return Infix(word, _list(a), _list(b), BOOL)


def lex_less(a: Any, b: Any) -> Expr:
    """True if `a` is lexicographically smaller than `b`.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 2), cl.Int(1, 2), of=cl.Bool))
    >>> print(cl.lex_less(q[1, :], q[2, :]))
    q[1, ..] <lex q[2, ..]
    """
    return _order("<lex", a, b)


def lex_less_eq(a: Any, b: Any) -> Expr:
    """True if `a` is lexicographically smaller than or equal to `b`.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 2), cl.Int(1, 2), of=cl.Bool))
    >>> print(cl.lex_less_eq(q[1, :], [q[2, 1], q[1, 2]]))
    q[1, ..] <=lex [q[2, 1], q[1, 2]]
    """
    return _order("<=lex", a, b)


def dot_less(a: Any, b: Any) -> Expr:
    """True if `a` is smaller than `b` in the order that symmetry breaking uses, which is defined for all types.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> s, t = m.find("s", cl.Set(cl.Int(1, 9))), m.find("t", cl.Set(cl.Int(1, 9)))
    >>> print(cl.dot_less(s, t))
    s .< t
    """
    return _order(".<", a, b)


def dot_less_eq(a: Any, b: Any) -> Expr:
    """True if `a` is smaller than or equal to `b` in the order that symmetry breaking uses, which is defined for all
    types.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> s, t = m.find("s", cl.Set(cl.Int(1, 9))), m.find("t", cl.Set(cl.Int(1, 9)))
    >>> print(cl.dot_less_eq(s, t))
    s .<= t
    """
    return _order(".<=", a, b)


def tilde_less(a: Any, b: Any) -> Expr:
    """True if `a` is smaller than `b` in the order of values, which is defined for all types.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> s, t = m.find("s", cl.Set(cl.Int(1, 9))), m.find("t", cl.Set(cl.Int(1, 9)))
    >>> print(cl.tilde_less(s, t))
    s ~< t
    """
    return _order("~<", a, b)


def tilde_less_eq(a: Any, b: Any) -> Expr:
    """True if `a` is smaller than or equal to `b` in the order of values, which is defined for all types.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> s, t = m.find("s", cl.Set(cl.Int(1, 9))), m.find("t", cl.Set(cl.Int(1, 9)))
    >>> print(cl.tilde_less_eq(s, t))
    s ~<= t
    """
    return _order("~<=", a, b)


# ---- collections


def member(value: Any, collection: Any) -> Expr:
    """True if the value is a member of the collection.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Set(cl.Int(1, 9)))
    >>> print(cl.member(3, s), cl.member(cl.size(s), {1, 2}), sep="; ")
    3 in s; |s| in {1, 2}
    """
    if isinstance(collection, Domain):
        raise ModellingError(
            f"`{spelt(collection)}` is a domain, but `member` takes a collection", "compare with the bounds, as in `(x >= 1) & (x <= n)`"
        )
    if isinstance(collection, range):
        collection = _SETS[1](collection)
    within = _list(collection)
    made = fitted(value, within.type.element if within.type is not None else None)
    if within._kind in ("function", "sequence") and made._kind not in ("tuple", ""):
        of, shown = spelt(within), spelt(made)
        arguments = "" if within._kind == "sequence" else f", or `cl.member({shown}, cl.defined({of}))` for its arguments"
        raise ModellingError(
            f"the members of `{of}` are pairs, but `{shown}` is {_said(made)}", f"write `cl.member({shown}, cl.range_of({of}))` for its values{arguments}"
        )
    if within._kind in ("int", "bool", "enum", "tuple", "record"):
        swapped = f"write `cl.member({spelt(within)}, {spelt(made)})`" if made._kind in ("set", "mset", "matrix", "list") else ""
        raise ModellingError(f"`{spelt(within)}` has no members: it is {_said(within)}", swapped or "compare with `==`")
    return Infix("in", made, within, BOOL)


def size(collection: Any) -> Expr:
    """The number of members of a collection, or of values of a domain.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Set(cl.Int(1, 9)))
    >>> print(cl.size(s), cl.size(i for i in s if i > 3), cl.size(cl.Int(1, 9)), sep="; ")
    |s|; |[i | i <- s, i > 3]|; |`int(1..9)`|
    """
    made = _collection([collection])
    if made._kind in ("int", "bool"):
        raise ModellingError(
            f"`{spelt(made)}` has no members", f"write `abs({spelt(made)})` for the absolute value" if made._kind == "int" else ""
        )
    # The number of listed elements is known when the model is built.
    if isinstance(made, Comprehension) and made.is_plain:
        return expression(len(made.clauses))
    return Bars(_flat(made))


def to_set(collection: Any) -> Expr:
    """The set of the members of a collection.

    >>> import conjure_like as cl
    >>> print(cl.to_set(i % 3 for i in cl.Int(1, 9)))
    toSet([i % 3 | i : int(1..9)])
    """
    made = _collection([collection])
    return Apply("toSet", [made], Domain("set", (made.type.element or Domain("any"),)) if made.type else None)


def to_mset(collection: Any) -> Expr:
    """The multiset of the members of a collection.

    >>> import conjure_like as cl
    >>> print(cl.to_mset(i % 3 for i in cl.Int(1, 9)))
    toMSet([i % 3 | i : int(1..9)])
    """
    made = _collection([collection])
    return Apply("toMSet", [made], Domain("mset", (made.type.element or Domain("any"),)) if made.type else None)


def to_relation(value: Any) -> Expr:
    """The relation of the pairs of a function.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.to_relation(f))
    toRelation(f)
    """
    made = expression(value)
    return Apply("toRelation", [made], Domain("relation", made.type.parts) if made.type else None)


def power_set(collection: Any) -> Expr:
    """The set of all subsets.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Set(cl.Int(1, 9)))
    >>> print(cl.all(cl.sum(t) < 20 for t in cl.power_set(s)))
    forAll t subsetEq s . sum(t) < 20
    """
    made = _operand("power_set", expression(collection), ("set",))
    return Apply("powerSet", [made], Domain("set", (made.type or Domain("any"),)))


def combinations(collection: Any, number: int) -> Combinations:
    """The subsets of `number` members of a set, to iterate over in a generator: `for a, b in cl.combinations(s, 2)`.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Set(cl.Int(1, 9)))
    >>> print(cl.all(abs(a - b) > 1 for a, b in cl.combinations(s, 2)))
    forAll {a, b} subsetEq s . |a - b| > 1
    """
    if number < 2:
        raise ModellingError("`combinations` needs a size of at least 2", "range over the collection itself")
    return Combinations(_list(collection) if not isinstance(collection, Domain) else to_set(x for x in collection), number)


def let(value: Any) -> Let:
    """A name for a value inside a generator: `for y in cl.let(x * x)`.

    >>> import conjure_like as cl
    >>> print(cl.sum(k * k for i in cl.Int(1, 9) for k in cl.let(i % 4)))
    sum([k * k | i : int(1..9), letting k be i % 4])
    """
    return Let(expression(value))


def freq(collection: Any, value: Any) -> Expr:
    """The number of occurrences of a value in a collection.

    >>> import conjure_like as cl
    >>> q = cl.Builder().find("q", cl.Matrix(cl.Int(1, 8), of=cl.Int(0, 8)))
    >>> print(cl.freq(q, 3))
    freq(q, 3)
    """
    made, wanted = _refuse_pairs("freq", _list(collection)), expression(value)
    if made._kind == "set":
        raise ModellingError(f"a value occurs in the set `{spelt(made)}` once or not at all", f"write `cl.member({spelt(wanted)}, {spelt(made)})`")
    return Apply("freq", [made if _is_matrix(wanted) else _flat(made), wanted], INT)


def hist(collection: Any) -> Expr:
    """The distinct values in ascending order, each with its number of occurrences.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.MSet(cl.Int(1, 9), size=3))
    >>> print(cl.hist(s))
    hist(s)
    """
    made = _list(collection)
    element = made.type.element if made.type else None
    return Apply("hist", [made], Domain("list", (Domain("tuple", (element or Domain("any"), INT)),)))


#: An example of a declaration for each kind of value.
_DECLARED = {
    "function": "cl.Function(D, E)", "partition": "cl.Partition(D)", "permutation": "cl.Permutation(D)", "sequence": "cl.Sequence(D)", "set": "cl.Set(D)",
}  # fmt: skip


def _operand(name: str, e: Expr, kinds: Tuple[str, ...], other: Any = None, first: bool = True) -> Expr:
    """Refuses an operand of the function `name` unless it has one of the kinds. `first` is true if `other` is the
    operand after it.
    """
    if e._kind in ("", *kinds):
        return e
    said = f"`cl.{name}` takes a {kinds[0]}, but `{spelt(e)}` is {_said(e)}"
    if isinstance(other, Expr) and other._kind in kinds:
        swapped = (other, e) if first else (e, other)
        raise ModellingError(said, f"write `cl.{name}({spelt(swapped[0])}, {spelt(swapped[1])})`")
    raise ModellingError(said, f"declare the operand as `{_DECLARED[kinds[0]]}`")


# ---- functions, sequences and relations


def image(f: Any, value: Any) -> Expr:
    """The image of a value under a function, also written `f(value)`.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.image(f, 3), f(3))
    image(f, 3) f(3)
    """
    made = _operand("image", expression(f), ("function", "sequence", "permutation", "relation"), value)
    return Apply("image", [made, expression(value)], made.type.parts[-1] if made.type and made.type.parts else None)


def image_set(f: Any, value: Any) -> Expr:
    """The set with the image of a value, or the empty set if the function is not defined for it.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.image_set(f, 3))
    imageSet(f, 3)
    """
    made = _operand("image_set", expression(f), ("function", "sequence"), value)
    return Apply("imageSet", [made, expression(value)], Domain("set", (made.type.parts[-1],)) if made.type else None)


def pre_image(f: Any, value: Any) -> Expr:
    """The set of the arguments that a function maps to a value.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.size(cl.pre_image(f, True)))
    |preImage(f, true)|
    """
    made = _operand("pre_image", expression(f), ("function", "sequence"), value)
    argument = _argument(made)
    return Apply("preImage", [made, expression(value)], Domain("set", (argument,)) if argument else None)


def _argument(f: Expr) -> Optional[Domain]:
    if f.type is None:
        return None
    return INT if f.type.kind == "sequence" else f.type.parts[0]


def defined(f: Any) -> Expr:
    """The set of the arguments for which a function is defined.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.all(i > 2 for i in cl.defined(f)))
    forAll i in defined(f) . i > 2
    """
    made = _operand("defined", expression(f), ("function", "sequence", "permutation"))
    argument = _argument(made)
    return Apply("defined", [made], Domain("set", (argument,)) if argument else None)


def range_of(f: Any) -> Expr:
    """The set of the images of a function, or of the elements of a sequence.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.range_of(f))
    range(f)
    """
    made = _operand("range_of", expression(f), ("function", "sequence"))
    return Apply("range", [made], Domain("set", (made.type.parts[-1],)) if made.type else None)


def inverse(f: Any, g: Any) -> Expr:
    """True if two functions are inverses of each other.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Int(1, 9)))
    >>> print(cl.inverse(f, f))
    inverse(f, f)
    """
    operands = [_operand("inverse", expression(one), ("function", "permutation")) for one in (f, g)]
    return Apply("inverse", operands, BOOL)


def restrict(f: Any, arguments: Any) -> Expr:
    """A function restricted to the arguments in a domain.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Bool))
    >>> print(cl.restrict(f, cl.Int(1, 3)))
    restrict(f, `int(1..3)`)
    """
    made = _operand("restrict", expression(f), ("function",))
    return Apply("restrict", [made, OfDomain(domain(arguments))], made.type)


def subsequence(a: Any, b: Any) -> Expr:
    """True if the elements of `a` occur in `b` in the same order, possibly with gaps.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Sequence(cl.Int(1, 9), max_size=3))
    >>> print(cl.subsequence(cl.sequence([1, 2]), s))
    sequence(1, 2) subsequence s
    """
    return _order("subsequence", a, b)


def substring(a: Any, b: Any) -> Expr:
    """True if the elements of `a` occur in `b` in the same order without gaps.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Sequence(cl.Int(1, 9), max_size=3))
    >>> print(cl.substring(cl.sequence([1, 2]), s))
    sequence(1, 2) substring s
    """
    return _order("substring", a, b)


# ---- partitions and permutations


def parts(p: Any) -> Expr:
    """The set of the parts of a partition.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Partition(cl.Int(1, 6)))
    >>> print(cl.all(cl.sum(part) < 10 for part in cl.parts(p)))
    forAll part in parts(p) . sum(part) < 10
    """
    made = _operand("parts", expression(p), ("partition",))
    return Apply("parts", [made], Domain("set", (Domain("set", made.type.parts),)) if made.type else None)


def participants(p: Any) -> Expr:
    """The set of the members of all parts of a partition.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Partition(cl.Int(1, 6)))
    >>> print(cl.participants(p))
    participants(p)
    """
    made = _operand("participants", expression(p), ("partition",))
    return Apply("participants", [made], Domain("set", made.type.parts) if made.type else None)


def party(value: Any, p: Any) -> Expr:
    """The part of a partition that contains a value, or the empty set if none does.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Partition(cl.Int(1, 6)))
    >>> print(cl.size(cl.party(3, p)))
    |party(3, p)|
    """
    made = _operand("party", expression(p), ("partition",), value, first=False)
    return Apply("party", [expression(value), made], Domain("set", made.type.parts) if made.type else None)


def together(members: Any, p: Any) -> Expr:
    """True if all members of a set are in the same part.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Partition(cl.Int(1, 6)))
    >>> print(cl.together({1, 2}, p))
    together({1, 2}, p)
    """
    return Apply("together", [_members(members), _operand("together", expression(p), ("partition",), members, first=False)], BOOL)


def apart(members: Any, p: Any) -> Expr:
    """True if all members of a set are in the partition, but not all in the same part.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Partition(cl.Int(1, 6)))
    >>> print(cl.apart({1, 2}, p))
    apart({1, 2}, p)
    """
    return Apply("apart", [_members(members), _operand("apart", expression(p), ("partition",), members, first=False)], BOOL)


def _members(members: Any) -> Expr:
    """Returns a set, also from a Python tuple or list."""
    if isinstance(members, (tuple, list)):
        made = [expression(m) for m in members]
        return Literal("{", made, "}", Domain("set", (made[0].type or Domain("any"),)) if made else None)
    given = expression(members)
    if given._kind in ("int", "enum", "bool"):
        raise ModellingError(f"`{spelt(given)}` is one value, not several", f"write a set, as in `{{{spelt(given)}, …}}`")
    return given


def compose(g: Any, h: Any) -> Expr:
    """The permutation that maps x to g(h(x)).

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Permutation(cl.Int(1, 6)))
    >>> print(cl.compose(p, p) == cl.permutation([]))
    compose(p, p) = permutation()
    """
    made = _operand("compose", expression(g), ("permutation",))
    return Apply("compose", [made, expression(h)], made.type)


def permutation_inverse(p: Any) -> Expr:
    """The inverse permutation.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Permutation(cl.Int(1, 6)))
    >>> print(cl.permutation_inverse(p))
    permInverse(p)
    """
    made = _operand("permutation_inverse", expression(p), ("permutation",))
    return Apply("permInverse", [made], made.type)


# ---- members of types, and special forms


def pred(value: Any, within: Optional[Domain] = None) -> Expr:
    """The previous value of the type or of `within`; undefined for the first one.

    >>> import conjure_like as cl
    >>> day = cl.Builder().enum("day", ["Mo", "Tu", "We"])
    >>> print(cl.pred(day.Tu))
    pred(Tu)
    """
    return _neighbour("pred", value, within)


def succ(value: Any, within: Optional[Domain] = None) -> Expr:
    """The next value of the type or of `within`; undefined for the last one.

    >>> import conjure_like as cl
    >>> day = cl.Builder().enum("day", ["Mo", "Tu", "We"])
    >>> print(cl.succ(day.Tu))
    succ(Tu)
    """
    return _neighbour("succ", value, within)


def _neighbour(word: str, value: Any, within: Optional[Domain]) -> Expr:
    made = expression(value)
    return Apply(word, [made] if within is None else [made, OfDomain(within)], made.type)


def catch_undefined(value: Any, otherwise: Any) -> Expr:
    """`value` if it is defined, `otherwise` if it is not.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(cl.catch_undefined(9 // x, 0))
    catchUndef(9 / x, 0)
    """
    made = expression(value)
    return Apply("catchUndef", [made, expression(otherwise)], made.type)


def active(value: Any, alternative: str) -> Expr:
    """True if the variant has this alternative.

    >>> import conjure_like as cl
    >>> v = cl.Builder().find("v", cl.Variant(whole=cl.Int(1, 3), truth=cl.Bool))
    >>> print(cl.active(v, "whole") & (v["whole"] > 1))
    active(v, whole) /\\ v[whole] > 1
    """
    if isinstance(alternative, Expr):
        raise ModellingError("the variant comes first, then the name of the alternative", f"write `cl.active({spelt(alternative)}, {value!r})`")
    made = expression(value)
    if made.type is not None and made._kind == "variant" and alternative not in made.type.names:
        raise ModellingError(f"`{spelt(made)}` has no alternative `{alternative}`", f"its alternatives are {', '.join(made.type.names)}")
    return Apply("active", [made, Name(alternative, None)], BOOL)


def transform(permutations: Any, value: Any) -> Expr:
    """The value with the permutations applied to every point in it.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Permutation(cl.Int(1, 6)))
    >>> print(cl.transform([p], {1, 3}))
    transform([p], {1, 3})
    """
    made = expression(value)
    return Apply("transform", [_list(permutations), made], made.type)


def quick_permutation_order(permutations: Any, value: Any) -> Expr:
    """True if the value is at most its image under the permutations in the order of `dot_less_eq`, which is a
    symmetry-breaking condition.

    >>> import conjure_like as cl
    >>> p = cl.Builder().find("p", cl.Permutation(cl.Int(1, 6)))
    >>> print(cl.quick_permutation_order([p], {1, 3}))
    quickPermutationOrder([p], {1, 3})
    """
    return Apply("quickPermutationOrder", [_list(permutations), expression(value)], BOOL)


def dont_care(value: Any) -> Expr:
    """True if the expression has the first value of its domain: fixes a value that does not matter.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(cl.dont_care(x))
    dontCare(x)
    """
    return Apply("dontCare", [expression(value)], BOOL)


def from_solution(value: Any) -> Expr:
    """The value of an expression in the other solution of a dominance relation.

    >>> import conjure_like as cl
    >>> s = cl.Builder().find("s", cl.Set(cl.Int(1, 9)))
    >>> print(s < cl.from_solution(s))
    s subset fromSolution(s)
    """
    made = expression(value)
    return Apply("fromSolution", [made], made.type)


def attribute(name: str, value: Any, number: Any = None) -> Expr:
    """An attribute of a domain, such as `injective` or `size`, as a condition on a value.

    >>> import conjure_like as cl
    >>> f = cl.Builder().find("f", cl.Function(cl.Int(1, 9), cl.Int(1, 9)))
    >>> print(cl.attribute("injective", f), cl.attribute("min_size", f, 3))
    injective(f) minSize(f, 3)
    """
    if name not in ATTRIBUTES:
        raise ModellingError(f"there is no attribute `{name}`", f"the attributes are {', '.join(ATTRIBUTES)}")
    operands = [expression(value)] if number is None else [expression(value), expression(number)]
    return Apply(ATTRIBUTES[name], operands, BOOL)


def true(value: Any) -> Expr:
    """True for every operand.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(cl.true(x))
    true(x)
    """
    return Apply("true", [expression(value)], BOOL)


def constant(value: Any) -> Expr:
    """A Python value as an expression, for example to index a list with an expression: `cl.constant([3, 5])[x]`.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(1, 3))
    >>> print(cl.constant([5, 7, 9])[x] > 6)
    [5, 7, 9][x] > 6
    """
    return expression(value)


def defined_if(value: Any, *conditions: Any) -> Expr:
    """`value` if the conditions hold; undefined otherwise.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(cl.defined_if(x + 1, x > 3) == 5)
    {x + 1 @ such that x > 3} = 5
    """
    return DefinedIf(expression(value), [expression(c) for c in conditions])


def typed(value: Any, of: Any) -> Expr:
    """A value with a type annotation, which an empty collection may need.

    >>> import conjure_like as cl
    >>> print(cl.typed([], cl.Matrix(cl.Bool, of=cl.Int())))
    ([] : `matrix indexed by [bool] of int`)
    """
    return Typed(expression(value), domain(of))


def essence(text: str, type: Any = None) -> Expr:
    """An expression that you have as Essence text.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(x + cl.essence("n * 2") > 3)
    x + (n * 2) > 3
    """
    return Text(text, None if type is None else domain(type), 0)


def local_find(of: Any, value: Callable[..., Any], such_that: Optional[Callable[..., Any]] = None) -> Expr:
    """A value that depends on a local decision variable, which must satisfy a condition; a list of domains declares
    several variables.

    >>> import conjure_like as cl
    >>> x = cl.Builder().find("x", cl.Int(0, 9))
    >>> print(cl.local_find(cl.Int(0, 3), lambda root: root + 1, such_that=lambda root: root * root == x))
    {root + 1 @ find root : int(0..3) such that root * root = x}
    """
    return LocalFind([domain(d) for d in (of if isinstance(of, list) else [of])], value, such_that)


for _name in __all__:
    globals()[_name] = checked(globals()[_name])

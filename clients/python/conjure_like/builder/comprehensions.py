"""Turns Python generators into quantifiers and comprehensions of the model.

A generator such as `x + y for x in s if p(x) for y in t` is run with a quantified name in place of each member. Python
asks for the truth value of conditions on the way; each condition is answered with both yes and no, in different runs of
the body. The answers on the paths that yield an element become its guard, so `and`, `or`, `not` and `in` work after
`if`. A `for` over Python values is ordinary Python.
"""

import inspect
import sys
import threading
from types import CodeType, FrameType, GeneratorType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from .domains import BOOL, Domain
from .expressions import (
    Apply, Bars, Component, Expr, Infix, Prefix, Quantified, Text, Writer, expression, instruction, python_name, spelt, spelt_domain, unpacked,
)  # fmt: skip
from .mistakes import COUNTED, ModellingError, choice_help, refuse_carried, refuse_identity, refuse_known, refuse_members, refuse_truth
from .printing import OPEN

#: Up to this number of operands, `and`, `or`, `+` and `*` are printed as operators, otherwise as a list.
MOST_JOINED = 6

#: Hard limit: a generator with more paths through its conditions is refused.
MOST_WAYS = 200

#: The source of a generator: the values of a domain, the members of a collection, its subsets of a given size, or one
#: value.
Source = Union[Domain, Expr, "Combinations", "Let"]


class Combinations:
    """The subsets of a collection with a given size; see `combinations`."""

    def __init__(self, collection: Expr, size: int):
        self.collection = collection
        self.size = size

    def __iter__(self) -> Iterator[Any]:
        return ranged(self, instruction()[0])


class Let:
    """A name for a value inside a generator; see `let`."""

    def __init__(self, value: Expr):
        self.value = value

    def __iter__(self) -> Iterator[Any]:
        return ranged(self, instruction()[0])


class Generator(NamedTuple):
    """One `for` of a comprehension."""

    variable: Quantified
    source: Source


class Decision(NamedTuple):
    """A condition whose truth value Python has asked for, and the answer."""

    condition: Expr
    answer: bool
    #: True if the opposite answer has been given before.
    is_last: bool


class Clause(NamedTuple):
    """An element of a comprehension, with its generators and guards."""

    element: Expr
    generators: Tuple[Generator, ...]
    guards: Tuple[Expr, ...]


class _Yielded(NamedTuple):
    element: Expr
    generators: Tuple[Generator, ...]


class _Found(NamedTuple):
    element: Expr
    generators: Tuple[Generator, ...]
    trail: Tuple[Decision, ...]
    #: Identifies an element on all paths that yield it: the quantified names, the text, and its number among equal ones
    #: on the path.
    key: Tuple[Any, ...]


class _Scope:
    """The state of a Python generator while it is run."""

    def __init__(self, frame: FrameType):
        self.frame = frame
        self.generators: List[Generator] = []
        self.trail: List[Decision] = []
        #: The answers to repeat at the start of this path; they come from the path before it, with the last one
        #: negated.
        self.planned: List[Decision] = []
        self.ways = 0
        #: The elements yielded so far on this path, and those of all finished paths.
        self.pending: List[_Yielded] = []
        self.found: List[_Found] = []
        #: The number of loops started at each depth on this path.
        self.started: Dict[int, int] = {}
        #: The sources of all loops.
        self.ranged: List[Source] = []
        #: The quantified names by depth, number of the loop, and source: every path uses the same names.
        self.names: Dict[Tuple[int, int, str], Quantified] = {}

    def end_way(self, depth: int) -> None:
        """Ends a path: stores the elements yielded inside the loop at `depth`, with all answers on the path."""
        done = [p for p in self.pending if len(p.generators) > depth]
        self.pending = [p for p in self.pending if len(p.generators) <= depth]
        occurrences: Dict[Tuple[Any, ...], int] = {}
        for element, generators in done:
            key = (tuple(id(g.variable) for g in generators), _exact(element))
            occurrences[key] = number = occurrences.get(key, 0) + 1
            self.found.append(_Found(element, generators, tuple(self.trail), (*key, number)))


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.stack: List[_Scope] = []


_SCOPES = _Scopes()


class _Ranging:
    """The iterator over a domain or a collection of the model, which explores all paths through the conditions of
    the loop body.
    """

    def __init__(self, source: Source):
        self._source = source
        self._generator: Optional[Generator] = None
        self._depth = self._mark = 0
        #: The Python variables before the first iteration; empty after the comparison.
        self._before: Dict[str, Any] = {}

    def __iter__(self) -> Iterator[Any]:
        return self

    def _refuse_carried(self, frame: FrameType) -> None:
        """Refuses a variable that one iteration sets and the next one reads."""
        now, before, self._before = frame.f_locals, self._before, {}
        changed = [name for name, value in before.items() if now.get(name) is not value]
        refused = refuse_carried(frame, changed) if changed else None
        if refused is not None:
            raise refused

    def __next__(self) -> Any:
        scope = _SCOPES.stack[-1] if _SCOPES.stack else None
        # Only a `for` of the generator that is being read may iterate; other functions would see one member.
        if scope is None or scope.frame is not sys._getframe(1):
            raise _refuse(self._source)
        # The first iteration takes the path on which every new condition is answered with yes.
        if self._generator is None:
            self._depth, self._mark = len(scope.generators), len(scope.trail)
            # Paths are compared by their names, so a loop must get the same name in each run of its body.
            key = (self._depth, scope.started.get(self._depth, 0), _exact(self._source))
            scope.started[self._depth] = key[1] + 1
            variable = scope.names.setdefault(key, _ranging_over(self._source))
            self._generator = Generator(variable, self._source)
            self._before = dict(scope.frame.f_locals)
            scope.ranged.append(self._source)
        else:
            # A later iteration runs the body again on the next path, in depth-first order: it negates the last answer
            # that has not been negated yet.
            _name_variables(scope)
            self._refuse_carried(scope.frame)
            refused = refuse_identity(scope.frame, lambda value: isinstance(value, (Quantified, Component)))
            if refused is not None:
                raise refused
            scope.end_way(self._depth)
            del scope.generators[self._depth :]
            trail = scope.trail[self._mark :]
            del scope.trail[self._mark :]
            # Answers that have been given both ways are finished; if no other is left, so is the loop.
            while trail and trail[-1].is_last:
                trail.pop()
            if not trail:
                raise StopIteration
            scope.ways += 1
            if scope.ways > MOST_WAYS:
                raise ModellingError(
                    "the conditions of this generator have too many combinations",
                    "write the condition as one expression with `&` and `|`, or put the `for` over Python values outside",
                )
            last = trail.pop()
            scope.planned = [*trail, Decision(last.condition, not last.answer, True)]
        scope.started = {d: n for d, n in scope.started.items() if d <= self._depth}
        scope.generators.append(self._generator)
        return self._generator.variable


def ranged(source: Source, word: str) -> Iterator[Any]:
    """Returns the iterator over a domain or a collection of the model.

    `word` is the Python instruction that asks for it. It must belong to a `for`: a function such as `enumerate` would
    see only one member.
    """
    if word not in ("GET_ITER", "GET_YIELD_FROM_ITER"):
        raise _refuse(source)
    return _Ranging(source)


def _refuse(source: Source) -> ModellingError:
    """Returns the error for members that Python needs outside a generator that this package reads."""
    if isinstance(source, Domain) and source.kind == "enum" and source.names:
        return refuse_known(_shown(source))
    return refuse_members(_shown(source))


def decided(condition: Expr) -> bool:
    """Returns the answer to a condition. It is yes on some paths and no on others after the `if` of a generator;
    elsewhere it is an error.
    """
    scope = _SCOPES.stack[-1] if _SCOPES.stack else None
    if scope is None or not scope.generators:
        raise refuse_truth(spelt(condition), condition._kind)
    condition = _truth(condition)
    shown = _exact(condition)
    # A condition that has been answered on this path keeps its answer, since it has one value.
    for before in scope.trail:
        if _exact(before.condition) == shown:
            return before.answer
    if scope.planned:
        planned = scope.planned.pop(0)
        scope.trail.append(planned)
        return planned.answer
    scope.trail.append(Decision(condition, True, False))
    return True


def _truth(asked: Expr) -> Expr:
    """Returns the condition that Python's truth value means: a number is not 0, or a collection is not empty."""
    if asked._kind in ("bool", ""):
        return asked
    if asked._kind == "int":
        return Infix("!=", asked, expression(0), BOOL)
    if asked._kind in COUNTED:
        return Infix("!=", Bars(asked), expression(0), BOOL)
    raise ModellingError(f"`{spelt(asked)}` is neither true nor false", "write a condition, as in `… if x[i] == 3`")


def read(generator: "GeneratorType[Any, Any, Any]") -> List[Clause]:
    """Reads the clauses of a comprehension from a Python generator."""
    frame, code = generator.gi_frame, generator.gi_code
    if frame is None or inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
        raise ModellingError(
            "this generator has already been used", "write the generator where it is used; a list can be used several times"
        )
    scope = _Scope(frame)
    _SCOPES.stack.append(scope)
    try:
        for element in generator:
            made = expression(element)
            _name_variables(scope)
            # The guard is not known before the loop has ended: the element may be yielded on other paths as well.
            scope.pending.append(_Yielded(made, tuple(scope.generators)))
    finally:
        _SCOPES.stack.pop()
    scope.end_way(-1)
    # A generator over Python values may be empty, but a quantifier always has a body.
    if scope.ranged and not scope.found:
        raise ModellingError(
            f"this generator ranges over `{_shown(scope.ranged[0])}`, but yields nothing",
            "each `for` of a model is run once, with one name for all its values: a value that one iteration leaves for the next one is lost, and "
            "`break` and `return` end it; write conditions after `if`, and neighbours as `a[i]` and `a[i + 1]`",
        )
    return _clauses(scope.found, code)


def is_read(frame: FrameType) -> bool:
    """Returns true if the generator of this frame is being read."""
    return bool(_SCOPES.stack) and _SCOPES.stack[-1].frame is frame


def name_variables() -> None:
    """Gives the quantified names of all running generators the names of their Python variables, as far as these
    exist already.
    """
    for scope in _SCOPES.stack:
        _name_variables(scope)


def _name_variables(scope: _Scope) -> None:
    """Gives quantified names the names of their Python variables."""
    unnamed = {id(v): v for g in scope.generators for v in _all_parts(g.variable) if not v.wanted}
    if not unnamed:
        return
    for name, value in scope.frame.f_locals.items():
        variable = value.quantified if isinstance(value, Component) else value
        if id(variable) in unnamed:
            unnamed[id(variable)].wanted = name


def _all_parts(variable: Quantified) -> Iterator[Quantified]:
    yield variable
    for part in variable.parts:
        yield from _all_parts(part.quantified)


def _clauses(found: List[_Found], code: CodeType) -> List[Clause]:
    if not any(f.trail for f in found):
        return [Clause(f.element, f.generators, ()) for f in found]
    # An element that is yielded on several paths becomes one clause, whose guard admits exactly these paths.
    groups: Dict[Tuple[Any, ...], Dict[Tuple[Any, ...], _Found]] = {}
    for f in found:
        way = tuple((id(d.condition), d.answer) for d in f.trail)
        groups.setdefault(f.key, {})[way] = f
    clauses = []
    for ways in groups.values():
        first = next(iter(ways.values()))
        clauses.append(Clause(first.element, first.generators, _guard([f.trail for f in ways.values()])))
    _refuse_choices(found, code)
    return clauses


def _guard(ways: List[Tuple[Decision, ...]]) -> Tuple[Expr, ...]:
    """Returns the conditions that hold on exactly these paths."""
    guard = _tree([[(d.condition, d.answer) for d in way] for way in ways])
    return () if guard is True else tuple(_conjuncts(guard))


_Way = List[Tuple[Expr, bool]]


def _tree(ways: List[_Way]) -> Any:
    """Returns the condition for paths through a tree of decisions: an expression, `True` or `False`."""
    if not ways:
        return False
    # An empty path means that the element is yielded whatever the remaining answers are.
    if any(not way for way in ways):
        return True
    condition, _ = ways[0][0]
    yes = _tree([way[1:] for way in ways if way[0][1]])
    no = _tree([way[1:] for way in ways if not way[0][1]])
    # The condition was asked but does not matter, as in `if x > 1 or True`.
    if _same(yes, no):
        return yes
    if no is False:
        return condition if yes is True else Infix("/\\", condition, yes, BOOL)
    if yes is False:
        negated = negation(condition)
        return negated if no is True else Infix("/\\", negated, no, BOOL)
    if yes is True:
        return Infix("\\/", condition, no, BOOL)
    if no is True:
        return Infix("\\/", negation(condition), yes, BOOL)
    return Infix("\\/", Infix("/\\", condition, yes, BOOL), Infix("/\\", negation(condition), no, BOOL), BOOL)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Expr) and isinstance(b, Expr):
        return _exact(a) == _exact(b)
    return a is b


def negation(condition: Expr) -> Expr:
    """Returns the negation as `!c`, which is true if an operand of `c` is undefined; a comparison with the opposite
    operator would be false.
    """
    return Prefix("!", condition, BOOL)


def _conjuncts(guard: Expr) -> Iterator[Expr]:
    if isinstance(guard, Infix) and guard.word == "/\\":
        yield from _conjuncts(guard.left)
        yield from _conjuncts(guard.right)
    else:
        yield guard


def _refuse_choices(found: List[_Found], code: CodeType) -> None:
    """Refuses conditions in elements: both answers would yield an element, and the two would differ."""
    behind: Dict[Tuple[Any, ...], Dict[bool, Set[str]]] = {}
    conditions: Dict[Tuple[Any, ...], Expr] = {}
    for one in found:
        way: Tuple[Any, ...] = ()
        element = _exact(one.element)
        for decision in one.trail:
            conditions[way] = decision.condition
            behind.setdefault(way, {True: set(), False: set()})[decision.answer].add(element)
            way = (*way, decision.answer)
    for way, yielded in behind.items():
        # A guard yields nothing for one of the answers. If both yield different elements, the condition is inside
        # the element.
        if yielded[True] - yielded[False] and yielded[False] - yielded[True]:
            raise ModellingError(
                f"Python needs the truth value of `{spelt(conditions[way])}` to choose what this generator yields",
                choice_help(code)
                or "`and`, `or`, `not`, `in` and chains such as `a < b < c` work only after the `if` of a generator; elsewhere, write `&`, `|`, "
                "`~`, `cl.member(x, s)` and `cl.if_else(c, x, y)`",
            )


# ---- printing


class Comprehension(Expr):
    """The list of the values of a generator."""

    __slots__ = ("clauses",)

    def __init__(self, clauses: Sequence[Clause]):
        self.clauses = tuple(clauses)
        types = [c.element.type for c in self.clauses]
        self.type = Domain("list", (types[0] if types and types[0] is not None else Domain("any"),))

    @property
    def is_plain(self) -> bool:
        """True if there are no generators and no guards."""
        return all(not c.generators and not c.guards for c in self.clauses)

    def _text(self, w: Writer) -> str:
        if w.is_python and len(self.clauses) == 1 and not self.is_plain:
            return f"cl.listing({_in_python(self.clauses[0], w)})"
        if self.is_plain:
            return f"[{', '.join([c.element._text(w) for c in self.clauses])}]"
        parts = []
        for clause in self.clauses:
            if clause.generators:
                parts.append(_listed(clause, w))
            else:
                parts.append(f"[{clause.element._text(w)}]")
        return parts[0] if len(parts) == 1 else f"concatenate([{', '.join(parts)}])"


class Aggregate(Expr):
    """A function such as `sum` of a comprehension, printed as a quantifier if the language has one for it."""

    __slots__ = ("word", "over")

    def __init__(self, word: str, over: Comprehension, type: Optional[Domain]):
        self.word = word
        self.over = over
        self.type = type

    @property
    def _quantifier(self) -> str:
        words = {"and": "forAll", "or": "exists", "sum": "sum", "product": "product"}
        clauses = self.over.clauses
        # A quantifier has no syntax for `letting`, and none for several elements; those are printed as lists.
        if len(clauses) != 1 or not clauses[0].generators or any(isinstance(g.source, Let) for g in clauses[0].generators):
            return ""
        return words.get(self.word, "")

    @property
    def tightness(self) -> int:  # type: ignore[override]
        if self._quantifier:
            return OPEN
        joined = self._joined()
        return joined.tightness if joined is not None else 100

    def _joined(self) -> Optional[Expr]:
        """Returns the operands joined by an operator, if they are listed and not too many."""
        sign = {"and": "/\\", "or": "\\/", "sum": "+", "product": "*"}.get(self.word)
        clauses = self.over.clauses
        # `a /\ b` reads better than `and([a, b])`, but long rows do not.
        if sign is None or not self.over.is_plain or len(clauses) > MOST_JOINED:
            return None
        if not clauses:
            return Text({"and": "true", "or": "false", "sum": "0", "product": "1"}[self.word], self.type)
        joined = clauses[0].element
        for clause in clauses[1:]:
            joined = Infix(sign, joined, clause.element, self.type)
        return joined

    def _text(self, w: Writer) -> str:
        if w.is_python and len(self.over.clauses) == 1 and not self.over.is_plain:
            return f"{python_name(self.word)}({_in_python(self.over.clauses[0], w)})"
        quantifier = self._quantifier
        if quantifier:
            return _quantified(quantifier, self.over.clauses[0], w)
        joined = self._joined()
        if joined is not None:
            return joined._text(w)
        return f"{self.word}({self.over._text(w)})"


class LocalFind(Expr):
    """A value with local decision variables."""

    __slots__ = ("variables", "value", "conditions")

    def __init__(self, domains: Sequence[Domain], value: Callable[..., Any], such_that: Optional[Callable[..., Any]]):
        self.variables = [Quantified(d) for d in domains]
        for function in (value, such_that):
            _refuse_no_function(function, len(domains))
        for variable, name in zip(self.variables, inspect.signature(value).parameters):
            variable.wanted = name
        self.value = expression(value(*self.variables))
        conditions = [] if such_that is None else such_that(*self.variables)
        self.conditions = [expression(c) for c in (conditions if isinstance(conditions, list) else [conditions])]
        self.type = self.value.type

    def _text(self, w: Writer) -> str:
        finds = []
        for variable in self.variables:
            assert variable.type is not None
            domain = variable.type._text(w)
            finds.append(f"{w.bind(variable)} : {domain}")
        conditions = f" such that {', '.join([c._text(w) for c in self.conditions])}" if self.conditions else ""
        text = f"{{{self.value._text(w)} @ find {', '.join(finds)}{conditions}}}"
        w.release(self.variables)
        return text


class DefinedIf(Expr):
    """A value that is undefined unless conditions hold."""

    __slots__ = ("value", "conditions")

    def __init__(self, value: Expr, conditions: Sequence[Expr]):
        self.value = value
        self.conditions = tuple(conditions)
        self.type = value.type

    def _text(self, w: Writer) -> str:
        return f"{{{self.value._text(w)} @ such that {', '.join([c._text(w) for c in self.conditions])}}}"


def _in_python(clause: Clause, w: Writer) -> str:
    """Returns a generator in Python, for messages."""
    variables = _bind(clause, w)
    element, guards = clause.element._text(w), [g._text(w) for g in clause.guards]
    sources = [spelt_domain(g.source) if isinstance(g.source, Domain) else _source(g, w)[2] for g in clause.generators]
    patterns = [g.variable.pattern(w) for g in clause.generators]
    w.release(variables)
    fors = [f"for {p} in {s}" for p, s in zip(patterns, sources)]
    return " ".join([element, *fors, *(f"if {g}" for g in guards)])


def _listed(clause: Clause, w: Writer) -> str:
    variables = _bind(clause, w)
    element = clause.element._text(w)
    guards = [g._text(w) for g in clause.guards]
    sources = [_source(g, w) for g in clause.generators]
    patterns = [g.variable.pattern(w) for g in clause.generators]
    qualifiers = [
        f"letting {p} be {s[1]}" if s[0] == "be" else f"{p} {'<-' if s[0] != ':' else ':'} {s[2]}" for p, s in zip(patterns, sources)
    ]
    w.release(variables)
    return f"[{element} | {', '.join([*qualifiers, *guards])}]"


def _quantified(word: str, clause: Clause, w: Writer) -> str:
    variables = _bind(clause, w)
    body = clause.element._text(w)
    # Each guard follows the last generator whose names it uses.
    # An early guard cuts the bindings: `sum a in s, a > 3 . sum b in t . a * b`.
    behind: Dict[int, Expr] = {}
    for guard in clause.guards:
        last = max((n for n, g in enumerate(clause.generators) if _mentions(guard, g)), default=len(clause.generators) - 1)
        behind[last] = Infix("/\\", behind[last], guard, BOOL) if last in behind else guard
    conditions = {n: guard._operand(w, 1) for n, guard in behind.items()}
    sources = [_source(g, w) for g in clause.generators]
    patterns = [g.variable.pattern(w) for g in clause.generators]
    w.release(variables)
    begin, at = [], 0
    while at < len(patterns):
        # Adjacent generators with the same source share one quantifier: `forAll i, j : int(1..3)`.
        joined = [patterns[at]]
        while (
            at + 1 < len(patterns) and sources[at + 1][:2] == sources[at][:2] and at not in behind and sources[at][0] != "subsetEq"
            and not _mentions_source(clause.generators[at + 1].source, clause.generators[at])
        ):  # fmt: skip
            at += 1
            joined.append(patterns[at])
        condition = f", {conditions[at]}" if at in behind else ""
        joint = " : " if sources[at][0] == ":" else f" {sources[at][0]} "
        begin.append(f"{word} {', '.join(joined)}{joint}{sources[at][1]}{condition} . ")
        at += 1
    return "".join(begin) + body


def _bind(clause: Clause, w: Writer) -> List[Quantified]:
    variables = [v for g in clause.generators for v in g.variable.variables()]
    for variable in variables:
        w.bind(variable)
    return variables


def _source(generator: Generator, w: Writer) -> Tuple[str, str, str]:
    """Returns the word between name and source in a quantifier, the source there, and the source in a comprehension,
    after `<-`.
    """
    source = generator.source
    if isinstance(source, Domain):
        text = source._text(w)
        return ":", text, text
    if isinstance(source, Let):
        text = source.value._text(w)
        return "be", text, text
    if isinstance(source, Combinations):
        text = source.collection._text(w)
        return "subsetEq", text, f"powerSet({text})"
    text = source._text(w)
    if isinstance(source, Apply) and source.word == "powerSet":
        return "subsetEq", source.operands[0]._text(w), text
    return "in", f"({text})" if source.tightness == OPEN else text, text


def _mentions(e: Expr, generator: Generator) -> bool:
    """Returns true if an expression uses a name that a generator binds."""
    variables = {id(v) for v in generator.variable.variables()}
    seen = _Reads()
    # Printing visits every name in an expression, so a writer serves as the visitor.
    e._text(seen)
    return bool(variables & seen.read)


def _mentions_source(source: Source, generator: Generator) -> bool:
    variables = {id(v) for v in generator.variable.variables()}
    seen = _Reads()
    if isinstance(source, Domain):
        source._text(seen)
    elif isinstance(source, Combinations):
        source.collection._text(seen)
    elif isinstance(source, Let):
        source.value._text(seen)
    else:
        source._text(seen)
    return bool(variables & seen.read)


class _Reads(Writer):
    """A writer that collects the quantified names in an expression."""

    def __init__(self) -> None:
        super().__init__()
        self.read: "set[int]" = set()

    def name(self, variable: Quantified) -> str:
        self.read.add(id(variable))
        return "x"


class _Exact(Writer):
    """A writer that distinguishes quantified names before they have names."""

    is_exact = True


def _exact(source: Source) -> str:
    """Returns a text that only equal expressions have."""
    if isinstance(source, Combinations):
        return f"{source.size} of {_exact(source.collection)}"
    return source.value._text(_Exact()) if isinstance(source, Let) else source._text(_Exact())


def _shown(source: Source) -> str:
    if isinstance(source, Combinations):
        return str(source.collection)
    if isinstance(source, Let):
        return str(source.value)
    return str(source)


def _element(source: Source) -> Optional[Domain]:
    if isinstance(source, Domain):
        return source
    if isinstance(source, Combinations):
        inner = source.collection.type.element if source.collection.type else None
        return Domain("set", (inner or Domain("any"),))
    if isinstance(source, Let):
        return source.value.type
    return source.type.element if source.type is not None else None


def _ranging_over(source: Source) -> Quantified:
    pairs = source if isinstance(source, Expr) and source._kind in ("function", "sequence") else None
    return Quantified(_element(source), source=pairs)


# ---- what functions take


def comprehension(value: Any) -> Comprehension:
    """Returns a list of expressions: the values of a generator, or the elements of a Python collection."""
    if isinstance(value, GeneratorType):
        return Comprehension(read(value))
    return Comprehension([Clause(expression(v), (), ()) for v in value])


def _refuse_no_function(given: Any, number: int) -> None:
    """Refuses an expression in place of a function of quantified names."""
    if isinstance(given, Expr):
        raise ModellingError(f"`{spelt(given)}` is an expression, not a function", f"write a function of its names, as in `lambda {', '.join('ijklm'[:number])}: …`")


def from_function(source: Source, function: Callable[..., Any]) -> Comprehension:
    """Returns the comprehension of the values of a function, whose parameters become the quantified names."""
    _refuse_no_function(function, 1)
    names = list(inspect.signature(function).parameters)
    variable = _ranging_over(source)
    if len(names) == 1:
        variable.wanted = names[0]
        element = function(variable)
    else:
        parts = unpacked(variable, len(names))
        for part, name in zip(parts, names):
            assert isinstance(part, Component)
            part.quantified.wanted = name
        element = function(*parts)
    return Comprehension([Clause(expression(element), (Generator(variable, source),), ())])

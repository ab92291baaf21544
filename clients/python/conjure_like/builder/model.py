"""Models that are built in Python."""

import contextlib
import copy
import importlib
import os
import re
import sys
import textwrap
from enum import Enum
from pathlib import Path
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union

from ..errors import EssenceError
from ..model import Model, names_a_file
from ..results import Solution
from ..service import SHARED
from .comprehensions import Aggregate, Comprehension, comprehension
from .domains import BOOL, Domain, DomainLike, domain, of_declaration, of_enum
from .expressions import Expr, Name, Writer, expression, spelt
from .literals import Member
from .messages import TEXT
from .elsewhere import unknown_method
from .mistakes import ModellingError, NoAttribute, Place, check_methods, checked, outside, refuse_constant
from .printing import RESERVED, WIDTH, written_name
from .questions import Questions
from .statements import Line, Statement, layout

Found = TypeVar("Found")

#: The search heuristics of the language.
HEURISTICS = ("static", "sdf", "conflict", "srf", "ldf", "wdeg", "domoverwdeg")

#: The attributes of a model that hold its declarations.
NAMES = ("given", "find", "letting")

#: A requirement: an expression, a generator or a list of requirements, or Essence as text.
Requirement = Any


class Names(Generic[Found]):
    """The names declared by one kind of statement."""

    def __init__(self, model: "Builder", kind: str):
        self._model = model
        self._kind = kind
        self._names: Dict[str, Found] = {}

    def __setitem__(self, name: str, of: Any) -> None:
        raise ModellingError("a declaration is a call", f"write `{name} = m.{self._kind}({name!r}, …)`")

    def __getitem__(self, name: str) -> Found:
        if name not in self._names:
            raise _unknown(name, self._names, f"the model has no `{self._kind}` of this name")
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self._names)}>"

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def _ipython_key_completions_(self) -> List[str]:
        return list(self._names)


class Declared(Names[Expr]):
    """Declares parameters or decision variables, and finds them by name: `m.find("x", …)` and `m.find["x"]`."""

    def __call__(self, name: str, of: DomainLike, *, about: str = "", unit: Any = None, picture: str = "") -> Expr:
        """Declares a name with a domain, and returns the expression for it.

        `about` becomes the comment above the declaration. `unit` is the size of one step of its integers, such as
        `"0.01"`. `picture` names the form in which its value is drawn.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Set(cl.Int(1, 9)), about="What is chosen.")
        >>> m.find["x"]
        <Expr: x>
        """
        comments = [about] if about else []
        if unit is not None:
            comments.append(f"unit {name}: {unit}")
        if picture:
            comments.append(f"picture: {name} as {picture}")
        self._model._refuse_no_name(self._kind, name, "cl.Int(1, 9)")
        made = domain(of)
        if self._kind == "find" and _is_empty(made):
            # A range such as `Int(9, 1)` is empty and legal; as the domain of a variable it is unlikely to be meant.
            low, high = made.ranges[0]  # type: ignore[index]
            raise ModellingError(f"`{made}` has no values", f"write the smaller bound first, as in `cl.Int({high}, {low})`")
        declared = self._model._declare(self._kind, name, made, comments)
        self._names[name] = declared
        return declared


class Lettings(Names[Any]):
    """Gives names to values: `m.letting("w", …)`. `m.letting["w"]` is such a value, and `m.letting["D"]` a named
    domain or type.
    """

    def __call__(self, name: str, value: Any, *, about: str = "") -> Expr:
        """Gives a name to a value, which is an expression or a Python constant, and returns the expression for the
        name.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> weight = m.letting("weight", {"a": 3, "b": 5}.values())
        >>> print(m)
        language Essence 1.3
        <BLANKLINE>
        letting weight be [3, 5]
        >>> m.letting["weight"]
        <Expr: weight>
        """
        model = self._model
        model._refuse_no_name("letting", name, "[5, 7, 9]")
        made = expression(value)
        declared = model._declare("letting", name, made.type, [about] if about else [], written=f"be {made._text(model._writer())}")
        self._names[name] = declared
        return declared


def _is_empty(of: Domain) -> bool:
    """Returns true if a domain is a single range of integers whose bounds are in the wrong order."""
    bounds = of.ranges[0] if of.kind == "int" and of.ranges is not None and len(of.ranges) == 1 else (0, 0)
    return all(isinstance(b, int) for b in bounds) and bounds[0] > bounds[1]


class Builder(Questions):
    """A model that is built in Python. Its `str` is the model in Essence.

    `given`, `find` and `letting` declare names, and find the declared names.

    >>> import conjure_like as cl
    >>> m = cl.Builder("Neighbours")
    >>> n = m.given("n", cl.Int(2, None))
    >>> D = m.domain("D", cl.Int(1, n))
    >>> x = m.find("x", cl.Matrix(D, of=D), about="A number for each house.")
    >>> m.require(cl.all_different(x), name="No number comes twice.")
    >>> m.require(abs(x[i] - x[i + 1]) > 1 for i in cl.Int(1, n - 1))
    >>> print(m)
    $ Neighbours
    language Essence 1.3
    <BLANKLINE>
    given n : int(2..)
    <BLANKLINE>
    letting D be domain int(1..n)
    <BLANKLINE>
    $ A number for each house.
    find x : matrix indexed by [D] of D
    <BLANKLINE>
    such that
        $ No number comes twice.
        allDiff(x),
        forAll i : int(1..n - 1) . |x[i] - x[i + 1]| > 1
    >>> m.solve(n=4).x.tolist() in ([2, 4, 1, 3], [3, 1, 4, 2])
    True
    """

    given: Declared
    find: Declared
    letting: Lettings

    def __init__(self, title: str = "", about: str = ""):
        if not isinstance(title, str) or names_a_file(title) or "\nfind " in f"\n{title}":
            shown = spelt(title) if isinstance(title, str) and "\n" not in title else "…"
            raise ModellingError("`cl.Builder` takes a title", f"write `cl.Builder.open({shown})` for a file or a text in Essence")
        self._title = title
        self._about = about
        self._base = self._file = ""
        self._statements: List[Statement] = []
        self._taken: Dict[str, Optional[Domain]] = {}
        self._members: Dict[str, Domain] = {}
        self._built: Optional[Tuple[str, Model]] = None
        self._enums: Dict[str, Type[Enum]] = {}
        self._last: Optional[Solution] = None
        self.given = Declared(self, "given")
        self.find = Declared(self, "find")
        self.letting = Lettings(self, "letting")

    def __setattr__(self, name: str, value: Any) -> None:
        # `given`, `find` and `letting` may be set once, by `__init__`.
        if name.startswith("_") or name in NAMES and name not in vars(self):
            super().__setattr__(name, value)
        elif hasattr(type(self), name):
            raise ModellingError(f"`{name}` is a method of the model, so it cannot be set", f"write `m.{name}({spelt(value)})`")
        elif type(self) is Builder:
            raise ModellingError(f"a model has no attribute `{name}` that can be set", unknown_method(name, _methods()).help)
        else:
            # Subclasses of `Builder` may set further attributes.
            super().__setattr__(name, value)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            for kind in NAMES:
                if name in getattr(self, kind):
                    raise NoAttribute(f"a model has no attribute `{name}`", f"write `m.{kind}[{name!r}]`")
            raise unknown_method(name, _methods())

        def __getitem__(self, name: str) -> Any:
            raise ModellingError("a model cannot be indexed", f"write `m.find[{name!r}]`, or `m.given[{name!r}]` for a parameter")

        def __iadd__(self, requirement: Any) -> Any:
            raise ModellingError("nothing can be added to a model with `+=`", f"write `m.require({spelt(requirement)})`")

    @classmethod
    def open(cls, file: "Union[str, os.PathLike[str]]") -> "Builder":
        """Opens a model from a file or from Essence text, to solve, explain or extend it. Its text and comments stay as
        they are.

        >>> import conjure_like as cl
        >>> m = cl.Builder.open("find x, y : int(1..9) $ two digits")
        >>> m.require(m.find["x"] + m.find["y"] == 12)
        >>> print(m)
        find x, y : int(1..9) $ two digits
        <BLANKLINE>
        such that
            x + y = 12
        """
        model = Model(file)
        made = cls()
        if model._text is None:
            made._file = os.fspath(file)
        made._base = model._text if model._text is not None else Path(made._file).read_text(encoding="utf-8-sig")
        made._read(made._base)
        return made

    def _read(self, text: str) -> None:
        for found in _declared(text):
            kind, name, of = found["kind"], found["name"], found["domain"]
            self._taken[name] = of
            if kind in ("given", "find"):
                declared = self.given if kind == "given" else self.find
                declared._names[name] = Name(name, of, self)
            elif of is not None:
                is_type = of.kind in ("enum", "unnamed")
                self.letting._names[name] = of if is_type else of._named(name)
                # Texts are checked against the members of all enumerated types, also those of the file.
                self._members.update({m: of for m in of.names if of.kind == "enum"})
        for name in _values(text):
            self._taken[name] = None
            self.letting._names[name] = Name(name, None, self)

    # ---- declarations

    def domain(self, name: str, of: DomainLike, *, about: str = "") -> Domain:
        """Gives a name to a domain.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> digit = m.domain("digit", cl.Int(0, 9))
        >>> print(m.find("x", cl.Set(digit)).type)
        set of digit
        """
        made = domain(of)
        self._declare("letting", name, made, [about] if about else [], written=f"be domain {made._text(self._writer())}")
        self.letting._names[name] = named = made._named(name)
        return named

    def enum(self, name: Any, members: Any = None, *, about: str = "") -> Domain:
        """Declares an enumerated type.

        `members` is a list of names, an `Enum` class, or a pandas column. `m.enum(C)` takes the name of the class `C`
        as well, and the values in solutions are its members.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> colour = m.enum("colour", ["red", "green", "dark blue"])
        >>> x = m.find("x", colour)
        >>> m.require(x != colour.red, x != "dark blue")
        >>> m.solve().x
        'green'
        """
        if members is None and isinstance(name, type):
            name, members = name.__name__, name
        if members is None:
            raise ModellingError(f"the members of `{name}` are missing", f'write `m.given_enum("{name}")` if they come with the data')
        names = of_enum(members)
        if not names:
            raise ModellingError(f"`{name}` has no members", 'write them, as in `m.enum("colour", ["red", "green"])`')
        for member in names:
            if names.count(member) > 1:
                raise ModellingError(f"`{member}` occurs twice among the members of `{name}`", f"leave one `{member}` out")
        for member in names:
            if not member:
                raise ModellingError("a member has no name", "leave the empty text out")
            if member in self._taken or member in self._members or member == name:
                raise ModellingError(f"`{member}` is already declared", "names of members must differ from all other names of the model")
            if member in RESERVED:
                raise ModellingError(f"`{member}` is a word of Essence, so a member cannot have this name", f"call it `{member}_`")
        made = Domain("enum", name=name, names=names)
        listed = ", ".join(written_name(n) for n in names)
        self._declare("letting", name, made, [about] if about else [], written=f"be new type enum {{{listed}}}")
        self.letting._names[name] = made
        self._members.update({m: made for m in names})
        if isinstance(members, type) and issubclass(members, Enum):
            self._enums[name] = members
        return made

    def given_enum(self, name: str, *, about: str = "") -> Domain:
        """Declares an enumerated type whose members come with the data.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> city = m.given_enum("city")
        >>> home = m.find("home", city)
        >>> m.solve(city=["Oslo"]).home
        'Oslo'
        """
        made = Domain("enum", name=name)
        self._declare("given", name, made, [about] if about else [], written="new type enum")
        self.given._names[name] = Name(name, Domain("domain", (made,)))
        return made

    def unnamed(self, name: str, size: Any, *, about: str = "") -> Domain:
        """Declares a type of `size` members without names or order.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> player = m.unnamed("player", 4)
        >>> team = m.find("team", cl.Set(player, size=2))
        >>> m.count()
        6
        """
        if isinstance(size, (list, tuple, set, str)):
            raise ModellingError(f"the members of `{name}` have no names", f"write their number, or `m.enum({name!r}, {size!r})` for named ones")
        made = Domain("unnamed", name=name)
        self._declare(
            "letting", name, made, [about] if about else [], written=f"be new type of size {expression(size)._text(self._writer())}"
        )
        self.letting._names[name] = made
        return made

    def _refuse_no_name(self, kind: str, name: object, value: str) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ModellingError(f"{name!r} is not a name", f'write the name first, as in `m.{kind}("x", {value})`')

    def _declare(self, kind: str, name: str, of: Optional[Domain], comments: Sequence[str], written: str = "") -> Expr:
        self._refuse_no_name(kind, name, "cl.Int(1, 9)")
        if name in self._taken or name in self._members:
            raise ModellingError(f"`{name}` is already declared", "names must be unique in a model; in a notebook, first run the cell with `cl.Builder(…)` again")
        if name in RESERVED:
            raise ModellingError(f"`{name}` is a word of Essence, so nothing can have this name", f"call it `{name}_`")
        text = written or f": {of._text(self._writer()) if of else ''}"
        self._add(kind, f"{written_name(name)} {text}", comments)
        self._taken[name] = of
        return Name(name, of, self)

    # ---- requirements and goals

    def require(self, *requirements: Requirement, name: str = "", about: str = "", **equations: Any) -> None:
        """Requires that every solution satisfies expressions, generators of expressions, or texts in Essence.

        `name` states the requirement in a sentence, which `why`, apps and messages show. `about` is a longer comment
        above it.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Matrix(cl.Int(1, 3), of=cl.Int(1, 9)))
        >>> m.require((x[i] < x[i + 1] for i in cl.Int(1, 2)), x[1] > 2, name="The numbers grow.")
        >>> print(*m.requirements, sep=chr(10))
        forAll i : int(1..2) . x[i] < x[i + 1]
        x[1] > 2
        """
        for left, right in equations.items():
            if left in self._taken:
                raise ModellingError("`=` passes an argument in Python", f"write `{left} == {spelt(right)}`")
            is_of_wish = left in ("level", "price")
            raise ModellingError(
                f"`m.require` has no argument `{left}`",
                f"write `m.wish(…, {left}={spelt(right)})`" if is_of_wish else "it has `name` and `about`; write `==` to compare",
            )
        self._statements += self._required(requirements, name, about)

    def _required(self, requirements: Sequence[Requirement], name: str, about: str = "") -> List[Statement]:
        if not isinstance(name, str):
            raise ModellingError(
                f"the name of a requirement is a text, not {spelt(name)}", f"write `==` to compare, as in `name == {spelt(name)}`"
            )
        comments = [c for c in (*([about, ""] if about and name else [about]), name) if c or about and name]
        return self._stated("such that", requirements, comments, name)

    def where(self, *conditions: Requirement, about: str = "") -> None:
        """Adds conditions on the parameters.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> n = m.given("n", cl.Int())
        >>> m.where(n > 2)
        >>> print(m)
        language Essence 1.3
        <BLANKLINE>
        given n : int
        <BLANKLINE>
        where
            n > 2
        """
        self._statements += self._stated("where", conditions, [about] if about else [], "")

    def wish(self, requirement: Requirement, price: int = 1, *, name: str = "", level: Optional[int] = None) -> None:
        """Adds a requirement that may be violated at a price. The sum of the prices is minimised.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.wish(x > 5, 3, name="a large number")
        >>> m.wish(x < 4, 2, name="a small number")
        >>> m.solve().x > 5
        True
        """
        if isinstance(price, str):
            raise ModellingError(f"{price!r} is not a price", f"write `name={price!r}` for the name of the wish")
        if isinstance(price, bool) or not isinstance(price, int) or price < 0:
            raise ModellingError(f"{price!r} is not a price", "the price of a wish is a whole number that is not negative")
        on = f", level {level}" if level is not None else ""
        self._statements += self._stated("such that", [requirement], [f"wish {price}{on}: {name}" if name else f"wish {price}{on}"], name)

    def _copied(self) -> "Builder":
        copied = object.__new__(type(self))
        vars(copied).update(vars(self), _statements=list(self._statements))
        return copied

    def __copy__(self) -> "Builder":
        # A deep copy, because a shallow one would share the tables of names.
        return copy.deepcopy(self)

    def _stated(self, kind: str, requirements: Sequence[Requirement], comments: Sequence[str], name: str) -> List[Statement]:
        """Returns the statements for requirements, with the comments above the first one."""
        place, stated = outside(), []
        if not requirements:
            raise ModellingError("the requirement is missing", "write the requirement between the parentheses")
        for requirement in requirements:
            self._refuse_words(requirement, requirements)
            for text in self._texts(requirement):
                stated.append(Statement(kind, text, tuple(_comment_lines(comments)), place, name, isinstance(requirement, str)))
                # The name and the comment of several requirements stand once, above the first.
                comments = ()
        return stated

    def _refuse_words(self, requirement: Requirement, beside: Sequence[Requirement]) -> None:
        """Refuses values that require nothing: Booleans that Python computed, and a name that is given as one of
        several requirements.
        """
        if isinstance(requirement, bool) or type(requirement).__name__ in ("bool_", "bool") and hasattr(requirement, "dtype"):
            raise refuse_constant(bool(requirement))
        is_text = isinstance(requirement, str) and requirement not in self._taken and not re.search(r"[^\w\s.,:;'’–-]", requirement)
        if is_text and len(beside) > 1:
            raise ModellingError(f"{requirement!r} is a text, which would be read as Essence", f"write `name={requirement!r}` for the name")

    def _texts(self, requirement: Requirement) -> Iterator[str]:
        if isinstance(requirement, str):
            yield requirement
            return
        if isinstance(requirement, Expr):
            _check_condition(requirement)
            yield requirement._text(self._writer())
            return
        for one in _conditions(requirement):
            if isinstance(one, bool):
                # A requirement that Python has computed to be true adds nothing; a false one makes the model
                # unsatisfiable.
                if not one:
                    yield "false"
                continue
            made = expression(one)
            _check_condition(made)
            yield made._text(self._writer())

    def minimise(self, *goals: Any, about: str = "") -> None:
        """Minimises a goal; of several goals, earlier ones take precedence.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.require(x % 4 == 0)
        >>> m.minimise(x)
        >>> m.solve().objective
        4
        """
        self._goal("minimising", goals, about)

    def maximise(self, *goals: Any, about: str = "") -> None:
        """Maximises a goal; of several goals, earlier ones take precedence.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.require(x % 4 == 0)
        >>> m.maximise(x)
        >>> m.solve().objective
        8
        """
        self._goal("maximising", goals, about)

    minimize, maximize = minimise, maximise

    def pareto(
        self, *, minimise: Union[Expr, Sequence[Any]] = (), maximise: Union[Expr, Sequence[Any]] = (), about: str = ""
    ) -> None:
        """Asks for all Pareto-optimal solutions, which are the trade-offs between several goals.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x, y = m.find("x", cl.Int(0, 3)), m.find("y", cl.Int(0, 3))
        >>> m.require(x + y >= 3)
        >>> m.pareto(minimise=[x, y])
        >>> len(list(m.solutions()))
        4
        """
        sides = (("minimising", minimise), ("maximising", maximise))
        goals = [(word, g) for word, side in sides for g in ([side] if isinstance(side, Expr) else side)]
        listed = ", ".join(f"{direction} {self._expression_text(g)}" for direction, g in goals)
        self._refuse_second_goal("give all goals at once, as in `m.pareto(minimise=[a], maximise=[b])`")
        self._add("dominance relation", f"pareto({listed})", [about] if about else [])

    def dominance(self, condition: Any, *, about: str = "") -> None:
        """Asks for all solutions that no other solution dominates.

        `condition` states when a solution dominates another one, whose values are `from_solution(…)`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> s = m.find("s", cl.Set(cl.Int(1, 4), min_size=2))
        >>> m.require(cl.sum(s) % 2 == 0)
        >>> m.dominance(s < cl.from_solution(s))
        >>> len(list(m.solutions()))
        2
        """
        self._refuse_second_goal("join the conditions with `&` or `|`")
        self._add("dominance relation", self._expression_text(condition), [about] if about else [])

    def incomparability(self, value: Any, *, descending: bool = False) -> None:
        """Sets the order in which the solutions of a dominance relation are enumerated: ascending or descending by a
        value.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> s = m.find("s", cl.Set(cl.Int(1, 4)))
        >>> m.dominance(s < cl.from_solution(s))
        >>> m.incomparability(cl.size(s))
        >>> len(list(m.solutions()))
        1
        """
        self._add("incomparability_function", f"{'descending' if descending else 'ascending'} {self._expression_text(value)}", ())

    def branching(self, *values: Any) -> None:
        """Sets the variables on which the solver branches first. The solutions stay the same.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.branching(x)
        """
        self._add("branching", f"on [{', '.join(self._expression_text(v) for v in values)}]", ())

    def heuristic(self, name: str) -> None:
        """Sets the search heuristic: static, sdf, conflict, srf, ldf, wdeg or domoverwdeg. The solutions stay the same.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.heuristic("sdf")
        """
        if name not in HEURISTICS:
            raise ModellingError(f"there is no heuristic `{name}`", f"write one of {', '.join(map(repr, HEURISTICS))}")
        self._add("heuristic", name, ())

    def comment(self, text: str) -> None:
        """Adds a comment as a statement, such as `app: title …` or `unit objective: 0.01`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> m.comment("app: title Rota of the ward")
        """
        self._statements.append(Statement("", "\n".join(f"$ {line}".rstrip() for line in text.splitlines()), (), outside()))

    def essence(self, text: str) -> None:
        """Adds statements that you have as Essence text.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> m.essence("find x, y : int(1..9)")
        >>> m.require(m.find["x"] > m.find["y"])
        """
        stated = [Statement("", text, (), outside(), is_essence=True)]
        lines = self._lines(stated)
        self._told(lambda: self._read("".join(f"{line.text}\n" for line in lines)), lines)
        self._statements += stated

    def _goal(self, word: str, goals: Sequence[Any], about: str) -> None:
        self._refuse_second_goal("give several goals in one call, most important first, as in `m.minimise(a, b)`")
        if not goals:
            raise ModellingError("the goal is missing", f"write it between the parentheses, as in `m.{word[:-3]}e(cost)`")
        joined: Any = tuple
        if len(goals) == 1 and isinstance(goals[0], (list, tuple)):
            # `m.minimise([a, b])` is the same as `m.minimise(a, b)`.
            joined, (goals,) = type(goals[0]), goals
        made = [expression(g) for g in goals]
        for goal in made:
            if goal._kind in ("set", "mset", "matrix", "list"):
                raise ModellingError(
                    f"a goal is a number, but `{spelt(goal)}` is a {goal._kind}",
                    f"write `cl.sum({spelt(goal)})` or `cl.size({spelt(goal)})`; for several goals, write the most important first, as in `m.minimise(a, b)`",
                )
            if goal._kind == "bool":
                raise ModellingError(
                    f"a goal is a number, but `{spelt(goal)}` is true or false", f"write `cl.to_int({spelt(goal)})`, or `require` it"
                )
        self._add(word, self._expression_text(made[0] if len(made) == 1 else joined(made)), [about] if about else [])

    def _refuse_second_goal(self, help: str) -> None:
        if any(s.kind in ("minimising", "maximising", "dominance relation") for s in self._statements):
            raise ModellingError("the model already has a goal", help)

    def _add(self, kind: str, text: str, comments: Sequence[str]) -> None:
        self._statements.append(Statement(kind, text, tuple(_comment_lines(comments)), outside()))

    # ---- as text

    def _writer(self) -> Writer:
        return _ModelWriter(self)

    def _expression_text(self, value: Any) -> str:
        return expression(value)._text(self._writer())

    @property
    def text(self) -> str:
        """The model in Essence.

        >>> import conjure_like as cl
        >>> cl.Builder("Nothing").text.splitlines()
        ['$ Nothing', 'language Essence 1.3']
        """
        return "".join(f"{line.text}\n" for line in self._lines())

    def _lines(self, more: Sequence[Statement] = ()) -> List[Line]:
        if self._base:
            head = [Line(t, self._of_file(t, number)) for number, t in enumerate(self._base.rstrip().splitlines(), 1)]
        else:
            about = [line for text in self._about.splitlines() for line in textwrap.wrap(text, WIDTH) or [""]]
            title = [*self._title.splitlines(), *(["", *about] if about else [])]
            head = [Line(f"$ {t}".rstrip(), None) for t in title] + [Line("language Essence 1.3", None)]
        statements = [*self._statements, *more]
        return [*head, *([Line("", None)] if statements else []), *layout(statements)]

    def _of_file(self, text: str, line: int) -> Optional[Statement]:
        """Returns the statement for a line of the file that the model was opened from."""
        return Statement("", text, (), Place(self._file, line), is_essence=True) if self._file else None

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Builder: given {', '.join(self.given)}; find {', '.join(self.find)}>".replace("given ; ", "")

    def _repr_html_(self) -> str:
        """The model and the picture of the last solution, as Jupyter shows them."""
        import html

        try:
            drawn = self._last.picture("svg") if self._last is not None else ""
        except EssenceError as error:
            drawn = f"<pre>{html.escape(str(error))}</pre>"
        return f"<pre>{html.escape(self.text)}</pre>{drawn}"

    @property
    def requirements(self) -> "List[Required]":
        """The requirements of the model, including those of the file that it was opened from.

        >>> import conjure_like as cl
        >>> m = cl.Builder.open("find x : int(1..9)\\nsuch that\\n    x > 3")
        >>> m.require(m.find["x"] < 5)
        >>> [str(r) for r in m.requirements]
        ['x > 3', 'x < 5']
        """
        found = self._requirements_of_file()
        return found + [Required(s.text, s.name, s.place) for s in self._statements if s.kind == "such that"]

    def _requirements_of_file(self) -> "List[Required]":
        if not self._base:
            return []
        lines = self._base.splitlines()
        form = SHARED.ask("form", {"model": {"name": TEXT, "text": self._base}, "data": []})
        found = []
        for r in form["requirements"]:
            text = " ".join(" ".join(line.split()) for line in lines[r["first_line"] - 1 : r["last_line"]]).rstrip(",")
            found.append(Required(text, None, Place(self._file, r["first_line"]) if self._file else None))
        return found


class Required(NamedTuple):
    """A requirement: its text, and its name and line of Python if it has them."""

    text: str
    name: Optional[str]
    place: Optional[Place]

    def __str__(self) -> str:
        return self.text


class _ModelWriter(Writer):
    """A writer that knows the names of a model."""

    def __init__(self, model: Builder):
        super().__init__(_Taken(model))
        self._model = self.owner = model

    def member(self, name: str) -> str:
        if name in self._model._taken:
            kind = next((k for k in ("find", "given") if name in getattr(self._model, k)), "")
            raise ModellingError(
                f"`{name}` is a text, and a text is a member of an enumerated type",
                f"write the variable itself, without quotation marks{f', or `m.{kind}[{name!r}]`' if kind else ''}",
            )
        if name not in self._model._members:
            raise _unknown(name, self._model._members, f"`{name}` is a text, and no enumerated type of the model has such a member")
        return written_name(name)


class _Taken:
    """The names that quantified names must not have, as a container."""

    def __init__(self, model: Builder):
        self._model = model

    def __contains__(self, name: object) -> bool:
        return name in self._model._taken or name in self._model._members


def _methods() -> Iterable[str]:
    return [*(n for n in dir(Builder) if not n.startswith("_")), *NAMES]


def _unknown(name: str, known: Iterable[str], said: str) -> ModellingError:
    import difflib

    listed = [str(k) for k in known]
    near = difflib.get_close_matches(str(name), listed, 1)
    missing = f'declare it first, as in `m.enum("colour", ["{name}", …])`'
    return ModellingError(said, f"did you mean `{near[0]}`?" if near else f"there are {', '.join(listed)}" if listed else missing)


def _conditions(requirement: Requirement) -> Iterator[Any]:
    """Yields the conditions of a requirement. A generator over quantified names becomes one condition for each
    clause.
    """
    if isinstance(requirement, GeneratorType):
        for clause in comprehension(requirement).clauses:
            if clause.generators:
                yield Aggregate("and", Comprehension([clause]), BOOL)
            else:
                yield clause.element
    elif isinstance(requirement, (list, tuple)):
        for one in requirement:
            yield from _conditions(one)
    elif isinstance(requirement, Expr) or isinstance(requirement, bool):
        yield requirement
    elif hasattr(requirement, "dtype"):
        # An array of NumPy holds one requirement in each element.
        for one in requirement.ravel().tolist():
            yield from _conditions(one)
    else:
        yield expression(requirement)


def _check_condition(made: Expr) -> None:
    if isinstance(made, Member):
        raise ModellingError(f"`{spelt(made)}` is a text, not a condition", "a requirement is a condition, such as `x + y == 3`")
    inner = made
    # The message names the element of a generator, not the quantifier around it.
    while isinstance(inner, Aggregate) and inner.word == "and" and len(inner.over.clauses) == 1:
        inner = inner.over.clauses[0].element
    if inner.type is not None and inner.type.kind not in ("bool", "any", "matrix", "list"):
        raise ModellingError(
            f"`{spelt(inner)}` is of type `{inner.type}`, so it is neither true nor false",
            "a requirement is a condition, such as `x + y == 3`",
        )


def _comment_lines(comments: Sequence[str]) -> Iterator[str]:
    for comment in comments:
        yield from comment.splitlines() or [""]


def _declared(text: str) -> List[Dict[str, Any]]:
    listed = SHARED.ask("declare", {"model": {"name": TEXT, "text": text}})["declared"]
    from ..domains import _domain

    return [
        {"kind": d["kind"], "name": d["name"], "domain": of_declaration(_domain(d["domain"])) if d.get("domain") else None} for d in listed
    ]


def _values(text: str) -> Iterator[str]:
    """Yields the names that the model gives to values."""
    for symbol in SHARED.ask("symbols", {"model": {"name": TEXT, "text": text}})["symbols"]:
        if symbol["kind"] == "value":
            yield symbol["name"]


check_methods(Builder)
check_methods(Questions)
Declared.__call__ = checked(Declared.__call__)  # type: ignore[method-assign]
Lettings.__call__ = checked(Lettings.__call__)  # type: ignore[method-assign]

if "IPython.core.interactiveshell" in sys.modules:
    # `Builder` has a `__getattr__`, so Jupyter completes `m.find[` only if it is allowed to look up its attributes.
    with contextlib.suppress(ImportError, LookupError, AttributeError):
        policies = importlib.import_module("IPython.core.guarded_eval").EVALUATION_POLICIES
        policies["limited"].allowed_getattr.add(Builder)

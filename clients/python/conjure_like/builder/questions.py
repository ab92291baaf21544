"""The methods of `Builder` that ask the program."""

import html
import os
from enum import Enum
from pathlib import Path
from types import GeneratorType
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union

from ..asynchronous import AsyncSolutions
from ..errors import Diagnostic, EssenceError
from ..model import Known, Model, Parameters, names_a_file
from ..program import Members, Run, named_texts
from ..progress import Listener, Progress
from ..results import Answer, Picture, Result, Solution, Solutions
from ..service import SHARED
from ..session import Session
from .expressions import Expr
from .messages import NamedAnswer, answer_in_python, translated
from .mistakes import ModellingError, Place, check_methods, outside
from .statements import Line, Statement

Found = TypeVar("Found")

#: A partial or expected solution: values by name, Essence, a file, an expression, or a list or generator of
#: expressions.
Expected = Union[Known, Expr, List[Expr], Tuple[Expr, ...], "GeneratorType[Any, None, None]"]


class Comparison(NamedTuple):
    """The result of `Builder.compare`: `same` if no difference was found, `complete` if that is certain, and the
    answer as text.
    """

    same: bool
    complete: bool
    text: str

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Comparison: {self.text}>"


class Exploration(NamedTuple):
    """The result of `Builder.explore`: the number of solutions listed, their extent (`all`, `sample` or `first`),
    and the page.
    """

    found: int
    extent: str
    complete: bool
    page: Picture

    def __repr__(self) -> str:
        return f"<Exploration: {self.found} {'solution' if self.found == 1 else 'solutions'}, {self.extent}>"

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="600" srcdoc="{html.escape(str(self.page))}"></iframe>'


class BuilderSession(Session):
    """The session that `Builder.session` returns: it takes expressions, and its messages name lines of Python."""

    def __init__(self, builder: "Questions", model: Model, parameters: Optional[Mapping[str, Any]], data: Mapping[str, Any]):
        self._builder = builder
        # Requirements that are added to the builder later do not belong to the session.
        self._opened = builder._copied()
        #: The statements of each step that adds requirements, by the number of the step.
        self._stated: Dict[int, List[Statement]] = {}
        super().__init__(model, parameters, data)

    def require(self, *requirements: Any, name: str = "") -> None:
        """Adds requirements as one step: expressions, generators of expressions, or texts in Essence. `why` shows
        `name`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Matrix(cl.Int(1, 3), of=cl.Int(1, 9)))
        >>> with m.session() as s:
        ...     s.require((x[i] < x[i + 1] for i in cl.Int(1, 2)), name="The numbers grow.")
        ...     s.solve().x.tolist()
        [1, 2, 3]
        """
        stated = self._builder._required(requirements, name)
        try:
            super().require(*[one.text for one in stated])
        except EssenceError:
            # Checking the whole model raises the same error with a line of Python.
            self._opened._asked([*self._held(), *stated], _checked)
            raise
        self._stated[len(self._steps) - 1] = stated

    def undo(self, steps: int = 1) -> None:
        """Undoes the last step, or the last `steps` steps.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> with m.session() as s:
        ...     s.require(x > 9)
        ...     s.undo()
        ...     bool(s.solve())
        True
        """
        super().undo(steps)
        self._stated = {step: stated for step, stated in self._stated.items() if step < len(self._steps)}

    def why(
        self, *, forced: Any = None, steps: bool = False, time_limit: Optional[float] = None, options: Sequence[str] = ()
    ) -> NamedAnswer:
        """Explains why there is no solution under the current steps; see `Builder.why`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.require(x > 4, name="x is large")
        >>> with m.session() as s:
        ...     s.require(x % 4 == 0)
        ...     s.require(x < 6, name="x is small")
        ...     bool(s.solve()), s.why().names
        (False, ['x is large', '', 'x is small'])
        """
        how = {"steps": steps, "time_limit": time_limit, "options": options}
        asked = None if forced is None else self._builder._essence(forced)
        return self._opened._explained(self._held(), lambda model: model.why(self.data, forced=asked, **how))  # type: ignore[arg-type]

    def _ask(self, request: Members, hear: Callable[[Members], None] = lambda _: None) -> Members:
        try:
            return super()._ask(request, hear)
        except EssenceError as error:
            told = translated(error, self._opened._lines())
        raise told

    def _held(self) -> List[Statement]:
        return [one for stated in self._stated.values() for one in stated]


check_methods(BuilderSession)


class Questions:
    """The part of `Builder` that asks the program."""

    _built: Optional[Tuple[str, Model]] = None
    #: The Python classes of enumerated types: their members are the values in solutions.
    _enums: Dict[str, Type[Enum]] = {}
    _last: Optional[Solution] = None
    _title: str = ""

    @property
    def text(self) -> str:
        """The model in Essence."""
        raise NotImplementedError

    def _lines(self, more: Sequence[Statement] = ()) -> List[Line]:
        raise NotImplementedError

    def _texts(self, requirement: Any) -> Iterator[str]:
        raise NotImplementedError

    def _required(self, requirements: Sequence[Any], name: str) -> List[Statement]:
        raise NotImplementedError

    def _copied(self) -> "Questions":
        """Returns a snapshot of the model."""
        raise NotImplementedError

    @property
    def model(self) -> Model:
        """The `Model` of the text, with all methods of models.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.model
        <Model: find x>
        """
        return self._made(())

    def _fixed(self, fix: Any) -> Sequence[Statement]:
        if isinstance(fix, Mapping):
            equations = ", ".join(f"{name} == {value!r}" for name, value in fix.items())
            raise ModellingError("`fix` takes requirements, not values", f"write `fix=[{equations}]`")
        wanted = [] if fix is None else list(fix) if isinstance(fix, (list, tuple)) else [fix]
        return self._required(wanted, "") if wanted else []

    def _made(self, more: Sequence[Statement]) -> Model:
        lines = self._lines(more)
        text = "".join(f"{line.text}\n" for line in lines)
        # Questions are often asked in a row; the program reads the model again only if its text has changed.
        if self._built is None or self._built[0] != text:
            model = self._told(lambda: Model(text), lines)
            model._declared = model._declared.with_enums(self._enums)
            self._built = (text, model)
        return self._built[1]

    def _told(self, asked: Callable[[], Found], lines: Sequence[Line]) -> Found:
        """Calls `asked`; an error of the program names lines of Python instead of lines of the model."""
        try:
            return asked()
        except EssenceError as error:
            told = translated(error, lines)
            if told is error:
                raise
        # Raised outside `except`: otherwise Python would show the error about the text of the model first.
        raise told

    def _ask(self, fix: Any, asked: Callable[[Model], Found]) -> Found:
        return self._asked(self._fixed(fix), asked)

    def _asked(self, more: Sequence[Statement], asked: Callable[[Model], Found]) -> Found:
        """Calls `asked` with the model extended by the statements `more`."""
        lines = self._lines(more)
        model = self._made(more)
        found = self._told(lambda: asked(model), lines)
        if isinstance(found, Result) and found:
            # Jupyter draws the last solution below the text of the model.
            self._last = found.solution
        return found

    def _explained(self, more: Sequence[Statement], asked: Callable[[Model], Answer], expected: Optional[Place] = None) -> NamedAnswer:
        """Explains the model extended by the statements `more`."""
        return answer_in_python(self._asked(more, asked), self._lines(more), expected)

    def solve(
        self, parameters: Parameters = None, /, *, fix: Any = None, number: Optional[int] = None, time_limit: Optional[float] = None,
        progress: Listener = False, options: Sequence[str] = (), **data: Any,
    ) -> Result:  # fmt: skip
        """Finds a solution; see `Model.solve`. `fix` holds additional requirements for this call, as expressions or
        texts.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.solve(fix=x * x == 49).x
        7
        """
        how = {"number": number, "time_limit": time_limit, "progress": progress, "options": options}
        return self._ask(fix, lambda model: model.solve(parameters, **how, **data))  # type: ignore[arg-type]

    def solutions(
        self, parameters: Parameters = None, /, *, fix: Any = None, number: Union[int, str] = "all", time_limit: Optional[float] = None,
        options: Sequence[str] = (), **data: Any,
    ) -> Solutions:  # fmt: skip
        """Iterates over all solutions; see `Model.solutions`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> [solution.x for solution in m.solutions(fix=x > 8)]
        [9]
        """
        how = {"number": number, "time_limit": time_limit, "options": options}
        return self._ask(fix, lambda model: _checked(model).solutions(parameters, **how, **data))  # type: ignore[arg-type]

    async def solve_async(
        self, parameters: Parameters = None, /, *, fix: Any = None, number: Optional[int] = None, time_limit: Optional[float] = None,
        progress: Optional[Callable[[Progress], None]] = None, options: Sequence[str] = (), **data: Any,
    ) -> Result:  # fmt: skip
        """Like `solve`, for programs with an event loop; see `Model.solve_async`.

        >>> import asyncio
        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> asyncio.run(m.solve_async(fix=x > 8)).x
        9
        """
        how = {"number": number, "time_limit": time_limit, "progress": progress, "options": options}
        more = self._fixed(fix)
        lines, model = self._lines(more), self._made(more)
        try:
            return await model.solve_async(parameters, **how, **data)  # type: ignore[arg-type]
        except EssenceError as error:
            raise translated(error, lines) from None

    def solutions_async(
        self, parameters: Parameters = None, /, *, fix: Any = None, number: Union[int, str] = "all", time_limit: Optional[float] = None,
        options: Sequence[str] = (), **data: Any,
    ) -> AsyncSolutions:  # fmt: skip
        """Like `solutions`, for programs with an event loop; see `Model.solutions_async`.

        >>> import asyncio
        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> async def all_of_them():
        ...     return [solution.x async for solution in m.solutions_async(fix=x > 8)]
        >>> asyncio.run(all_of_them())
        [9]
        """
        how = {"number": number, "time_limit": time_limit, "options": options}
        return self._ask(fix, lambda model: _checked(model).solutions_async(parameters, **how, **data))  # type: ignore[arg-type]

    def count(self, parameters: Parameters = None, /, *, fix: Any = None, time_limit: Optional[float] = None, **data: Any) -> int:
        """Returns the number of solutions; see `Model.count`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.count(fix=x % 2 == 0)
        4
        """
        return self._ask(fix, lambda model: model.count(parameters, time_limit=time_limit, **data))

    def why(
        self, parameters: Parameters = None, /, *, fix: Any = None, forced: Any = None, steps: bool = False,
        time_limit: Optional[float] = None, options: Sequence[str] = (), **data: Any,
    ) -> NamedAnswer:  # fmt: skip
        """Explains why there is no solution; see `Model.why`. The positions are lines of Python.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 3))
        >>> m.require(x > 2, name="x is large")
        >>> m.why(fix=x < 3).reasons
        ['x > 2', 'x < 3']
        """
        how = {"steps": steps, "time_limit": time_limit, "options": options}
        asked = None if forced is None else self._essence(forced)
        return self._explained(self._fixed(fix), lambda model: model.why(parameters, forced=asked, **how, **data))  # type: ignore[arg-type]

    def explain(
        self, expected: Expected, parameters: Parameters = None, /, *, fix: Any = None, steps: bool = False,
        time_limit: Optional[float] = None, options: Sequence[str] = (), **data: Any,
    ) -> NamedAnswer:  # fmt: skip
        """Explains why values, or values that satisfy an expression, are not a solution; see `Model.explain`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.require(x % 2 == 0)
        >>> m.explain({"x": 3}).reasons
        ['x % 2 = 0']
        >>> m.explain(x == 3).verdict
        'not extensible'
        """
        how = {"steps": steps, "time_limit": time_limit, "options": options}
        known, place = self._known(expected)
        return self._explained(self._fixed(fix), lambda model: model.explain(known, parameters, **how, **data), place)  # type: ignore[arg-type]

    def hint(
        self, parameters: Parameters = None, /, *, fix: Any = None, known: Optional[Expected] = None, all: bool = False,
        time_limit: Optional[float] = None, options: Sequence[str] = (), **data: Any,
    ) -> NamedAnswer:  # fmt: skip
        """Returns the next step towards the solution; see `Model.hint`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> y = m.find("y", cl.Int(1, 9))
        >>> m.require(x < y)
        >>> m.hint(known=x == 8).steps
        ['y = 9']
        """
        how = {"all": all, "time_limit": time_limit, "options": options}
        said, place = (None, None) if known is None else self._known(known)
        return self._explained(self._fixed(fix), lambda model: model.hint(parameters, known=said, **how, **data), place)  # type: ignore[arg-type]

    def picture(
        self, parameters: Parameters = None, /, *, fix: Any = None, format: str = "svg", time_limit: Optional[float] = None,
        options: Sequence[str] = (), **data: Any,
    ) -> Picture:  # fmt: skip
        """Solves the model and draws the solution; see `Model.picture`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> print(m.picture(format="text", fix=x > 8))
        x = 9
        """
        how = {"format": format, "time_limit": time_limit, "options": options}
        return self._ask(fix, lambda model: model.picture(parameters, **how, **data))  # type: ignore[arg-type]

    def search(self, parameters: Parameters = None, /, **how: Any) -> Picture:
        """Searches with a textbook algorithm and shows every step; see `Model.search`.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> print(str(m.search(strategy="bt")).splitlines()[0])
        x = 1
        """
        return self._ask(None, lambda model: model.search(parameters, **how))

    def app(self, parameters: Optional[Mapping[str, Any]] = None, /, *, height: int = 800, **data: Any) -> Any:
        """Returns the model as an app in a notebook cell; see `Model.app`."""
        return self._ask(None, lambda model: model.app(parameters, height=height, **data))

    def session(self, parameters: Optional[Mapping[str, Any]] = None, /, **data: Any) -> "BuilderSession":
        """Opens a session, an instance that changes step by step; see `Model.session`. Its `require` takes expressions,
        too.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.maximise(x)
        >>> with m.session() as s:
        ...     s.require(x % 4 == 0)
        ...     s.solve().x
        8
        """
        return self._ask(None, lambda model: BuilderSession(self, model, parameters, data))

    def compare(
        self, reference: "Union[Questions, str, os.PathLike[str]]", parameters: Parameters = None, /, *, instances: int = 8,
        time_limit: Optional[float] = None, **data: Any,
    ) -> "Comparison":  # fmt: skip
        """Compares the solutions with another model's. Without data, small instances are generated.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 3))
        >>> m.require(x > 1)
        >>> m.compare("find x : int(1..3) such that x != 1").same
        True
        """
        if isinstance(reference, Questions):
            text = reference.text
        else:
            is_file = isinstance(reference, os.PathLike) or names_a_file(reference)
            text = Path(reference).read_text(encoding="utf-8-sig") if is_file else str(reference)

        def asked(model: Model) -> Comparison:
            arguments, _ = model._instance(parameters, data)

            request = {"model": model._model_text(), "data": named_texts(arguments[1:]), "reference": {"name": "reference", "text": text}}
            limit = {} if time_limit is None else {"limit": time_limit}
            found = SHARED.ask("compare", {**request, "instances": instances, **limit})
            told = answer_in_python(Answer(found, found["text"].rstrip()), self._lines())
            return Comparison(found["same"], found["complete"], str(told))

        return self._ask(None, asked)

    def explore(self, parameters: Parameters = None, /, *, time_limit: Optional[float] = None, **data: Any) -> "Exploration":
        """Counts the solutions, and makes a page that shows the possible values.

        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 3))
        >>> m.explore().found
        3
        """

        def asked(model: Model) -> Exploration:
            arguments, _ = _checked(model)._instance(parameters, data)
            limit = {} if time_limit is None else {"limit": time_limit}
            # The page shows the name of the model.
            named = {"name": self._title or "a model in Python", "text": self.text}
            found = SHARED.ask("explore", {"model": named, "data": named_texts(arguments[1:]), **limit})
            return Exploration(found["found"], found["extent"], found["complete"], Picture(found["page"] or "", "html"))

        return self._ask(None, asked)

    def certify(
        self, folder: "Union[str, os.PathLike[str]]", parameters: Parameters = None, /, *, number: Union[int, str, None] = None,
        time_limit: Optional[float] = None, options: Sequence[str] = (), **data: Any,
    ) -> str:  # fmt: skip
        """Solves the model and writes a certificate of the answer into a folder, for other programs to check; returns
        the status.

        A certificate proves that there is no solution, no better one, or, with `number="all"`, no other one. A single
        solution needs none, because it is checked against the model; nothing is written then.

        >>> import os, tempfile
        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(1, 9))
        >>> m.require(x > 7)
        >>> m.minimise(x)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.certify(folder), sorted(os.listdir(folder))
        ('optimal', ['certificate.json', 'certificate.txt', 'formula.opb', 'proof.pbp'])
        """

        def asked(model: Model) -> str:
            arguments, _ = model._instance(parameters, data)
            limit = [] if time_limit is None else [f"--limit-time={time_limit}"]
            limit += [] if number is None else [f"--number-of-solutions={number}"]
            ended = Run(["solve", *arguments, f"--certify={os.fspath(folder)}", *limit, *options], self.text).result()
            return str(ended["status"])

        return self._ask(None, asked)

    def save(self, file: "Union[str, os.PathLike[str]]") -> None:
        """Writes the model to a file.

        >>> import os, tempfile
        >>> import conjure_like as cl
        >>> m = cl.Builder()
        >>> x = m.find("x", cl.Int(9, 9))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.save(os.path.join(folder, "nine.essence"))
        ...     cl.Model(os.path.join(folder, "nine.essence")).solve().x
        9
        """
        Path(file).write_text(self.text, encoding="utf-8")

    def _known(self, known: "Expected") -> Tuple[Known, Optional[Place]]:
        """Returns a partial solution in a form that `Model` takes, and the line of Python if it consists of
        expressions.
        """
        if isinstance(known, (str, Mapping, os.PathLike)):
            return known, None
        return "\n".join(f"such that {text}" for text in self._texts(known)), outside()

    def _essence(self, value: Any) -> str:
        return value if isinstance(value, str) else " /\\ ".join(f"({t})" for t in self._texts(value))


def _checked(model: Model) -> Model:
    """Returns the model if its text has no errors. An iterator of solutions would report them only when it is read."""
    told = SHARED.ask("check", {"model": model._model_text(), "data": []})["diagnostics"]
    # Errors without labels are about missing data, which come later.
    wrong = [d for d in told if d["severity"] == "error" and d["labels"]]
    if wrong:
        raise EssenceError("\n".join(d["rendered"] for d in wrong), tuple(map(Diagnostic.of, wrong)))
    return model

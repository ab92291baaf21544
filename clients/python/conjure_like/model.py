"""Models, and the methods that solve and explain them."""

import difflib
import functools
import json
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Container, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .asynchronous import AsyncSolutions, waited_for
from .data_in import encode
from .data_out import decode, essence_name
from .domains import Declarations, Domain, declarations
from .errors import ConjureLikeError, DataError, NoSolution
from .known import has_none, is_partial, statements
from .program import Argument, File, Members, Run, named_texts, path
from .progress import Display, Listener, Progress
from .progress import read as read_progress
from .results import Answer, Picture, Result, Solution, Solutions
from .service import SHARED
from .session import Session

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from .app import App

#: The data of an instance: values by name, or the path of a parameter file.
Parameters = Union[Mapping[str, Any], str, "os.PathLike[str]", None]

#: A partial solution or an expected one: values by name, Essence, or the path of a file.
Known = Union[Mapping[str, Any], str, "os.PathLike[str]"]

#: The name of the file that holds the parameter values.
PARAMETERS = "parameters.json"

SUFFIXES = (".essence", ".eprime", ".model")


class Model:
    """A model in Essence, from a file or from text.

    A `Path` is always a file. A `str` is a file if it ends in `.essence`, `.eprime` or `.model`, or if a file has this
    name; otherwise it is the text of the model.

    >>> model = Model("given n : int find s : set (size 2) of int(1..n)")
    >>> model
    <Model: given n; find s>
    >>> sorted(sorted(solution.s) for solution in model.solutions(n=3))
    [[1, 2], [1, 3], [2, 3]]

    Every method takes the data of the instance: as keyword arguments, as a dict, or as the path of a parameter file.
    Use the dict for a parameter that has the name of an argument of the method, such as `number`. `options` are
    command-line options, such as `["--solver=cadical"]`; `time_limit` is in seconds.

    A mistake in the model or the data raises `EssenceError`; a Python value that does not fit its parameter raises
    `DataError`.
    """

    def __init__(self, model: Union[str, "os.PathLike[str]"]):
        self._text: Optional[str] = None
        self._argument = "-"
        if isinstance(model, str) and not names_a_file(model):
            self._text = model
        else:
            self._argument = path(model)
        self._declared = declarations(SHARED.ask("declare", {"model": self._model_text()})["declared"])

    @property
    def parameters(self) -> Dict[str, Domain]:
        """The domains of the parameters, by name."""
        return dict(self._declared.givens)

    @property
    def variables(self) -> Dict[str, Domain]:
        """The domains of the decision variables, by name."""
        return dict(self._declared.finds)

    def __repr__(self) -> str:
        parts = (("given", self._declared.givens), ("find", self._declared.finds))
        return f"<Model: {'; '.join(f'{word} {chr(44).join(names)}' for word, names in parts if names)}>"

    def solve(
        self,
        parameters: Parameters = None,
        /,
        *,
        number: Optional[int] = None,
        time_limit: Optional[float] = None,
        progress: Listener = False,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Result:
        """Finds a solution (the best one if the model has an objective), or up to `number` solutions.

        If the time limit or Ctrl-C stops the search, the result has the solutions found so far, and `Result.status`
        names the reason. If there are none, `LimitReached` or `KeyboardInterrupt` is raised.

        With `progress=True`, the progress is shown while the search runs; a function is called with each `Progress`.

        >>> result = Model("find x : int(1..9) such that x % 4 = 0 maximising x").solve()
        >>> result.x, result.status.state
        (8, 'optimal')
        >>> bool(Model("find x : int(1..3) such that x > 3").solve())
        False
        """
        display = Display()
        said = (display if progress is True else progress) or None
        try:
            return self._solutions(parameters, data, number, time_limit, options, said).collect()
        finally:
            display.clear()

    def solutions(
        self,
        parameters: Parameters = None,
        /,
        *,
        number: Union[int, str] = "all",
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Solutions:
        """Iterates over all solutions (all optimal ones if the model has an objective) while the program searches.

        Leaving the loop ends the program. `number` limits the number of solutions.

        >>> for solution in Model("find x : int(1..1000000)").solutions():
        ...     break
        """
        return self._solutions(parameters, data, number, time_limit, options)

    async def solve_async(
        self,
        parameters: Parameters = None,
        /,
        *,
        number: Optional[int] = None,
        time_limit: Optional[float] = None,
        progress: Optional[Callable[[Progress], None]] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Result:
        """Like `solve`, for programs with an event loop, which keeps running. Cancelling the task ends the search.

        `progress` is called in the event loop.

        >>> import asyncio
        >>> model = Model("given n : int find x : int(n..n + 1) maximising x")
        >>> async def both():
        ...     return await asyncio.gather(model.solve_async(n=3), model.solve_async(n=5))
        >>> [result.objective for result in asyncio.run(both())]
        [4, 6]
        """
        import asyncio

        loop = asyncio.get_running_loop()
        said = progress and (lambda progressed: _told(loop, progress, progressed))
        start = functools.partial(self._solutions, parameters, data, number, time_limit, options, said)
        found = await asyncio.to_thread(start)
        return await waited_for(found, found.collect)

    def solutions_async(
        self,
        parameters: Parameters = None,
        /,
        *,
        number: Union[int, str] = "all",
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> AsyncSolutions:
        """Like `solutions`, for programs with an event loop: `async for solution in model.solutions_async(): …`."""
        return AsyncSolutions(functools.partial(self._solutions, parameters, data, number, time_limit, options))

    def session(self, parameters: Optional[Mapping[str, Any]] = None, /, **data: Any) -> Session:
        """Opens a session: an instance that you change step by step and solve repeatedly, while the program keeps what
        it has learnt.

        >>> with Model("find x : int(1..9) maximising x").session() as s:
        ...     s.require("x % 4 = 0")
        ...     s.solve().x
        8
        """
        return Session(self, parameters, data)

    def count(
        self,
        parameters: Parameters = None,
        /,
        *,
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> int:
        """Returns the number of solutions. Raises `ConjureLikeError` if a limit stops the search.

        >>> Model("find s : set of int(1..5)").count()
        32
        """
        found = self.solutions(parameters, time_limit=time_limit, options=options, **data)
        with found:
            count = sum(1 for _ in found)
        assert found.status is not None
        if not found.status.complete:
            raise ConjureLikeError(f"{found.status.stopped_by} ended the search after {count} solutions")
        return count

    def why(
        self,
        parameters: Parameters = None,
        /,
        *,
        forced: Optional[str] = None,
        steps: bool = False,
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Answer:
        """Explains why there is no solution. With `forced`, decides if that constraint holds in every solution, and
        explains the answer.

        With `steps`, the explanation is a list of small steps, each checked by the solver: see `Answer.steps`.

        >>> answer = Model("find x : int(1..3) such that x > 3").why()
        >>> answer.reasons
        ['`x` is at most 3', 'x > 3']
        >>> answer.changes
        ['change 3 to 4 in line 1 (1)', 'leave out (2)', 'change 3 to 2 in line 1 (2)']
        """
        arguments, _ = self._instance(parameters, data)
        asked = [] if forced is None else [f"--forced={forced}"]
        return self._answer("why", [*arguments, *asked, *_steps(steps)], time_limit, options)

    def explain(
        self,
        expected: Known,
        parameters: Parameters = None,
        /,
        *,
        steps: bool = False,
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Answer:
        """Explains why `expected` is not a solution.

        `expected` holds values for some or all decision variables, as a dict, a file, or Essence.

        With `steps`, small steps show why a partial solution cannot be extended.

        In a dict, `None` stands for an unknown part of a value, and a value such as `{(1, 2): 5}` gives single elements
        of a matrix.

        >>> model = Model("given n : int find x, y : int(1..n) such that x < y")
        >>> model.explain({"x": 3, "y": 2}, n=3).reasons
        ['x < y']
        >>> model.explain("such that x = 3", n=3).verdict
        'not extensible'
        """
        arguments, declared = self._instance(parameters, data)
        solution = self._known(expected, "expected", declared.finds)
        return self._answer("why", [*arguments, "--expect", solution, *_steps(steps)], time_limit, options)

    def hint(
        self,
        parameters: Parameters = None,
        /,
        *,
        known: Optional[Known] = None,
        all: bool = False,
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Answer:
        """Returns the next step towards the solution, with its reasons; `all=True` returns all steps.

        `known` is the part of the solution that you already have, in any form that `explain` takes.

        >>> Model("find x : int(1..2) such that x > 1").hint(all=True).verdict
        'solved'
        """
        arguments, declared = self._instance(parameters, data)
        if known is not None:
            arguments += ["--partial", self._known(known, "known", declared.finds)]
        return self._answer("hint", [*arguments, *(["--all"] if all else [])], time_limit, options)

    def search(
        self,
        parameters: Parameters = None,
        /,
        *,
        strategy: Optional[str] = None,
        format: str = "text",
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Picture:
        """Searches with a textbook algorithm and shows every step, as `text` or as an `html` page.

        `conjure-like search --help` lists the values of `strategy`.

        >>> print(Model("find x, y : int(1..2) such that x > y").search(strategy="ac3"))
        x loses 1: x = 2
        y loses 2: y = 1
        x = 2
          y = 1
            solution
        <BLANKLINE>
        language Essence 1.3
        <BLANKLINE>
        letting x be 2
        letting y be 1
        """
        arguments, _ = self._instance(parameters, data)
        asked = [*([] if strategy is None else [f"--strategy={strategy}"]), *_limit(time_limit), *options]
        with tempfile.TemporaryDirectory(prefix="conjure-like-") as folder:
            page = Path(folder) / "search.html"
            shown = ["--trace"] if format == "text" else ["--html", str(page)]
            text = self._run(["search", *arguments, *shown, *asked]).result().get("text", "")
            return Picture(text.rstrip("\n") if format == "text" else page.read_text(encoding="utf-8"), format)

    def picture(
        self,
        parameters: Parameters = None,
        /,
        *,
        format: str = "svg",
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
        **data: Any,
    ) -> Picture:
        """Solves the model and draws the solution; `format` is `text`, `svg` or `html`. Raises `NoSolution` if there is
        none.

        >>> print(Model("find x : int(1..2) such that x > 1").picture(format="text"))
        x = 2
        """
        arguments, _ = self._instance(parameters, data)
        ended = self._run(["solve", *arguments, f"--picture={format}", *_limit(time_limit), *options]).result()
        if not ended["solutions"]:
            raise NoSolution("the model has no solution, so there is nothing to draw; call `why` to see the reason")
        return Picture(ended["text"].rstrip("\n"), format)

    def app(self, parameters: Optional[Mapping[str, Any]] = None, /, *, height: int = 800, **data: Any) -> "App":
        """Returns the model as an app in a notebook cell, for people who do not know Essence: forms for the data, and a
        solution to click on.

        `app.data` and `app.solution` hold the data and the solution that the user has entered and found. `height` is in
        pixels. Requires anywidget (`pip install conjure_like[app]`). The wheel contains the page of
        apps; in a checkout, `make app` builds it.
        """
        from .app import App

        values = {**(parameters or {}), **data}
        with tempfile.TemporaryDirectory(prefix="conjure-like-") as folder:
            page = Path(folder) / "app.html"
            arguments, _ = self._instance(None, values)
            # The app shows the name of the model, so a text gets a file name here.
            model = self._argument if self._text is None else File("model.essence", self._text)
            Run(["app", model, *arguments[1:], "-o", str(page)]).result()
            return App(self, page.read_text(encoding="utf-8"), values, height=height)

    def _given_values(self, found: Mapping[str, Any]) -> Dict[str, Any]:
        """Converts parameter values from JSON to Python."""
        types = {name for name, domain in self._declared.givens.items() if domain.kind == "type"}
        declared = self._with_members({name: tuple(found[name]) for name in types if name in found})
        domains = {name: domain for name, domain in declared.givens.items() if name in found}
        return {name: found[name] if name in types else decode(found[name], domain) for name, domain in domains.items()}

    def _run(self, arguments: Sequence[Argument]) -> Run:
        return Run(arguments, self._text)

    def _solutions(
        self,
        parameters: Parameters,
        data: Mapping[str, Any],
        number: Union[int, str, None],
        time_limit: Optional[float],
        options: Sequence[str],
        said: Optional[Callable[[Progress], None]] = None,
    ) -> Solutions:
        arguments, declared = self._instance(parameters, data)
        numbered = [] if number is None else [f"--number-of-solutions={number}"]

        def hear(line: Members) -> None:
            if said:
                said(read_progress(line))

        heard = ["--progress"] if said else []
        run = self._run(["solve", *arguments, *numbered, *heard, *_limit(time_limit), *options])
        return Solutions(run, self._reader(arguments, declared), hear)

    def _reader(self, arguments: Sequence[Argument], declared: Declarations) -> Callable[[Dict[str, Any]], Solution]:
        """Returns the function that turns the program's JSON into solutions."""

        def read(found: Dict[str, Any]) -> Solution:
            unnamed = {name: tuple(found[name]) for name in declared.types if name in found}
            # The members of a type whose members come with the data are known only from the solution.
            domains = {name: d.with_members(unnamed) for name, d in declared.finds.items()} if unnamed else declared.finds
            values = {name: decode(found[name], d) for name, d in domains.items() if name in found}
            draw, shape = functools.partial(self._draw, arguments), functools.partial(self._shaped, arguments)
            return Solution(values, found, draw, shape)

        return read

    def _session_reader(self, data: Mapping[str, Any]) -> Callable[[Dict[str, Any]], Solution]:
        return self._reader(*self._instance(None, data))

    def _model_text(self) -> Dict[str, str]:
        """Returns the model in the form of a protocol request."""
        return {"path": self._argument} if self._text is None else {"name": "standard input", "text": self._text}

    def _of_solution(self, arguments: Sequence[Argument], solution: Solution) -> Dict[str, Any]:
        """Returns the members of a request about a solution that has been found."""
        known = {"name": "solution", "text": json.dumps(solution.json)}
        return {"model": self._model_text(), "data": named_texts(arguments[1:]), "solution": known}

    def _draw(self, arguments: Sequence[Argument], solution: Solution, format: str) -> Picture:
        """Draws a solution that has been found."""
        request = {**self._of_solution(arguments, solution), "format": format}
        return Picture(SHARED.ask("draw", request)["text"].rstrip("\n"), format)

    def _shaped(self, arguments: Sequence[Argument], solution: Solution, shape: Any) -> Any:
        """Returns a solution that has been found in another shape."""
        return SHARED.ask("shape", {**self._of_solution(arguments, solution), "shape": shape})["shaped"]

    def _answer(
        self,
        command: str,
        arguments: Sequence[Argument],
        time_limit: Optional[float],
        options: Sequence[str],
    ) -> Answer:
        result = self._run([command, *arguments, *_limit(time_limit), *options]).result()
        names = [name for a in arguments if isinstance(a, File) and a.name == PARAMETERS for name in json.loads(a.text)]
        answer, text = result["answer"], result["text"].rstrip()
        return Answer(_of_values(answer, names), _of_values(text, names)) if names else Answer(answer, text)

    def _instance(self, parameters: Parameters, data: Mapping[str, Any]) -> Tuple[List[Argument], Declarations]:
        """Returns the arguments for the model and its data, and the declarations with the members of all types."""
        if parameters is not None and not isinstance(parameters, Mapping):
            if data:
                raise TypeError("give the parameters by name or as a file, not both")
            file = path(parameters)
            found = _instances(file)
            if len(found) > 1:
                raise DataError(f"`{file}` contains {len(found)} instances: choose one, such as `{file}#1`, or get all of them from `instances`")
            return [self._argument, file], self._with_members(self._members_in(file, found))
        values = {**(parameters or {}), **data}
        if not values:
            return [self._argument], self._declared
        _check_names(values, self._declared.givens, self._declared.finds)
        tables = {name: f"{name}={path(value)}" for name, value in values.items() if isinstance(value, os.PathLike)}
        # Tables are read by the program, which knows formats and columns; their values are never loaded into Python.
        values = {name: value for name, value in values.items() if name not in tables}
        declared = self._with_members({**self._members_of(values), **self._members_in_tables(tables)})
        for name, value in values.items():
            if has_none(value):
                raise DataError(f"`{name}`: {value!r} has unknown parts, but parameters must be complete")
        files = [_data(values, PARAMETERS, declared.givens)] if values or not tables else []
        return [self._argument, *files, *tables.values()], declared

    def _with_members(self, members: Dict[str, Tuple[str, ...]]) -> Declarations:
        named = self._declared
        return Declarations(
            {name: d if d.kind == "type" else d.with_members(members) for name, d in named.givens.items()},
            {name: d.with_members(members) for name, d in named.finds.items()},
            named.types,
        )

    def _members_of(self, values: Mapping[str, Any]) -> Dict[str, Tuple[str, ...]]:
        types = {name: d for name, d in self._declared.givens.items() if d.kind == "type" and name in values}
        return {name: tuple(encode(values[name], d, name)) for name, d in types.items()}

    def _members_in_tables(self, tables: Mapping[str, str]) -> Dict[str, Tuple[str, ...]]:
        """Returns the members of the enumerated types that are given as tables."""
        members: Dict[str, Tuple[str, ...]] = {}
        for name, table in tables.items():
            if self._declared.givens[name].kind == "type":
                every = f"[member | member : {essence_name(name)}]"
                request = {"model": self._model_text(), "data": [{"path": table}], "expression": every}
                members[name] = tuple(SHARED.ask("evaluate", request)["json"].values())
        return members

    def _members_in(self, file: str, found: Dict[str, str]) -> Dict[str, Tuple[str, ...]]:
        """Returns the members of the enumerated types that a parameter file declares."""
        if all(d.kind != "type" for d in self._declared.givens.values()):
            return {}
        # The caller has refused files with several instances, so this loop runs at most once.
        for text in found.values():
            return self._members_of(json.loads(text))
        listed = SHARED.ask("declare", {"model": {"path": file}})["declared"]
        return {name: d.names for name, d in declarations(listed).types.items()}

    def _known(self, values: Known, name: str, domains: Mapping[str, Domain]) -> Argument:
        """Returns a partial solution as an argument: values and Essence become a file, a path stays as it is."""
        if isinstance(values, str) and not os.path.exists(values):
            return File(f"{name}.solution", values)
        if not isinstance(values, Mapping):
            return path(values)
        _check_names(values, domains)
        if is_partial(values, domains):
            return File(f"{name}.solution", statements(values, domains))
        return _data(values, f"{name}.json", domains)


def instances(file: Union[str, "os.PathLike[str]"]) -> List[str]:
    """Returns the names of the instances in a parameter file, each of which `Model` takes as a parameter file.

    A file with several instances in JSON yields `boards.json#1` and so on; any other file yields its own name.

    >>> import json, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     boards = os.path.join(folder, "boards.json")
    ...     with open(boards, "w") as file:
    ...         json.dump([{"n": 4}, {"n": 5}], file)
    ...     [Model("given n : int find x : int(n..n)").solve(one).x for one in instances(boards)]
    [4, 5]
    """
    return list(_instances(path(file))) or [path(file)]


def _instances(file: str) -> Dict[str, str]:
    """Returns the texts of the instances in a JSON file, by name, or nothing if the file does not look like JSON."""
    try:
        with open(file if os.path.exists(file) else file.rpartition("#")[0], encoding="utf-8-sig", errors="replace") as opened:
            if opened.read(1000).lstrip()[:1] not in ("{", "["):
                return {}
    except OSError:
        # The program reports what is wrong with the file.
        return {}
    return {one["name"]: one["text"] for one in SHARED.ask("instances", {"file": {"path": file}})["instances"]}


def _check_names(values: Mapping[str, Any], domains: Mapping[str, Domain], decided: Container[str] = ()) -> None:
    for name in values:
        if name not in domains:
            # A misspelt option such as `timelimit` arrives here as a parameter.
            near = difflib.get_close_matches(name, [*domains, *_OPTIONS], 1) or [_OF_OTHERS.get(name, "")]
            if name in decided:
                raise DataError(f"`{name}` is a decision variable, and not a parameter: require its value")
            is_near = near[0] not in ("", name)
            help = f"did you mean `{near[0]}`?" if is_near else f"it has {', '.join(domains) or 'nothing to set'}"
            raise DataError(f"the model has no `{name}`; {help}")


#: The options of the methods of `Model`, and the names that other libraries have for them.
_OPTIONS = ("time_limit", "number", "options", "progress", "steps", "known", "forced", "format", "strategy")
_OF_OTHERS = {
    **dict.fromkeys(("timeout", "max_time", "max_time_in_seconds", "limit", "seconds"), "time_limit"),
    **dict.fromkeys(("solution_limit", "num_solutions", "limit_solutions", "n_solutions"), "number"), "solver": "options",
}  # fmt: skip


def _data(values: Mapping[str, Any], file: str, domains: Mapping[str, Domain]) -> File:
    encoded = {key: encode(value, domains[key], key) for key, value in values.items()}
    # One value per line: the n-th value is in line n + 1, so that `_of_values` can name the parameter of a line.
    lines = ",\n".join(f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}" for key, value in encoded.items())
    return File(file, f"{{\n{lines}\n}}")


def _of_values(answer: Any, names: Sequence[str]) -> Any:
    """Replaces line numbers of the parameter file in an answer by the names of the parameters."""
    if isinstance(answer, str):
        return re.sub(rf"\bline (\d+) of {PARAMETERS}", lambda line: f"the value of `{names[int(line.group(1)) - 2]}`", answer)
    if isinstance(answer, list):
        return [_of_values(part, names) for part in answer]
    return {key: _of_values(part, names) for key, part in answer.items()} if isinstance(answer, dict) else answer


def names_a_file(text: str) -> bool:
    """Returns true if a text is the name of a file rather than a model."""
    return "\n" not in text and (text.endswith(SUFFIXES) or os.path.exists(text))


def _told(loop: "AbstractEventLoop", listener: Callable[[Progress], None], progress: Progress) -> None:
    loop.call_soon_threadsafe(listener, progress)


def _steps(wanted: bool) -> List[str]:
    return ["--steps"] if wanted else []


def _limit(seconds: Optional[float]) -> List[str]:
    return [] if seconds is None else [f"--limit-time={seconds}"]

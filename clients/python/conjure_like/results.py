"""What a search returns: solutions, statuses, explanations and pictures."""

import difflib
import html
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .data_out import objective
from .errors import ConjureLikeError, LimitReached, NoSolution
from .program import Members, Run
from .values import plain


#: The words of the program for the ways in which a search ends before a limit.
STATES = {"optimal": "optimal", "satisfied": "satisfiable", "all solutions": "satisfiable", "unsatisfiable": "unsatisfiable"}


class Picture(str):
    """A picture as text, SVG or HTML. It is a `str`, and Jupyter shows it."""

    #: `text`, `svg` or `html`.
    kind: str

    def __new__(cls, text: str, kind: str) -> "Picture":
        picture = super().__new__(cls, text)
        picture.kind = kind
        return picture

    def __getnewargs__(self) -> Tuple[str, str]:  # type: ignore[override]
        return str(self), self.kind

    def _repr_svg_(self) -> Optional[str]:
        return str(self) if self.kind == "svg" else None

    def _repr_html_(self) -> Optional[str]:
        """The page in a frame of its own, so that its style stays there."""
        frame = '<iframe srcdoc="{}" style="width: 100%; height: 30em; border: 0"></iframe>'
        return frame.format(html.escape(self)) if self.kind == "html" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self) if self.kind == "text" else f"<a picture in {self.kind.upper()}>")


class Solution(Dict[str, Any]):
    """The values of the decision variables: `solution["x"]`, or `solution.x` unless a `dict` has an attribute of this name.

    >>> from conjure_like import Model
    >>> solution = Model("find s : set (size 2) of int(1..2)").solve().solution
    >>> solution["s"] == solution.s == {1, 2}
    True
    """

    def __init__(self, values: Dict[str, Any], json: Dict[str, Any], draw: Callable[["Solution", str], Picture]):
        super().__init__(values)
        #: The solution as the program has printed it.
        self.json = json
        #: The value of the objective; several values are compared one after the other. `None` without an objective.
        self.objective_value: Any = None
        self._draw = draw

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __missing__(self, name: object) -> Any:
        near = difflib.get_close_matches(str(name), self, 1)
        raise KeyError(f"the solution has no `{name}`; " + (f"did you mean `{near[0]}`?" if near else f"it has {', '.join(self)}"))

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def plain(self) -> Dict[str, Any]:
        """The values as `json.dumps` and pandas take them; `plain(value)` does this for one value.

        >>> from conjure_like import Model
        >>> Model("find s : set (size 2) of int(1..2) find m : matrix indexed by [int(1..2)] of int(3..3)").solve().solution.plain()
        {'s': [1, 2], 'm': [3, 3]}
        """
        return {name: plain(value) for name, value in self.items()}

    def picture(self, format: str = "svg") -> Picture:
        """Draws the solution, as `text`, `svg` or `html`."""
        return self._draw(self, format)


@dataclass(frozen=True)
class Status:
    """How a search has ended.

    `state` is `optimal` (the solution is the best one), `satisfiable`, `unsatisfiable`, or `unknown` if a limit ended the
    search before a solution was found. `stopped_by` says what ended the search early, such as `the time limit` or `Ctrl-C`.
    With an objective, `between` is the interval of the best value if the search has ended early.
    """

    state: str
    stopped_by: Optional[str] = None
    between: Optional[Tuple[Any, Any]] = None

    @classmethod
    def of(cls, ended: Members, found: bool) -> "Status":
        """The status that a line of the protocol has."""
        state = STATES.get(ended["status"], "satisfiable" if found else "unknown")
        between = objective(ended.get("between"))
        return cls(state, ended.get("stopped_by"), tuple(between) if between else None)

    @property
    def complete(self) -> bool:
        """Whether the search was not ended early."""
        return self.stopped_by is None

    def __str__(self) -> str:
        return self.state if self.complete else f"{self.state} (stopped by {self.stopped_by})"


class Solutions(Iterator[Solution]):
    """The solutions one by one, as the program finds them.

    The program runs until its last solution has been read, until `close`, or until nobody holds this object any more, as after
    `break`. `status` is known when the iteration has ended.
    """

    def __init__(self, run: Run, read: Callable[[Members], Solution], hear: Callable[[Members], None]):
        self._run = run
        self._read = read
        self._hear = hear
        self._found = 0
        #: How the search has ended; `None` while it is running.
        self.status: Optional[Status] = None

    def __next__(self) -> Solution:
        try:
            solution = self._next()
        except KeyboardInterrupt:
            self.close()
            raise
        if solution is None:
            raise StopIteration
        return solution

    def _next(self) -> Optional[Solution]:
        """The next solution, or `None` at the end. Progress is heard in between."""
        while self.status is None:
            line = self._run.line()
            if line is None:
                self._finish()
            elif line["type"] == "progress":
                self._hear(line)
            else:
                self._found += 1
                solution = self._read(line["json"])
                solution.objective_value = objective(line["objective"])
                return solution
        return None

    def _finish(self) -> None:
        ended = self._run.finish()
        assert ended is not None
        self.status = Status.of(ended, self._found > 0)

    def kill(self) -> None:
        """Ends the program while another thread waits for a solution, which then hears of it."""
        self._run.kill()

    def interrupt(self) -> None:
        """Asks the program to stop; the iteration then yields what was found, and ends."""
        self._run.interrupt()

    def close(self) -> None:
        """Ends the program."""
        if self.status is None:
            self._run.close()
            self.status = Status("satisfiable" if self._found else "unknown", "close()")

    def __enter__(self) -> "Solutions":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def collect(self) -> "Result":
        """All solutions. Ctrl-C ends the search and keeps what was found."""
        found: List[Solution] = []
        try:
            self._gather(found)
        except KeyboardInterrupt:
            self.interrupt()
            self._gather(found)
            if not found:
                raise
        except BaseException:
            self.close()
            raise
        assert self.status is not None
        if self.status.state == "unknown":
            raise LimitReached(f"{self.status.stopped_by} ended the search; no solution was found")
        return Result(found, self.status)

    def _gather(self, found: List[Solution]) -> None:
        while (solution := self._next()) is not None:
            found.append(solution)


@dataclass(frozen=True)
class Result:
    """What `Model.solve` has found. It is true if there is a solution; `result.x` is a value of the first one, or `result["x"]` if the
    result has an attribute of this name itself.

    >>> from conjure_like import Model
    >>> result = Model("find x, status : int(1..9) such that x = 7, status = 8").solve()
    >>> result.x, result["status"], result.status.state
    (7, 8, 'satisfiable')
    """

    solutions: List[Solution]
    status: Status

    @property
    def solution(self) -> Solution:
        """The first solution."""
        if not self.solutions:
            raise NoSolution("the model has no solution; `why` explains why")
        return self.solutions[0]

    @property
    def objective(self) -> Any:
        """The value of the objective in the first solution; several values are compared one after the other. `None` if the model has no
        objective.

        >>> from conjure_like import Model
        >>> Model("find x : int(1..9) such that x % 4 = 0 maximising 10 * x").solve().objective
        80
        """
        return self.solution.objective_value

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each solution, numbered from 1, and a column for each decision variable.

        Collections are lists and dicts, as `Solution.plain` has them.

        >>> from conjure_like import Model
        >>> found = Model("find x : int(2..3) find s : set (size 1) of int(1..1)").solve(number=5, options=["--solver=cadical"])
        >>> found.to_frame().sort_values("x")["x"].tolist()
        [2, 3]
        """
        import pandas

        rows = [solution.plain() for solution in self.solutions]
        return pandas.DataFrame(rows, index=range(1, len(rows) + 1))

    def __bool__(self) -> bool:
        return bool(self.solutions)

    def __getitem__(self, name: str) -> Any:
        return self.solution[name]

    def __getattr__(self, name: str) -> Any:
        # Copies and pickles ask an object that has no attributes yet.
        if name.startswith("_") or "solutions" not in self.__dict__:
            raise AttributeError(name)
        return self.solution.__getattr__(name)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *(self.solution if self else ())]

    def _ipython_key_completions_(self) -> List[str]:
        """The names that Jupyter offers behind `result[`."""
        return list(self.solution) if self else []

    def picture(self, format: str = "svg") -> Picture:
        """Draws the first solution."""
        return self.solution.picture(format)

    def __repr__(self) -> str:
        shown = self.solutions[0] if len(self.solutions) == 1 else self.solutions
        return f"<{self.status}: {shown}>"


@dataclass(frozen=True)
class Answer:
    """An explanation: `print` shows it as the command line does. `json` has everything that `conjure-like why` or `hint` says; the
    properties have the most useful parts."""

    json: Dict[str, Any]
    #: The explanation for people.
    text: str

    @property
    def verdict(self) -> str:
        """The answer in a word or two, such as `none`, `wrong` or `next`."""
        return str(self.json["verdict"])

    @property
    def reasons(self) -> List[str]:
        """The requirements that cannot hold together, or that are broken."""
        return [r["says"] for r in self.json.get("reasons", [])]

    @property
    def changes(self) -> List[str]:
        """Single changes that make a solution possible."""
        return [c["says"] for c in self.json.get("changes", [])]

    @property
    def steps(self) -> List[str]:
        """The steps of a hint, or to a contradiction; what is supposed stands before the steps that show that it cannot be.

        >>> from conjure_like import Model
        >>> Model("find x, y : int(1..4) such that x > y, y > 2, x + y < 7").why(steps=True).steps
        ['y is at least 3', 'x = 4', 'nothing is left for y']
        """
        return _said(self.json.get("steps", []))

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def _said(steps: List[Dict[str, Any]]) -> List[str]:
    """What steps say, those below suppositions, too."""
    own = ([step["says"]] if "says" in step else [f"Suppose that {step['suppose']}", *_said(step["steps"])] for step in steps)
    return [text for texts in own for text in texts]

"""The results of searches: solutions, statuses, explanations and pictures."""

import difflib
import html
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .data_out import objective
from .errors import ConjureLikeError, LimitReached, NoSolution
from .program import Members, Run
from .values import plain


#: The program's words for a search that ended by itself, and the states of `Status`.
STATES = {"optimal": "optimal", "satisfied": "satisfiable", "all solutions": "satisfiable", "unsatisfiable": "unsatisfiable"}


class Picture(str):
    """A picture as text, SVG or HTML: a `str` that Jupyter displays."""

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
        """Puts the page into a frame, so that its styles do not affect the notebook."""
        frame = '<iframe srcdoc="{}" style="width: 100%; height: 30em; border: 0"></iframe>'
        return frame.format(html.escape(self)) if self.kind == "html" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self) if self.kind == "text" else f"<a picture in {self.kind.upper()}>")


class Solution(Dict[str, Any]):
    """A solution: a `dict` of the decision variables. `solution.x` is short for `solution["x"]` unless `dict` has an
    attribute `x`.

    >>> from conjure_like import Model
    >>> solution = Model("find s : set (size 2) of int(1..2)").solve().solution
    >>> solution["s"] == solution.s == {1, 2}
    True
    """

    def __init__(
        self,
        values: Dict[str, Any],
        json: Dict[str, Any],
        draw: Callable[["Solution", str], Picture],
        shape: Callable[["Solution", Any], Any],
    ):
        super().__init__(values)
        #: The solution as the program printed it.
        self.json = json
        #: The value of the objective, or a list if there are several goals; `None` without an objective.
        self.objective_value: Any = None
        self._draw = draw
        self._shape = shape

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
        """Returns the values in types that `json.dumps` and pandas take; `plain(value)` does this for one value.

        >>> from conjure_like import Model
        >>> Model("find s : set (size 2) of int(1..2) find m : matrix indexed by [int(1..2)] of int(3..3)").solve().solution.plain()
        {'s': [1, 2], 'm': [3, 3]}
        """
        return {name: plain(value) for name, value in self.items()}

    def shaped(self, shape: Any) -> Any:
        """Returns the result with the keys that a task asks for. In `shape`, each string is an expression over the names of
        the model, or `$objective`; lists, dictionaries, numbers and `None` stay as they are.

        >>> from conjure_like import Model
        >>> solution = Model("find x : int(3..3) find s : set (size 2) of int(1..2) maximising x").solve().solution
        >>> solution.shaped({"cost": "$objective", "plan": {"double": "2 * x", "members": "s"}})
        {'cost': 3, 'plan': {'double': 6, 'members': [1, 2]}}
        """
        return self._shape(self, shape)

    def picture(self, format: str = "svg") -> Picture:
        """Draws the solution; `format` is `text`, `svg` or `html`."""
        return self._draw(self, format)


@dataclass(frozen=True)
class Status:
    """The way in which a search ended.

    `state` is `optimal` (the solution is a best one), `satisfiable`, `unsatisfiable`, or `unknown` if a limit ended the
    search before a solution was found. `stopped_by` is the reason for an early end, such as `the time limit` or
    `Ctrl-C`, and otherwise `None`. If a search for an optimum ended early, `between` is the interval that contains the
    best value.
    """

    state: str
    stopped_by: Optional[str] = None
    between: Optional[Tuple[Any, Any]] = None

    @classmethod
    def of(cls, ended: Members, found: bool) -> "Status":
        """Reads the status from a result line of the protocol."""
        state = STATES.get(ended["status"], "satisfiable" if found else "unknown")
        between = objective(ended.get("between"))
        return cls(state, ended.get("stopped_by"), tuple(between) if between else None)

    @property
    def complete(self) -> bool:
        """True if the search ended by itself."""
        return self.stopped_by is None

    def __str__(self) -> str:
        return self.state if self.complete else f"{self.state} (stopped by {self.stopped_by})"


class Solutions(Iterator[Solution]):
    """An iterator over the solutions, as the program finds them.

    The program runs until its last solution has been read, until `close`, or until this object is deleted, for example
    after `break`. `status` is set when the iteration ends.
    """

    def __init__(self, run: Run, read: Callable[[Members], Solution], hear: Callable[[Members], None]):
        self._run = run
        self._read = read
        self._hear = hear
        self._found = 0
        #: The way in which the search ended; `None` while it is running.
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
        """Returns the next solution, or `None` at the end. Progress lines on the way are passed to `hear`."""
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
        # Raises the error of the program, if there is one; otherwise there is a result line.
        ended = self._run.finish()
        assert ended is not None
        self.status = Status.of(ended, self._found > 0)

    def kill(self) -> None:
        """Kills the program while another thread waits for a solution; that thread gets an exception."""
        self._run.kill()

    def interrupt(self) -> None:
        """Asks the program to stop; the iteration then yields the solutions found so far and ends."""
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
        """Waits for all solutions. Ctrl-C ends the search and keeps the solutions found so far."""
        found: List[Solution] = []
        try:
            self._gather(found)
        except KeyboardInterrupt:
            # The program then reports the solutions found so far, or the best one, and ends.
            self.interrupt()
            self._gather(found)
            if not found:
                raise
        except BaseException:
            self.close()
            raise
        assert self.status is not None
        # A limit without a solution is not an answer; an empty result would be taken for "no solution".
        if self.status.state == "unknown":
            raise LimitReached(f"{self.status.stopped_by} ended the search; no solution was found")
        return Result(found, self.status)

    def _gather(self, found: List[Solution]) -> None:
        while (solution := self._next()) is not None:
            found.append(solution)


@dataclass(frozen=True)
class Result:
    """The result of `Model.solve`. It is true if there is a solution.

    `result.x` is the value of `x` in the first solution. Write `result["x"]` for a variable that has the name of an
    attribute of the result.

    >>> from conjure_like import Model
    >>> result = Model("find x, status : int(1..9) such that x = 7, status = 8").solve()
    >>> result.x, result["status"], result.status.state
    (7, 8, 'satisfiable')
    """

    solutions: List[Solution]
    status: Status

    @property
    def solution(self) -> Solution:
        """The first solution. Raises `NoSolution` if there is none."""
        if not self.solutions:
            raise NoSolution("the model has no solution; call `why` to see the reason")
        return self.solutions[0]

    @property
    def objective(self) -> Any:
        """The value of the objective in the first solution, or a list if there are several goals; `None` if the model
        has no objective.

        >>> from conjure_like import Model
        >>> Model("find x : int(1..9) such that x % 4 = 0 maximising 10 * x").solve().objective
        80
        """
        return self.solution.objective_value

    def to_frame(self) -> Any:
        """Returns a pandas DataFrame with a row for each solution, numbered from 1, and a column for each decision
        variable.

        Collections become lists and dicts, as in `Solution.plain`.

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
        # `copy` and `pickle` look up attributes before there are any; without this check the lookup would not end.
        if name.startswith("_") or "solutions" not in self.__dict__:
            raise AttributeError(name)
        return self.solution.__getattr__(name)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *(self.solution if self else ())]

    def _ipython_key_completions_(self) -> List[str]:
        """The names that Jupyter completes after `result[`."""
        return list(self.solution) if self else []

    def picture(self, format: str = "svg") -> Picture:
        """Draws the first solution; `format` is `text`, `svg` or `html`."""
        return self.solution.picture(format)

    def __repr__(self) -> str:
        shown = self.solutions[0] if len(self.solutions) == 1 else self.solutions
        return f"<{self.status}: {shown}>"


@dataclass(frozen=True)
class Answer:
    """An explanation. Its `str` is the text that the command line prints.

    `json` is the complete answer of `conjure-like why` or `hint`; the properties are its most useful parts.
    """

    json: Dict[str, Any]
    #: The explanation as text.
    text: str

    @property
    def verdict(self) -> str:
        """The verdict in a word or two, such as `none`, `wrong` or `next`."""
        return str(self.json["verdict"])

    @property
    def reasons(self) -> List[str]:
        """The requirements that cannot hold together, or that are violated."""
        return [r["says"] for r in self.json.get("reasons", [])]

    @property
    def rules(self) -> List[str]:
        """The rules behind the reasons, in the words of the model's comments and templates (`$ why: …`).

        >>> from conjure_like import Model
        >>> text = '''
        ... find x : int(1..3)
        ... such that
        ...     $ why: number {i} is taken
        ...     forAll i : int(1..3) . x != i
        ... '''
        >>> Model(text).why().rules
        ['`x` is from 1 to 3', 'number 1 / 2 / 3 is taken']
        """
        return [_rule(rule) for rule in self.json.get("rules", [])]

    @property
    def changes(self) -> List[str]:
        """The single changes to the model or its data that make a solution possible."""
        return [c["says"] for c in self.json.get("changes", [])]

    @property
    def steps(self) -> List[str]:
        """The steps of a hint or of a refutation. An assumption comes before the steps that refute it.

        >>> from conjure_like import Model
        >>> Model("find x, y : int(1..4) such that x > y, y > 2, x + y < 7").why(steps=True).steps
        ['y is at least 3', 'x = 4', 'nothing is left for y']
        """
        return _said(self.json.get("steps", []))

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def _rule(rule: Dict[str, Any]) -> str:
    """Returns a rule as one sentence, with the names of its instances."""
    says = "; ".join(rule["says"])
    return f"{says.rstrip('.')} ({rule['names']})" if rule["names"] else says


def _said(steps: List[Dict[str, Any]]) -> List[str]:
    """Returns the texts of steps, including those below an assumption."""
    own = ([step["says"]] if "says" in step else [f"Suppose that {step['suppose']}", *_said(step["steps"])] for step in steps)
    return [text for texts in own for text in texts]

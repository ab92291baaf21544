"""The exceptions of the package, and the diagnostics of the program."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple


class ConjureLikeError(Exception):
    """The base of all exceptions of this package."""


class ProgramNotFound(ConjureLikeError):
    """The program `conjure-like` was not found."""


class DataError(ConjureLikeError, ValueError):
    """A Python value does not fit the domain of its parameter.

    >>> from conjure_like import Model
    >>> try:
    ...     Model("given n : int find x : int(1..n)").solve(n="3")
    ... except DataError as error:
    ...     print(error)
    `n`: '3' does not fit `int`
    """


class NoSolution(ConjureLikeError, LookupError):
    """A value of a result was requested, but the model has no solution."""


class LimitReached(ConjureLikeError):
    """A limit ended the search before a solution was found."""


@dataclass(frozen=True)
class Diagnostic:
    """A diagnostic of the program: its severity, code, message and position.

    `file`, `line` and `column` are those of the first label, counted from 1; they are `None` if there is no position.
    """

    severity: str
    code: str
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    help: Tuple[str, ...]
    notes: Tuple[str, ...]
    #: The labels: file, line and text of each.
    labels: Tuple[Tuple[str, int, str], ...] = ()

    @classmethod
    def of(cls, data: Dict[str, Any]) -> "Diagnostic":
        """Reads a diagnostic from the JSON of the program."""
        place = data["labels"][0] if data["labels"] else {}
        return cls(
            data["severity"],
            data["code"],
            data["message"],
            place.get("file"),
            place.get("line"),
            place.get("column"),
            tuple(data["help"]),
            tuple(data["notes"]),
            tuple((label["file"], label["line"], label["text"]) for label in data["labels"]),
        )


class EssenceError(ConjureLikeError):
    """A mistake in a model, in data or in options.

    The text of the exception is the message as on the command line, with excerpts of the files.

    >>> from conjure_like import Model
    >>> try:
    ...     Model("find x : int(1..3) such that x = y").solve()
    ... except EssenceError as error:
    ...     print(error.code, error.line, error.message)
    E0201 1 the name `y` is not declared
    """

    def __init__(self, rendered: str, diagnostics: Tuple[Diagnostic, ...]):
        super().__init__(rendered)
        self.rendered = rendered
        self.diagnostics = diagnostics

    @classmethod
    def of(cls, diagnostics: List[Dict[str, Any]]) -> "EssenceError":
        """Returns the error for these diagnostics of the protocol."""
        rendered = "\n".join(one["rendered"] for one in diagnostics).rstrip()
        return cls(rendered, tuple(map(Diagnostic.of, diagnostics)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.rendered, self.diagnostics)

    @property
    def _first(self) -> Diagnostic:
        """The first error. It has no code and no position if the program refused the command line."""
        errors = (d for d in self.diagnostics if d.severity == "error")
        return next(errors, Diagnostic("error", "", self.rendered, None, None, None, (), ()))

    @property
    def code(self) -> str:
        """The code of the first error, such as `E0201`."""
        return self._first.code

    @property
    def message(self) -> str:
        """The message of the first error."""
        return self._first.message

    @property
    def file(self) -> Optional[str]:
        """The file of the first error; `standard input` for a model given as text."""
        return self._first.file

    @property
    def line(self) -> Optional[int]:
        """The line of the first error, counted from 1."""
        return self._first.line

    @property
    def column(self) -> Optional[int]:
        """The column of the first error, counted from 1."""
        return self._first.column

    def _render_traceback_(self) -> List[str]:
        """The text that Jupyter shows below the cell: the message without the Python stack."""
        return self.rendered.splitlines()

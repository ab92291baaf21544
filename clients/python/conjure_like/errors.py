"""The exceptions of the package, and the diagnostics of the program."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple


class ConjureLikeError(Exception):
    """The base of all exceptions of this package."""


class ProgramNotFound(ConjureLikeError):
    """The program `conjure-like` cannot be found."""


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
    """A result was asked for a value, but the model has no solution."""


class LimitReached(ConjureLikeError):
    """A limit ended the search before a solution was found."""


@dataclass(frozen=True)
class Diagnostic:
    """One mistake: its code, its message and its place.

    `file`, `line` and `column` are those of the first label; they are `None` if the mistake has no place.
    """

    severity: str
    code: str
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    help: Tuple[str, ...]
    notes: Tuple[str, ...]
    #: What is said about places: the file, the line and a text of each.
    labels: Tuple[Tuple[str, int, str], ...] = ()

    @classmethod
    def of(cls, data: Dict[str, Any]) -> "Diagnostic":
        """The diagnostic that an object in JSON tells."""
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

    The text of the exception is the message as the command line shows it, with excerpts of the files.

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
        """The error with these diagnostics of the protocol."""
        rendered = "\n".join(one["rendered"] for one in diagnostics).rstrip()
        return cls(rendered, tuple(map(Diagnostic.of, diagnostics)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.rendered, self.diagnostics)

    @property
    def _first(self) -> Diagnostic:
        """The first error; without a code and a place if the program has refused the command line."""
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
        """The file of the first error; a model that was given as a text is `standard input`."""
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
        """What Jupyter shows below the cell: the message without the stack of Python."""
        return self.rendered.splitlines()

"""Completions at a position in a model."""

import re
from typing import List, NamedTuple

from .errors import ConjureLikeError
from .service import Service


class Completion(NamedTuple):
    """A text that can be written at a position."""

    text: str
    #: The column of the word that the text replaces.
    start: int
    #: The type or the form, on one line.
    detail: str


def completions(service: Service, text: str, line: int, column: int) -> List[Completion]:
    """Returns the completions at a line (counted from 0) and column of a model. Without the program, the list is
    empty; no error is raised.
    """
    before = "".join(f"{one}\n" for one in text.split("\n")[:line])
    written = text.split("\n")[line]
    start = _units(before)
    request = {"model": {"name": "cell.essence", "text": text}, "at": start + _units(written[:column])}
    try:
        items = service.ask("complete", request)["items"]
    except (OSError, ConjureLikeError):
        # An exception in a completer would print a traceback into the cell.
        return []

    def of(item: "dict[str, object]") -> Completion:
        # The protocol counts UTF-16 units, and IPython counts characters: `ä` is one of both, `🐷` is two units.
        begin = len(written.encode("utf-16-le")[: 2 * (int(str(item["from"])) - start)].decode("utf-16-le"))
        shown = _without_places(str(item["snippet"])) if item["kind"] == "snippet" else str(item["label"])
        return Completion(shown, begin, str(item["detail"]))

    return [of(item) for item in items]


def _units(text: str) -> int:
    """Returns the length of a text in UTF-16 units, in which the protocol counts."""
    return len(text.encode("utf-16-le")) // 2


def _without_places(snippet: str) -> str:
    r"""Returns a snippet as plain text, with the placeholders filled in.

    >>> _without_places(r"letting ${1:E} be new type enum {${2:a, b}\}")
    'letting E be new type enum {a, b}'
    """
    filled = re.sub(r"\$\{\d+:([^}]*)\}|\$\d+", lambda place: place[1] or "", snippet)
    return re.sub(r"\\(.)", r"\1", filled)

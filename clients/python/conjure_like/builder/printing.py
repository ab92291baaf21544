"""Prints expressions as Essence: precedence, names that clash with words of the language, and line breaks."""

import json
import re
from importlib import resources
from typing import Any, Dict, List, NamedTuple, Tuple

from ..data_out import essence_name


class Level(NamedTuple):
    """The precedence of an operator, and the side on which an operator of the same level needs no parentheses."""

    tightness: int
    side: str


#: Precedence and reserved words. A test of the library generates this file from its tables.
_LANGUAGE: Dict[str, Any] = json.loads(resources.files("conjure_like").joinpath("language.json").read_text(encoding="utf-8"))

#: The levels of operators, from the tightest to the loosest.
_LEVELS: List[Dict[str, Any]] = _LANGUAGE["precedence"]

#: The precedence of terms that never need parentheses, and of those that extend as far as possible, such as
#: quantifiers.
ATOM, OPEN = 100, 0

PREFIX = next(len(_LEVELS) - row for row, level in enumerate(_LEVELS) if level["side"] == "prefix")

#: The precedence of each infix operator.
INFIX: Dict[str, Level] = {
    word: Level(len(_LEVELS) - row, level["side"])
    for row, level in enumerate(_LEVELS)
    if level["side"] != "prefix"
    for word in level["words"]
}

#: The words that cannot be names.
RESERVED = frozenset(_LANGUAGE["reserved"])

_PLAIN = re.compile(r"[^\W\d][\w']*")


def written_name(name: str) -> str:
    """Returns a name as Essence spells it: in quotation marks if it is not a plain word.

    >>> written_name("x"), written_name("Room 3")
    ('x', '"Room 3"')
    """
    return essence_name(name)


def is_plain(name: str) -> bool:
    """Returns true if a name can be declared without quotation marks."""
    return bool(_PLAIN.fullmatch(name)) and name not in RESERVED


#: Lines are broken after this column if possible.
WIDTH = 100

_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|\s+|[^\s"]+')


def wrapped(text: str, margin: str) -> List[str]:
    """Splits a constraint or a declaration into lines, after quantifiers and between words."""
    if len(margin) + len(text) <= WIDTH:
        return [margin + text]
    # The body of a quantifier is indented below its head; a text without a quantifier is filled like a paragraph.
    head, dot, body = _split_quantifier(text)
    if dot:
        return [*wrapped(head, margin), *wrapped(body, margin + "    ")]
    lines, line = [], margin
    inner = margin + "    "
    for piece in _PIECES.findall(text):
        if len(line) + len(piece) > WIDTH and line.strip() and piece.strip():
            lines.append(line.rstrip())
            line = inner
        line += piece if piece.strip() or line.strip() else ""
    return [*lines, line]


def _split_quantifier(text: str) -> Tuple[str, str, str]:
    """Splits a text into its leading quantifiers, a separator, and the body."""
    if not text.startswith(("forAll ", "exists ")):
        return text, "", ""
    depth, at = 0, 0
    # The first ` . ` outside brackets and texts ends the quantifiers, unless another quantifier follows it.
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|[\[({]|[\])}]| \. (?!forAll |exists )', text):
        word = found.group()
        depth += (word in "[({") - (word in "])}")
        if word == " . " and depth == 0:
            at = found.end()
            break
    return (text[: at - 1], ".", text[at:]) if at else (text, "", "")

"""How expressions become Essence: precedence, names that are not words of the language, and long lines."""

import json
import re
from importlib import resources
from typing import Any, Dict, List, NamedTuple, Tuple

from ..data_out import essence_name


class Level(NamedTuple):
    """How tight an operator binds, and on which side another one of its level needs no parentheses."""

    tightness: int
    side: str


#: Precedence and reserved words, which a test of the library writes from its tables.
_LANGUAGE: Dict[str, Any] = json.loads(resources.files("conjure_like").joinpath("language.json").read_text(encoding="utf-8"))

#: The levels of operators, from the operators that bind tightest to those that bind loosest.
_LEVELS: List[Dict[str, Any]] = _LANGUAGE["precedence"]

#: What needs no parentheses anywhere, and what extends as far as it can.
ATOM, OPEN = 100, 0

PREFIX = next(len(_LEVELS) - row for row, level in enumerate(_LEVELS) if level["side"] == "prefix")

#: The level of each infix operator.
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
    """A name as the model writes it: in quotation marks if it is not one word.

    >>> written_name("x"), written_name("Room 3")
    ('x', '"Room 3"')
    """
    return essence_name(name)


def is_plain(name: str) -> bool:
    """Whether a name can be declared as it is."""
    return bool(_PLAIN.fullmatch(name)) and name not in RESERVED


#: Lines are broken behind this column, where that is possible.
WIDTH = 100

_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|\s+|[^\s"]+')


def wrapped(text: str, margin: str) -> List[str]:
    """Lines of a constraint or of a declaration, broken behind quantifiers and between words."""
    if len(margin) + len(text) <= WIDTH:
        return [margin + text]
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
    """The quantifiers at the beginning, and what is below them."""
    if not text.startswith(("forAll ", "exists ")):
        return text, "", ""
    depth, at = 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|[\[({]|[\])}]| \. (?!forAll |exists )', text):
        word = found.group()
        depth += (word in "[({") - (word in "])}")
        if word == " . " and depth == 0:
            at = found.end()
            break
    return (text[: at - 1], ".", text[at:]) if at else (text, "", "")

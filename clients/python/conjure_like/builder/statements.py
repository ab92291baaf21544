"""The statements of a model, with the lines of Python that made them."""

from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .mistakes import Place
from .printing import wrapped


class Statement(NamedTuple):
    """A statement of the model: its keyword, its text, and the comments above it."""

    #: `given`, `find`, `letting`, `such that`, `where`, a goal, or empty for text that is copied as it is.
    kind: str
    text: str
    comments: Tuple[str, ...]
    place: Optional[Place]
    #: The name of the requirement.
    name: str = ""
    #: True if the Python program wrote this statement as Essence text.
    is_essence: bool = False


class Line(NamedTuple):
    """A line of the model, and the statement that it belongs to."""

    text: str
    statement: Optional[Statement]


#: The kinds of statements that share one keyword if they are adjacent.
LISTED = ("such that", "where")


def layout(statements: Sequence[Statement]) -> List[Line]:
    """Lays out the lines of a model: comments above statements, adjacent requirements under one `such that`, blank
    lines between groups.
    """
    lines: List[Line] = []
    last: Optional[Statement] = None
    for at, one in enumerate(statements):
        # A comma separates requirements under the same keyword.
        follows = at + 1 < len(statements) and statements[at + 1].kind == one.kind
        if one.kind in LISTED:
            if last is None or last.kind != one.kind:
                lines += [*_gap(lines), Line(one.kind, one)]
            elif one.comments:
                # A comment in the middle of the requirements starts a new group, separated by an empty line.
                lines.append(Line("", None))
            lines += [Line(f"    $ {c}" if c else "    $", one) for c in one.comments]
            body = wrapped(one.text, "    ")
            lines += [Line(t, one) for t in body[:-1]]
            lines.append(Line(body[-1] + ("," if follows else ""), one))
        else:
            if last is None or last.kind != one.kind or one.comments:
                lines += _gap(lines)
            lines += [Line(f"$ {c}" if c else "$", one) for c in one.comments]
            text = f"{one.kind} {one.text}" if one.kind else one.text
            lines += [Line(t, one) for t in (wrapped(text, "") if one.kind else text.splitlines())]
        last = one
    return lines


def _gap(lines: Sequence[Line]) -> Iterator[Line]:
    if lines and lines[-1].text:
        yield Line("", None)

"""Maps messages of the program from lines of the model to the lines of Python that made them."""

import re
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Optional, Sequence

from ..errors import Diagnostic, EssenceError
from ..model import PARAMETERS
from ..results import Answer
from . import functions
from .domains import ATTRIBUTES
from .expressions import python_name
from .mistakes import Place
from .statements import Line

#: The name of a model without a file in messages of the program.
TEXT = "standard input"

_SET_SIGNS = (("subsetEq", "<="), ("supsetEq", ">="), ("subset", "<"), ("supset", ">"), ("union", "|"), ("intersect", "&"))

#: Essence in advice, and the same in Python.
_SIGNS = (
    (re.compile(r"^(find|given) (\w+) : …$"), r'm.\1("\2", …)'), (re.compile(r"^letting (\w+) be …$"), r'm.letting("\1", …)'),
    (re.compile(r"^forAll (\w+) : … \. …$"), r"cl.all(… for \1 in …)"),
    (re.compile(r"\bint\(([^.()]*)\.\.([^.()]*)\)"), r"cl.Int(\1, \2)"), (re.compile(r"(?<=[\[ ])\.\.(?=[\],])"), ":"),
    *((re.compile(rf"\b{word}\b"), sign) for word, sign in _SET_SIGNS), (re.compile(r"^(\S+) in (\S+)$"), r"cl.member(\1, \2)"),
    (re.compile(r"/\\"), "&"), (re.compile(r"\\/"), "|"), (re.compile(r"(?<![<>!=~.-])=(?!=)"), "=="), (re.compile(r"!(?=[\w(])"), "~"),
    (re.compile(r"\|([\w\[\], ()]+)\|"), r"cl.size(\1)"),
)  # fmt: skip


#: A word with operands that is not an attribute in Python.
_WORD = re.compile(r"(?<![.\w])[A-Za-z]\w*(?=\()")


def _function(word: "re.Match[str]") -> str:
    """Returns the Python function for a word of Essence; other words stay."""
    name = python_name(word.group())
    return name if name in (f"cl.{known}" for known in functions.__all__) else word.group()


class PythonError(EssenceError):
    """A mistake in a model that is built in Python: an `EssenceError` whose file and line are in the Python program.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> x = m.find("x", cl.Set(cl.Int(1, 9)))
    >>> m.require(cl.sum(x) == cl.essence("y"), name="the sum")
    >>> try:
    ...     m.solve()
    ... except cl.EssenceError as error:
    ...     print(error.code, error.message)
    E0201 the name `y` is not declared
    """


def translated(error: EssenceError, lines: Sequence[Line]) -> EssenceError:
    """Returns the error with positions in Python instead of positions in the model."""
    found = tuple(_diagnostic(d, lines) for d in error.diagnostics)
    if found == error.diagnostics:
        return error
    shown = [_rendered(d, old, lines) for d, old in zip(found, error.diagnostics)]
    return PythonError("\n\n".join(shown), found)


def place_of(line: Optional[int], lines: Sequence[Line]) -> Optional[Place]:
    """Returns the position in Python that made a line of the model."""
    if line is None or not 1 <= line <= len(lines):
        return None
    statement = lines[line - 1].statement
    return statement.place if statement else None


def _diagnostic(d: Diagnostic, lines: Sequence[Line]) -> Diagnostic:
    at = _in_model(d)
    place = place_of(at, lines)
    if place is None:
        return d
    statement = lines[at - 1].statement if at is not None else None
    help = d.help if statement is not None and statement.is_essence else tuple(map(_in_python, d.help))
    if d.message == "a `where` statement cannot depend on a decision variable":
        help = ("write `m.require(…)`",)
    # The program's advice is about parameter files, which Python programs do not have.
    missing = re.match(r"the parameter `(\w+)` has no value", d.message)
    if missing is not None:
        help = (f"give it as an argument, as in `m.solve({missing.group(1)}=…)`",)
    return replace(d, file=place.file, line=place.line, column=None, help=help)


def _in_model(d: Diagnostic) -> Optional[int]:
    """Returns the line of the model that a mistake is about. For a value, this is the line that declares its
    parameter.
    """
    return next((line for file, line, _ in d.labels if file == TEXT), None)


def _in_python(help: str) -> str:
    """Returns advice with the code between its backticks in Python."""

    def spelt(found: "re.Match[str]") -> str:
        text = found.group(1)
        for pattern, sign in _SIGNS:
            text = pattern.sub(sign, text)
        return f"`{_WORD.sub(_function, text)}`"

    return re.sub(r"`([^`]+)`", spelt, help)


def _rendered(d: Diagnostic, old: Diagnostic, lines: Sequence[Line]) -> str:
    code = f"[{d.code}]" if d.code else ""
    shown = [f"{d.severity}{code}: {d.message}"]
    at = _in_model(old)
    if d is not old and at is not None:
        line = lines[at - 1]
        assert line.statement is not None and line.statement.place is not None
        place = line.statement.place
        name = f', "{line.statement.name}"' if line.statement.name else ""
        shown.append(f"  --> {place}{name}")
        if place.source:
            shown.append(f"   |  {place.source}")
        # The line is shown without its indentation, so the caret moves to the left as well.
        margin = len(line.text) - len(line.text.lstrip())
        shown.append(f"   = {line.text.strip()}")
        if old.file != TEXT:
            shown.append(f"   = {old.labels[0][2]}")
        elif old.column is not None:
            shown.append(" " * (len("   = ") + old.column - 1 - margin) + "^")
    elif d.file is not None:
        shown.append(f"  --> {d.file}:{d.line}")
    shown += [f"help: {h}" for h in d.help]
    shown += [f"note: {n}" for n in d.notes]
    return "\n".join(shown)


def answer_in_python(answer: Answer, lines: Sequence[Line], expected: Optional[Place] = None) -> "NamedAnswer":
    """Returns an explanation whose positions are lines of Python, and whose requirements have their names.

    `expected` is the line of the expected solution if that is an expression.
    """
    told: Dict[str, Any] = _told(answer.json, lines, expected)
    text = _in_places(_EXCERPT.sub("", answer.text), lines, expected)
    reasons = {reason["says"]: reason for reason in _reasons(told)}
    # The words of a rule are the names of its requirements, which are added below. The text has them without the values
    # of the instances, which follow the formula.
    for reason in reasons.values():
        words = str(reason.get("words", ""))
        for shown_words in (words, words.replace(f" ({reason['with']})", "")) if words else ():
            text = text.replace(f". {shown_words}\n      ", ". ")

    def shown(found: "re.Match[str]") -> str:
        number, said = found.groups()
        # A list of steps continues each requirement with the reason for it.
        is_alone = [s for s in reasons if said.startswith(s) and re.fullmatch(r"(\s+(\((?!step )|for ).*)?", said[len(s) :])]
        if not is_alone:
            return found.group()
        reason = reasons[max(is_alone, key=len)]
        name = f"{reason['name'].rstrip('.')}: " if "name" in reason else ""
        places = ", ".join(sorted({f"{p['file']}:{p['line']}" for p in reason["places"] if p["file"] not in (TEXT, PARAMETERS, *EXPECTED)}))
        return f"{number}{name}{said}" + (f"   [{places}]" if places else "")

    return NamedAnswer(told, re.sub(r"^(\s*\d+\. )(.*)$", shown, text, flags=re.M))


def _reasons(told: Any) -> Iterator[Dict[str, Any]]:
    """Yields the requirements with positions, including those of steps."""
    if isinstance(told, list):
        for one in told:
            yield from _reasons(one)
    elif isinstance(told, dict):
        if isinstance(told.get("says"), str) and "places" in told:
            yield told
        for value in told.values():
            yield from _reasons(value)


#: The excerpt of the model that the program prints below an explanation.
_EXCERPT = re.compile(r"\n*^ *╭─\[.*?^─*╯$", re.M | re.S)


def _told(value: Any, lines: Sequence[Line], expected: Optional[Place]) -> Any:
    if isinstance(value, list):
        return [_told(v, lines, expected) for v in value]
    if not isinstance(value, dict):
        return value
    changed = {k: _told(v, lines, expected) for k, v in value.items()}
    place = place_of(value.get("line"), lines) if value.get("file") == TEXT else expected if value.get("file") in EXPECTED else None
    if place is not None:
        file, _, line = str(place).rpartition(":")
        changed.update(file=file, line=int(line), end_line=int(line))
    names = {lines[p["line"] - 1].statement.name for p in value.get("places", []) if _is_named(p, lines)}
    # Requirements with different names may be joined in one reason; then no single name is right.
    if len(names) == 1:
        changed["name"] = names.pop()
    if isinstance(value.get("says"), str):
        changed["says"] = _in_places(value["says"], lines, expected)
    return changed


#: The file names that the program uses for expected and known values.
EXPECTED = ("expected.solution", "known.solution")

_ATTRIBUTES = {word: name for name, word in ATTRIBUTES.items()}


def _in_places(text: str, lines: Sequence[Line], expected: Optional[Place]) -> str:
    """Replaces lines of the model in a text by lines of Python, and attributes by their names in Python."""
    for file in EXPECTED:
        text = re.sub(rf"\bline \d+ of {re.escape(file)}", str(expected or f"what is {file.partition('.')[0]}"), text)
    attributes = rf"`({'|'.join(_ATTRIBUTES)})(?: (\w+))?`"
    text = re.sub(attributes, lambda found: f"`{_ATTRIBUTES[found.group(1)]}={found.group(2) or True}`", text)
    return re.sub(r"\bline (\d+)\b(?! of )", lambda found: str(place_of(int(found.group(1)), lines) or found.group()), text)


def _is_named(place: Dict[str, Any], lines: Sequence[Line]) -> bool:
    """Returns true if the requirement at a position of the model has a name."""
    line = place.get("line")
    if place.get("file") != TEXT or not isinstance(line, int) or not 1 <= line <= len(lines):
        return False
    statement = lines[line - 1].statement
    return statement is not None and bool(statement.name)


class NamedAnswer(Answer):
    """An explanation of a model that is built in Python: positions are lines of Python, and requirements have their
    names.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> x = m.find("x", cl.Int(1, 3))
    >>> m.require(x > 2, name="A large number.")
    >>> m.why(fix=x < 3).names
    ['A large number.', '']
    """

    @property
    def names(self) -> List[str]:
        """The names of the requirements in `reasons`; empty texts for requirements without names."""
        return [reason.get("name", "") for reason in self.json.get("reasons", [])]

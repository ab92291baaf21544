"""Models with a planted mistake, as people make them: one change in a constraint, a domain or the objective."""

import random
import re

OPERATORS = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "=": ["!=", "<="], "!=": ["="],
    "/\\": ["\\/"], "\\/": ["/\\"], "->": ["<->"], "+": ["-"], "-": ["+"], "forAll": ["exists"], "exists": ["forAll"],
    "minimising": ["maximising"], "maximising": ["minimising"], "subset": ["subsetEq"], "subsetEq": ["subset"],
    "union": ["intersect"], "intersect": ["union"], "min": ["max"], "max": ["min"], "allDiff": ["and"],
}  # fmt: skip
ATTRIBUTES = ["total", "injective", "surjective", "bijective", "regular"]
ADDED = {"set": "minSize 1", "mset": "minSize 1", "sequence": "injective", "function": "injective", "partition": "regular"}
# Requirements to add about a decision variable; the type checker refuses those for other types.
ABOUT = ["{} % 2 = 0", "{}", "|{}| <= 1", "|toSet(flatten({}))| != 2", "|image({})| != 2", "|defined({})| > 1"]
TOKEN = re.compile(r"\$[^\n]*|\"[^\"]*\"|<->|-->|->|<-|\.\.|!=|<=|>=|/\\|\\/|\*\*|\w+|[^\s\w]")
STATEMENT = re.compile(r"given|find|letting|where|such|minimising|maximising|branching|heuristic|language")


def statements(text):
    """The start, the end and the keyword of each statement."""
    starts = [token.start() for token in TOKEN.finditer(text) if STATEMENT.fullmatch(token.group())]
    return [(start, end, text[start:].split()[0]) for start, end in zip(starts, [*starts[1:], len(text)])]


def requirements(text, start, end):
    """The start and the end of each requirement of a statement, without the comments before it."""
    depth, first, last = 0, None, None
    for token in TOKEN.finditer(text, start, end):
        word = token.group()
        if word.startswith("$"):
            continue
        depth += (word in "([{") - (word in ")]}")
        if word == "," and depth == 0:
            # A comma after a quantifier's condition or names does not end a requirement.
            if first is not None and is_whole(text[first:last]):
                yield first, last
                first = None
            continue
        first = token.start() if first is None else first
        last = token.end()
    if first is not None:
        yield first, last


def is_whole(requirement):
    """True if each quantifier of a requirement has its body."""
    words = [token.group() for token in TOKEN.finditer(requirement)]
    return sum(word in ("forAll", "exists", "sum", "product") for word in words) <= words.count(".")


def larger_edits(text):
    """Changes of whole requirements, declarations and objectives, as (start, end, new)."""
    whole = statements(text)
    for start, end, keyword in whole:
        if keyword in ("such", "where"):
            skipped = start + re.match(r"such\s+that|where", text[start:]).end()
            for first, last in requirements(text, skipped, end):
                yield first, last, "true"
                yield first, last, f"!({text[first:last]})"
        if keyword in ("minimising", "maximising"):
            yield start, end, "\n"
            first = start + len(keyword)
            last = first + len(text[first:end].rstrip())
            if "$" not in text[first:last]:
                yield first, last, f" 2 * ({text[first:last].strip()})"
                yield first, last, f" ({text[first:last].strip()}) % 3"
        if keyword == "find":
            for match in re.finditer(r"\((?:[^()]|\([^()]*\))*\)(?= (?:of|from)\b| [\w(]+[^\n]*-->)", text[start:end]):
                yield start + match.start(), start + match.end(), ""
            for match in re.finditer(r"\b(set|mset|sequence|function|partition)\b(?! *\()", text[start:end]):
                yield start + match.end(), start + match.end(), f" ({ADDED[match.group(1)]})"
            names = re.match(r"find\s+([^:]*):", text[start:end])
            for name in re.findall(r"\w+", names.group(1)) if names else []:
                for about in ABOUT:
                    yield len(text), len(text), f"\nsuch that {about.format(name)}\n"
    # Swap operands, and replace a quantified name with another one.
    for match in re.finditer(r"\b(\w+(?:\[[^][]*\]|\([^()]*\))?) (-|<|<=|->|/|%) (\w+(?:\[[^][]*\]|\([^()]*\))?)", text):
        yield match.start(), match.end(), f"{match.group(3)} {match.group(2)} {match.group(1)}"
    for match in re.finditer(r"\bforAll (\w+), (\w+) :", text):
        yield match.start(1), match.end(2), f"{match.group(2)}, {match.group(1)}"


def edits(text, seed=0, larger=False):
    """Returns all texts with one change, in random order: the line of the change, the change in words, the text.

    Data and conditions on them change only in the larger edits.
    """
    found = []

    def add(start, end, new):
        found.append((text.count("\n", 0, start) + 1, f"`{text[start:end]}` becomes `{new}`", text[:start] + new + text[end:]))

    for start, end, keyword in statements(text):
        if keyword in ("language", "branching", "heuristic") or keyword in ("given", "where") and not larger:
            continue
        for token in TOKEN.finditer(text, start, end):
            word, at = token.group(), token.span()
            if keyword in ("such", "where", "minimising", "maximising"):
                for other in OPERATORS.get(word, []):
                    # The operators of lists, such as `<=lex`, are left alone.
                    if not text[at[1] :].startswith("lex"):
                        add(*at, other)
            if word.isdigit():
                add(*at, str(int(word) + 1))
                if int(word) > 0:
                    add(*at, str(int(word) - 1))
            if keyword == "find" and word in ATTRIBUTES:
                add(*at, "minSize 1")
    for change in larger_edits(text) if larger else []:
        add(*change)
    random.Random(seed).shuffle(found)
    return found


def without_objective(text, variable=None):
    """The text with a requirement that the objective has a value, or with a variable for the value, instead of the objective.

    Also the keyword of the objective, or nothing.
    """
    direction = None
    for start, end, keyword in reversed(statements(text)):
        if keyword in ("minimising", "maximising"):
            direction = keyword
            value = re.sub(r"\$[^\n]*", "", text[start + len(keyword) : end]).strip()
            declared = f"find {variable} : int(-999..999)\n" if variable else ""
            # A unit of the objective would be one of nothing.
            text = re.sub(r"\$ unit[^\n]*", lambda unit: re.sub(r", objective: [^,\n]*", "", unit.group()), text[:start]) + text[start:]
            start, end, keyword = next(found for found in statements(text) if found[2] == direction)
            text = f"{text[:start]}{declared}such that {variable or f'({value})'} = ({value})\n{text[end:]}"
    return text, direction

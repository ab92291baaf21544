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
TOKEN = re.compile(r"\$[^\n]*|\"[^\"]*\"|<->|-->|->|<-|\.\.|!=|<=|>=|/\\|\\/|\*\*|\w+|[^\s\w]")
STATEMENT = re.compile(r"given|find|letting|where|such|minimising|maximising|branching|heuristic|language")


def statements(text):
    """The start, the end and the keyword of each statement."""
    starts = [token.start() for token in TOKEN.finditer(text) if STATEMENT.fullmatch(token.group())]
    return [(start, end, text[start:].split()[0]) for start, end in zip(starts, [*starts[1:], len(text)])]


def edits(text, seed=0):
    """All texts with one change, in a random order: the line of the change, the change in words, the text."""
    found = []

    def add(start, end, new):
        found.append((text.count("\n", 0, start) + 1, f"`{text[start:end]}` becomes `{new}`", text[:start] + new + text[end:]))

    for start, end, keyword in statements(text):
        if keyword in ("given", "where", "language", "branching", "heuristic"):
            continue
        for token in TOKEN.finditer(text, start, end):
            word, at = token.group(), token.span()
            if keyword in ("such", "minimising", "maximising"):
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
    random.Random(seed).shuffle(found)
    return found


def without_objective(text):
    """The text in which the objective is only required to have a value."""
    for start, end, keyword in reversed(statements(text)):
        if keyword in ("minimising", "maximising"):
            value = re.sub(r"\$[^\n]*", "", text[start + len(keyword) : end]).strip()
            text = f"{text[:start]}such that ({value}) = ({value})\n{text[end:]}"
    return text

"""Values as MiniZinc and Essence write them: reads data files and solutions, and writes constraints for MiniZinc."""

import json
import re

TOKENS = re.compile(r"-->|\.\.|\[\||\|\]|-?\d+|\w+|[^\s\w]")


class Reader:
    """The tokens of a text, and the values of the names that were read before."""

    def __init__(self, text):
        self.tokens, self.position, self.names = TOKENS.findall(text), 0, {}

    def peek(self):
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def next(self, expected=None):
        token = self.peek()
        if token is None or (expected and token != expected):
            raise ValueError(f"{expected} expected instead of {token} (token {self.position})")
        self.position += 1
        return token

    def series(self, end):
        """Values with commas between them (and perhaps after the last), up to a token, which is skipped."""
        found = []
        while self.peek() != end:
            found.append(self.value())
            if self.peek() == "-->":
                self.next()
                found[-1] = (found[-1], self.value())
            if self.peek() == ",":
                self.next()
            elif self.peek() != end:
                break
        if self.peek() == ";":  # the index domain of a matrix in Essence
            self.next()
            name = self.next()
            indices = self.next("(") and self.series(")") if self.peek() == "(" else [name]
            ranges = (one if isinstance(one, range) else [one] for one in indices)
            found = dict(zip((index for one in ranges for index in one), found))
        self.next(end)
        return found

    def rows(self):
        """The rows of a two-dimensional array in MiniZinc."""
        found = []
        while True:
            row = []
            while self.peek() not in ("|", "|]"):
                row.append(self.value())
                if self.peek() == ",":
                    self.next()
            found += [row] if row else []
            if self.next() == "|]":
                return found

    def value(self):
        token = self.next()
        if re.fullmatch(r"-?\d+", token):
            found = int(token)
        elif token in ("true", "false"):
            found = token == "true"
        elif token == "[":
            found = self.series("]")
        elif token == "[|":
            found = self.rows()
        elif token == "{":
            found = frozenset(self.series("}"))
        elif token == "(":
            found = tuple(self.series(")"))
        elif self.peek() == "(":
            self.next()
            found = applied(token, self.series(")"))
        else:
            found = self.names.get(token, token)
        if self.peek() == "..":
            self.next()
            return range(found, self.value() + 1)
        return found


def applied(name, items):
    """The value of a constructor that is written with a name and parentheses."""
    match name:
        case "function":
            return dict(items)
        case "relation" | "mset":
            return sorted(items)
        case "sequence":
            return tuple(items)
        case "partition":
            return items
        case "array1d":
            return list(items[-1])
        case "array2d":
            width = len(items[1])
            return [items[-1][i : i + width] for i in range(0, len(items[-1]), width)]
    raise ValueError(f"{name} is not known")


def data(path):
    """The data file of an instance (`.dzn` or `.json`): name -> value."""
    text = path.read_text()
    if path.suffix == ".json":
        return json.loads(text)
    reader = Reader(re.sub(r"%.*", "", text))
    while reader.peek() is not None:
        name = reader.next()
        reader.next("=")
        reader.names[name] = reader.value()
        if reader.peek() == ";":
            reader.next()
    return reader.names


def solution(text):
    """A solution in Essence: name -> value.

    A function or matrix is a dictionary, a sequence a tuple, and a relation, multiset or partition a list.
    """
    text = re.sub(r"^language .*|\$.*", "", text, flags=re.MULTILINE)
    reader = Reader(text)
    while reader.peek() is not None:
        reader.next("letting")
        name = reader.next()
        reader.next("be")
        if reader.peek() == "new":  # new type enum {…}
            while reader.next() != "}":
                pass
        else:
            reader.names[name] = reader.value()
    return reader.names


def flat(value):
    return [one for item in value for one in flat(item)] if isinstance(value, list) else [value]


def constraints(decisions):
    """Constraints for MiniZinc that give decision variables their values; an array of any dimension is made flat."""
    lines = []
    for name, value in decisions.items():
        text = json.dumps(flat(value) if isinstance(value, list) else value)
        lines.append(f"constraint {f'array1d({name})' if isinstance(value, list) else name} = {text};\n")
    return "".join(lines)

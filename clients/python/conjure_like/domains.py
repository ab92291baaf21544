"""The domains of the parameters and decision variables of a model.

They are read from the canonical layout that `conjure-like pretty` prints. Attributes and bounds are skipped: the program checks them.
"""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Dict, List, Tuple


@dataclass(frozen=True)
class Domain:
    """The structure of a domain.

    `kind` is `bool`, `int`, `enum`, `unnamed`, `tuple`, `record`, `variant`, `matrix`, `set`, `mset`, `sequence`, `function`,
    `relation`, `partition`, `permutation`, or `type` for a parameter that is itself an enumerated type. `parts` are the domains
    inside; those of a matrix are its indices and, last, its elements. `names` are the fields of a record or variant, or the
    members of a type, as far as they are known; `name` is the name of the type, and `limits` are the first and the last value of
    each range in `colour(red..green, blue)` or `int(0..n)`. `source` is the whole domain as the model writes it.
    """

    kind: str
    parts: Tuple["Domain", ...] = ()
    names: Tuple[str, ...] = ()
    name: str = ""
    limits: Tuple[Tuple[str, str], ...] = ()
    source: str = field(default="", compare=False)

    def __str__(self) -> str:
        if self.kind in ("enum", "unnamed"):
            return self.name
        parts = [str(p) for p in self.parts]
        if self.kind == "matrix":
            return f"matrix indexed by [{', '.join(parts[:-1])}] of {parts[-1]}"
        if self.kind == "function":
            return f"function {parts[0]} --> {parts[1]}"
        if self.kind == "relation":
            return f"relation of ({' * '.join(parts)})"
        if self.kind == "partition":
            return f"partition from {parts[0]}"
        if self.kind == "tuple":
            return f"({', '.join(parts)})"
        if self.kind in ("record", "variant"):
            return f"{self.kind} {{{', '.join(f'{n} : {p}' for n, p in zip(self.names, parts))}}}"
        return f"{self.kind} of {parts[0]}" if parts else self.kind

    def uses(self, kind: str) -> bool:
        """Whether this domain or a part of it is of this kind."""
        return self.kind == kind or any(p.uses(kind) for p in self.parts)

    @property
    def members(self) -> Tuple[str, ...]:
        """The members of a type that are in this domain."""

        def within(first: str, last: str) -> Tuple[str, ...]:
            start = self.names.index(first) if first in self.names else 0
            end = self.names.index(last) if last in self.names else len(self.names) - 1
            return self.names[start : end + 1]

        chosen = {name for limits in self.limits for name in within(*limits)}
        return tuple(n for n in self.names if n in chosen or not self.limits)

    def with_members(self, members: Dict[str, Tuple[str, ...]]) -> "Domain":
        """This domain with the members of types that the model alone does not know."""
        parts = tuple(p.with_members(members) for p in self.parts)
        return replace(self, parts=parts, names=members.get(self.name, self.names))


@dataclass
class Declarations:
    """What a model or a parameter file declares."""

    givens: Dict[str, Domain] = field(default_factory=dict)
    finds: Dict[str, Domain] = field(default_factory=dict)
    types: Dict[str, Domain] = field(default_factory=dict)


#: Comments, quoted names, the signs in domains, names (with emoji) and numbers, and all other signs.
TOKEN = re.compile(r"""\$[^\n]*|"(?:\\.|[^"\\])*"|-->|\.\.|(?:[\w']|[^\x00-\x7f\s])+|\S""")
OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def declarations(canonical: str) -> Declarations:
    """Reads the declarations in a text in the canonical layout.

    >>> d = declarations("letting D be domain int(1..3) given f : function (total) D --> set of D")
    >>> str(d.givens["f"])
    'function int --> set of int'
    """
    return _Reader(canonical).read()


class _Reader:
    def __init__(self, text: str):
        found = [t for t in TOKEN.finditer(text) if not t[0].startswith("$")]
        self.text = text
        # A name in quotation marks is a string of JSON.
        self.tokens = [json.loads(t[0]) if t[0][0] == t[0][-1] == '"' != t[0] else t[0] for t in found] + [""]
        self.ends = [t.end() for t in found]
        self.at = 0
        self.found = Declarations()

    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        token = self.tokens[self.at]
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def accept(self, *tokens: str) -> bool:
        if tuple(self.tokens[self.at : self.at + len(tokens)]) == tokens:
            self.at += len(tokens)
            return True
        return False

    def read(self) -> Declarations:
        depth = 0
        while self.peek():
            token = self.next()
            depth += OPENING.get(token, 0)
            if depth:
                continue
            if token in ("given", "find"):
                self.declared(self.found.givens if token == "given" else self.found.finds)
            elif token == "letting":
                self.letting()
        return self.found

    def declared(self, into: Dict[str, Domain]) -> None:
        names = self.names()
        if self.accept("new", "type", "enum"):
            for name in names:
                into[name] = Domain("type", name=name)
                self.found.types[name] = Domain("enum", name=name)
        elif self.accept(":"):
            start = self.ends[self.at - 1]
            domain = self.domain()
            domain = replace(domain, source=self.text[start : self.ends[self.at - 1]].strip())
            into.update((name, domain) for name in names)

    def letting(self) -> None:
        names = self.names()
        if self.accept("be", "new", "type", "enum", "{"):
            members = tuple(self.names())
            self.accept("}")
            self.found.types.update((name, Domain("enum", names=members, name=name)) for name in names)
        elif self.accept("be", "new", "type", "of", "size"):
            self.found.types.update((name, Domain("unnamed", name=name)) for name in names)
        elif self.accept("be", "domain"):
            domain = self.domain()
            self.found.types.update((name, domain) for name in names)

    def names(self) -> List[str]:
        names = [self.next()]
        while self.accept(","):
            names.append(self.next())
        return names

    def skip(self) -> List[str]:
        """Skips what is in parentheses, if they come next."""
        start = self.at
        depth = 0
        while self.peek() and (depth or self.peek() == "("):
            depth += OPENING.get(self.next(), 0)
            if not depth:
                break
        return self.tokens[start : self.at]

    def domain(self) -> Domain:
        token = self.next()
        if token in ("bool", "int"):
            return Domain(token, limits=_limits(self.skip()[1:-1]))
        if token == "matrix":
            self.accept("indexed", "by", "[")
            indices = self.domains("]")
            self.accept("of")
            element = self.domain()
            return Domain("matrix", indices + (element.parts if element.kind == "matrix" else (element,)))
        if token in ("set", "mset", "sequence", "permutation"):
            self.skip()
            self.accept("of")
            return Domain(token, (self.domain(),))
        if token == "partition":
            self.skip()
            self.accept("from")
            return Domain(token, (self.domain(),))
        if token == "function":
            start = self.at
            self.skip()
            if self.peek() == "-->":
                self.at = start
            argument = self.domain()
            self.accept("-->")
            return Domain("function", (argument, self.domain()))
        if token == "relation":
            self.skip()
            self.accept("of")
            self.accept("(")
            return Domain("relation", self.domains(")", "*"))
        if token in ("record", "variant"):
            self.accept("{")
            fields: List[Tuple[str, Domain]] = []
            while not self.accept("}") and self.peek():
                name = self.next()
                self.accept(":")
                fields.append((name, self.domain()))
                self.accept(",")
            return Domain(token, tuple(d for _, d in fields), tuple(n for n, _ in fields))
        if token == "tuple":
            token = self.next()
        if token == "(":
            return Domain("tuple", self.domains(")"))
        bounds = self.skip()[1:-1]
        named = self.found.types.get(token, Domain("int"))
        return replace(named, limits=_limits(bounds)) if named.kind == "enum" and bounds else named

    def domains(self, closing: str, separator: str = ",") -> Tuple[Domain, ...]:
        domains: List[Domain] = []
        while not self.accept(closing) and self.peek():
            domains.append(self.domain())
            self.accept(separator)
        return tuple(domains)


def _limits(bounds: List[str]) -> Tuple[Tuple[str, str], ...]:
    """The first and the last value of each range; an open end is empty."""
    ranges: List[List[str]] = [[]]
    for token in bounds:
        if token == ",":
            ranges.append([])
        else:
            ranges[-1].append(token)
    ends = [" ".join(r).partition("..") for r in ranges]
    return tuple((first.strip(), last.strip() if dots else first) for first, dots, last in ends)

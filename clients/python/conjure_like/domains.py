"""The domains of the parameters and decision variables of a model.

The program reports their structure. Attributes and bounds are left out, because the program checks them.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Dict, Optional, Sequence, Tuple, Type


@dataclass(frozen=True)
class Domain:
    """The structure of a domain.

    `kind` is `bool`, `int`, `enum`, `unnamed`, `tuple`, `record`, `variant`, `matrix`, `set`, `mset`, `sequence`,
    `function`, `relation`, `partition`, `permutation`, or `type` for a parameter that is itself an enumerated type.
    `parts` are the component domains; for a matrix, the indices and then the elements. `names` are the fields of a
    record or variant, or the known members of a type; `name` is the name of the type. `limits` are the first and the
    last value of each range in `colour(red..green, blue)` or `int(0..n)`. `unit` is the size of one step of the
    integers, such as `0.01`, if the model declares one. `source` is the text of the domain in the model.
    """

    kind: str
    parts: Tuple["Domain", ...] = ()
    names: Tuple[str, ...] = ()
    name: str = ""
    limits: Tuple[Tuple[str, str], ...] = ()
    unit: str = ""
    source: str = field(default="", compare=False)
    #: The class derived from Python's `Enum` that the type was made from, if any; its members are the values.
    python: Optional[Type[Enum]] = field(default=None, compare=False)

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
        """Returns true if this domain or a part of it is of this kind."""
        return self.kind == kind or any(p.uses(kind) for p in self.parts)

    @property
    def members(self) -> Tuple[str, ...]:
        """The members of the type that belong to this domain."""

        def within(first: str, last: str) -> Tuple[str, ...]:
            start = self.names.index(first) if first in self.names else 0
            end = self.names.index(last) if last in self.names else len(self.names) - 1
            return self.names[start : end + 1]

        # The order of the type is kept, whatever the order of the ranges is.
        chosen = {name for limits in self.limits for name in within(*limits)}
        return tuple(n for n in self.names if n in chosen or not self.limits)

    def with_enums(self, enums: Dict[str, Type[Enum]]) -> "Domain":
        """Returns this domain with the Python classes of its enumerated types."""
        parts = tuple(p.with_enums(enums) for p in self.parts)
        return replace(self, parts=parts, python=enums.get(self.name) if self.kind == "enum" else None)

    def with_members(self, members: Dict[str, Tuple[str, ...]]) -> "Domain":
        """Returns this domain with the members of types that come with the data."""
        parts = tuple(p.with_members(members) for p in self.parts)
        return replace(self, parts=parts, names=members.get(self.name, self.names))


@dataclass
class Declarations:
    """The declarations of a model or a parameter file."""

    givens: Dict[str, Domain] = field(default_factory=dict)
    finds: Dict[str, Domain] = field(default_factory=dict)
    types: Dict[str, Domain] = field(default_factory=dict)

    def with_enums(self, enums: Dict[str, Type[Enum]]) -> "Declarations":
        """Returns these declarations with the Python classes of enumerated types."""
        each = [{name: d.with_enums(enums) for name, d in domains.items()} for domains in (self.givens, self.finds, self.types)]
        return Declarations(*each)


def declarations(listed: Sequence[Dict[str, Any]]) -> Declarations:
    """Reads the declarations that the program lists.

    >>> d = declarations([{"kind": "given", "name": "s", "text": "set of bool", "domain": {"kind": "set", "parts": [{"kind": "bool"}]}}])
    >>> str(d.givens["s"])
    'set of bool'
    """
    found = Declarations()
    for declared in listed:
        name, domain = declared["name"], _domain(declared["domain"])
        if declared["kind"] in ("given", "find"):
            into = found.givens if declared["kind"] == "given" else found.finds
            into[name] = replace(domain, source=declared["text"])
            continue
        if declared["kind"] == "given type":
            # Such a type is a parameter, whose value is the list of its members.
            found.givens[name] = Domain("type", name=name)
        found.types[name] = domain
    return found


def _domain(dumped: Dict[str, Any]) -> Domain:
    return Domain(
        dumped["kind"],
        parts=tuple(_domain(part) for part in dumped.get("parts", ())),
        names=tuple(dumped.get("names", ())),
        name=dumped.get("name", ""),
        limits=tuple((first, last) for first, last in dumped.get("limits", ())),
        unit=dumped.get("unit", ""),
    )

"""The names that other libraries and Python use for parts of a model.

People and assistants know CPMpy, OR-Tools, PyCSP3, Z3 and NumPy. A name from these is refused with the equivalent here.
"""

import difflib
from typing import Any, Dict, Iterable

from .mistakes import NoAttribute

_FIND = 'declare a decision variable, as in `x = m.find("x", cl.Int(1, 9))`'
_CHOOSE = 'declare a decision variable, as in `b = m.find("b", bool)`'
_REQUIRE = "write `m.require(…)`"
_GOAL = "write `m.minimise(…)` or `m.maximise(…)`"
_VALUE = "the value is a part of a solution, as in `m.solve().x`"

#: The functions of the module.
_FUNCTIONS = {
    "intvar": _FIND, "IntVar": _FIND, "Var": _FIND, "VarArray": _FIND, "boolvar": _CHOOSE, "BoolVar": _CHOOSE,
    "int": "write `cl.Int(1, 9)` for a domain, `cl.to_int(c)` for a condition as 1 or 0",
    "Integer": "write `cl.Int(1, 9)`", "Boolean": "write `cl.Bool`", "bool": "write `cl.Bool`", "len": "write `cl.size(s)`", "range": "write `cl.Int(1, 9)`: both ends are included",
    "list": "write `cl.listing(…)`", "dict": "write `cl.function(…)`", "prod": "write `cl.product(…)`", "forall": "write `cl.all(… for i in D)`",
    "AllDifferent": "write `cl.all_different(…)`", "AllDiff": "write `cl.all_different(…)`", "Distinct": "write `cl.all_different(…)`",
    "AllDifferentExcept0": "write `cl.all_different_except(x, 0)`", "AllEqual": "write `cl.all(x[i] == x[1] for i in D)`",
    "Count": "write `cl.freq(x, v)`", "Element": "write `a[i]`", "Table": "write `cl.table(xs, rows)`", "InDomain": "write `cl.member(x, values)`",
    "GlobalCardinalityCount": "write `cl.gcc(xs, values, numbers)`",
    "Circuit": "declare the tour as a `cl.Sequence`, or as a `cl.Permutation`", "Inverse": "write `cl.inverse(f, g)`",
    "Cumulative": "write the sum over the jobs that run at each time, as in `cl.sum(need[j] for j in Job if start[j] <= t and t < start[j] + time[j])`",
    "NoOverlap": "write `cl.all((end[a] <= start[b]) | (end[b] <= start[a]) for a in Job for b in Job if a < b)`",
    "Maximum": "write `cl.max(…)`", "Minimum": "write `cl.min(…)`", "Abs": "write `abs(x)`", "Sum": "write `cl.sum(…)`", "Xor": "write `cl.xor(…)`",
    "IfThenElse": "write `cl.if_else(c, x, y)`", "If": "write `cl.if_else(c, x, y)`", "Implies": "write `cl.implies(a, b)`", "imply": "write `cl.implies(a, b)`",
    "And": "write `cl.all(a, b)`, or `a & b`", "Or": "write `cl.any(a, b)`, or `a | b`", "Not": "write `~a`", "cpm_array": "write `cl.constant(…)`",
    "satisfy": _REQUIRE, "minimize": _GOAL, "maximize": _GOAL, "minimise": _GOAL, "maximise": _GOAL, "Solver": "write `m = cl.Builder()`",
    "Cardinality": "write `cl.gcc(xs, values, numbers)`", "CpModel": "write `m = cl.Builder()`", "Array": "write `cl.Matrix(D, of=E)`", "List": "write `cl.Sequence(D)`, or `cl.Matrix(D, of=E)` for a fixed size",
    "Dict": "write `cl.Function(D, E)`", "FrozenSet": "write `cl.Set(D)`", "Bag": "write `cl.MSet(D)`", "Graph": "write `cl.Relation(V, V)`",
    "Enum": 'write `colour = m.enum("colour", ["red", "green"])`', "Interval": "declare its start, as in `start = m.find(\"start\", cl.Int(0, 99))`",
    "Among": "write `cl.count(cl.member(x[i], values) for i in D)`", "NValue": "write `cl.size(cl.to_set(x))`",
    **dict.fromkeys(("Increasing", "Decreasing", "IncreasingStrict", "DecreasingStrict", "ordered"), "write `cl.all(x[i] <= x[i + 1] for i in cl.Int(1, n - 1))`"),
    "Precedence": "write a condition on each position, as in `cl.all(cl.implies(x[i] == b, cl.any(x[j] == a for j in D if j < i)) for i in D)`",
    "ShortTable": "write `cl.any((xs[1] == a) & (xs[3] == b) for a, b in rows)`", "Regular": "declare the states, as in `state[i + 1] == step(state[i], x[i])`",
    "SubCircuit": "declare the tour as a `cl.Sequence` that is `injective`, or as a `cl.Permutation`",
    **dict.fromkeys(("exists_one", "exactly_one", "one_of", "unique"), "write `cl.count(…) == 1`"), "at_most_one": "write `cl.count(…) <= 1`",
    "at_least_one": "write `cl.any(…)`", "subset": "write `s <= t`", "issubset": "write `s <= t`", "superset": "write `s >= t`", "union": "write `s | t`", "intersection": "write `s & t`",
    "difference": "write `s - t`", "disjoint": "write `s & t == set()`",
    **dict.fromkeys(("is_in", "In", "contains"), "write `cl.member(x, s)`"), **dict.fromkeys(("length", "card", "cardinal"), "write `cl.size(s)`"),
    **dict.fromkeys(("ite", "cond", "where", "select"), "write `cl.if_else(c, x, y)`"),
    **dict.fromkeys(("dot", "inner", "matmul", "scalar_product"), "write a sum of products, as in `cl.sum(a[i] * b[i] for i in D)`"),
    **dict.fromkeys(("enumerate", "zip"), "range over the indices, as in `… for i in D`, and write `s[i]` for the element"),
    "diff": "write neighbours, as in `a[i + 1] - a[i]`", **dict.fromkeys(("transpose", "diag", "diagonal"), "write the indices, as in `x[j, i]` or `x[i, i] for i in D`"),
    **dict.fromkeys(("IntVarArray", "new_int_var", "NewIntVar"), _FIND), "solve": "write `m.solve()`",
    **dict.fromkeys(("open", "load", "read"), "write `m = cl.Builder.open(file)` to extend a model, `cl.Model(file)` to solve it"),
}  # fmt: skip

#: The methods of a model.
_METHODS = {
    **dict.fromkeys(("add", "Add", "add_constraint", "addConstr", "addConstrs", "addConstraint", "constraint", "constraints", "post"), _REQUIRE),
    **dict.fromkeys(("subject_to", "assert_", "satisfy", "such_that", "require_all", "AddConstraint"), _REQUIRE),
    **dict.fromkeys(("new_int_var", "NewIntVar", "int_var", "intvar", "addVar", "addVars", "add_variable", "var", "variable", "new"), _FIND),
    **dict.fromkeys(("new_bool_var", "NewBoolVar", "boolvar", "bool_var"), _CHOOSE),
    **dict.fromkeys(("objective", "setObjective", "set_objective", "Minimize", "Maximize", "min", "max"), _GOAL),
    **dict.fromkeys(("solveAll", "solve_all", "all_solutions", "enumerate"), "write `for solution in m.solutions(): …`"),
    **dict.fromkeys(("objective_value", "objectiveValue"), "write `m.solve().objective`"),
    **dict.fromkeys(("check", "run", "optimize", "optimise"), "write `m.solve()`"),
    **dict.fromkeys(("value", "Value", "values"), _VALUE),
    "status": "write `m.solve().status`", "param": 'write `m.given("n", cl.Int(1, 9))`', "parameter": 'write `m.given("n", cl.Int(1, 9))`',
    "add_all_different": "write `m.require(cl.all_different(…))`", "add_element": "write `m.require(xs[i] == v)`",
    "add_implication": "write `m.require(cl.implies(a, b))`", "set": "write `m.require(x == …)`",
    "constant": 'write `m.letting("c", …)`', "print": "write `print(m)`", "export": "write `m.save(file)`", "to_string": "write `str(m)`",
}  # fmt: skip

_CHANGE = "a model has no assignments: write a requirement, as in `m.require({x} == …)`, or `cl.member(…, {x})` for a member"

#: The attributes and methods of values.
_ATTRIBUTES = {
    **{name: _VALUE for name in ("value", "X", "varValue", "solution_value", "get_value", "Value", "val", "numpy", "tolist", "item")},
    **{name: f"write `cl.{name}({{x}})`" for name in ("sum", "max", "min", "all", "any")},
    "prod": "write `cl.product({x})`",
    "T": "swap the indices, as in `{x}[j, i]`",
    "transpose": "swap the indices, as in `{x}[j, i]`",
    "shape": "use the domain of the indices, such as `D.size`",
    "size": "write `cl.size({x})`",
    "flatten": "write `cl.flatten({x})`",
    "ravel": "write `cl.flatten({x})`",
    "flat": "write `cl.flatten({x})`",
    "dot": "write a sum of products, as in `cl.sum({x}[i] * b[i] for i in D)`",
    "mean": "compare the sum, as in `cl.sum({x}) == 3 * cl.size({x})`",
    "count": "write `cl.freq({x}, value)`",
    "isin": "write `cl.member({x}, values)`",
    "between": "write `(1 <= {x}) & ({x} <= 3)`",
    "union": "write `{x} | t`",
    "intersection": "write `{x} & t`",
    "difference": "write `{x} - t`",
    "symmetric_difference": "write `({x} - t) | (t - {x})`",
    "issubset": "write `{x} <= t`",
    "issuperset": "write `{x} >= t`",
    "isdisjoint": "write `{x} & t == set()`",
    "contains": "write `cl.member(value, {x})`",
    **{name: _CHANGE for name in ("add", "remove", "discard", "update", "pop", "append", "extend", "insert", "clear", "setdefault")},
    "items": "range over it, as in `… for argument, image in {x}`",
    "keys": "write `cl.defined({x})`",
    "get": "write `{x}(argument)`; if it may be undefined, write `cl.catch_undefined({x}(argument), 0)`",
    "index": "write a condition on the position, as in `{x}[i] == value`",
    "len": "write `cl.size({x})`",
    "eq": "write `{x} == y`",
    "only_enforce_if": "write `cl.implies(b, {x})`",
    "OnlyEnforceIf": "write `cl.implies(b, {x})`",
    "Not": "write `~{x}`",
    "negated": "write `~{x}`",
}  # fmt: skip


def unknown_function(name: str) -> NoAttribute:
    """Returns the error for a name that this package does not have."""
    return NoAttribute(f"there is no `cl.{name}`", function_help(name))


def function_help(name: str) -> str:
    """Returns advice for a function of another library."""
    from . import __all__
    from .domains import ATTRIBUTES

    if name in ATTRIBUTES:
        return f"write `cl.attribute({name!r}, f)`; in a domain it is an argument, as in `cl.Function(D, E, {name}=True)`"
    return _help(name, _FUNCTIONS, __all__, "cl.")


def unknown_method(name: str, known: Iterable[str]) -> NoAttribute:
    """Returns the error for a name that a model does not have."""
    return NoAttribute(f"a model has no `{name}`", _help(name, _METHODS, known, "m."))


def unknown_attribute(e: Any, name: str, shown: str) -> NoAttribute:
    """Returns the error for a name that an expression does not have. `shown` is the expression as Python spells it."""
    kind = e.type.kind if e.type is not None else ""
    said = f"`{shown}` has no attribute `{name}`: it is an expression, whose value is known only when the model is solved"
    if kind in ("record", "variant") and name in e.type.names:
        return NoAttribute(said, f'write `{shown}["{name}"]`')
    if kind == "tuple":
        return NoAttribute(said, f"write `{shown}[0]` for a component")
    if name == "values":
        return NoAttribute(said, f"write `cl.range_of({shown})`" if kind in ("function", "sequence") else _VALUE)
    if name in _ATTRIBUTES:
        return NoAttribute(said, _ATTRIBUTES[name].replace("{x}", shown))
    function = _near(name, _functions())
    return NoAttribute(said, f"write `cl.{function}({shown})`" if function else "write it with operators and the functions that `help(cl.builder)` lists")


def _functions() -> Iterable[str]:
    from .functions import __all__

    return __all__


def _help(name: str, known: Dict[str, str], names: Iterable[str], before: str) -> str:
    if name in known:
        return known[name]
    of_others = {_plain(k): help for k, help in known.items()}
    # `newIntVar` and `NEW_INT_VAR` are spelt in many ways; a name of this package takes precedence.
    if _plain(name) in of_others and _plain(name) not in map(_plain, names):
        return of_others[_plain(name)]
    near = _near(name, names)
    return f"did you mean `{before}{near}`?" if near else f"`help({'cl.builder' if before == 'cl.' else 'm'})` lists all names"


def _near(name: str, names: Iterable[str]) -> str:
    """Returns the most similar name, or an empty text."""
    plain = {_plain(n): n for n in names}
    found = difflib.get_close_matches(_plain(name), list(plain), 1, 0.75)
    return plain[found[0]] if found else ""


def _plain(name: str) -> str:
    """Returns a name without capitals and underscores."""
    return name.lower().replace("_", "")

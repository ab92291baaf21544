"""Refuses Python that would silently do the wrong thing with expressions, and says what to write instead."""

import ast
import copy
import difflib
import functools
import inspect
import linecache
import opcode
import os
import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from ..errors import ConjureLikeError

#: The folder of the package, whose frames messages skip to find the user's line.
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

#: Python functions that need the truth value or the members of their arguments, and the functions to write instead.
BUILTINS = {
    "all": "all", "any": "any", "sum": "sum", "max": "max", "min": "min", "len": "size", "set": "to_set", "frozenset": "to_set",
    "list": "listing", "sorted": "", "tuple": "", "enumerate": "", "zip": "", "map": "", "filter": "", "reversed": "", "iter": "", "next": "",
    "bool": "", "int": "to_int", "float": "", "range": "Int", "round": "", "prod": "product", "dict": "",
}  # fmt: skip

#: The kinds of values that are true in Python if they have members.
COUNTED = ("set", "mset", "function", "relation", "sequence", "partition")

#: Libraries that call operators of expressions for the user: messages point at the line that calls the library.
LIBRARIES = frozenset(("numpy", "pandas", "networkx", "functools", "itertools", "math", "operator", "random", "statistics", *getattr(sys, "stdlib_module_names", ()))) - {"__main__"}

#: The name of the package that users import.
MODULE = __name__.partition(".")[0]

Called = TypeVar("Called", bound=Callable[..., Any])


class Place(NamedTuple):
    """A line of a Python program."""

    file: str
    line: int

    @property
    def source(self) -> str:
        """The text of the line, or an empty text if the source is unavailable."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{_shown_name(self.file)}:{self.line}"


def _shown_name(file: str) -> str:
    """Returns the name of a file without its folder, or the number of a Jupyter cell."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    cell = shell.compile.format_code_name(file) if shell is not None and hasattr(shell.compile, "format_code_name") else None
    return " ".join(cell) if cell else os.path.basename(file)


class ModellingError(ConjureLikeError):
    """Python code that cannot mean a part of a model. The message names the line, and `help` says what to write
    instead.

    >>> import conjure_like as cl
    >>> m = cl.Builder()
    >>> x = m.find("x", cl.Int(1, 9))
    >>> try:
    ...     m.require(len(x) == 3)
    ... except cl.ModellingError as error:
    ...     print(error.message, error.help, sep="; ")
    `len` needs a number that is known only when the model is solved; write `cl.size(x)`
    """

    def __init__(self, message: str, help: str = "", place: Optional[Place] = None):
        name = alias(outside_frame())
        self.message, self.help = message.replace("cl.", name), help.replace("cl.", name)
        self.place = place or outside()
        super().__init__(self._rendered())

    def __reduce__(self) -> Tuple[type, Tuple[str, str, Place]]:
        return type(self), (self.message, self.help, self.place)

    @property
    def file(self) -> str:
        """The file with the mistake."""
        return self.place.file

    @property
    def line(self) -> int:
        """The line of the mistake, counted from 1."""
        return self.place.line

    def _rendered(self) -> str:
        lines = [self.message, f"  --> {self.place}"]
        if self.place.source:
            lines.append(f"   |  {self.place.source}")
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)

    def _render_traceback_(self) -> List[str]:
        """The text that Jupyter shows below the cell: the message without the Python stack."""
        return str(self).splitlines()


class NoAttribute(ModellingError, AttributeError):
    """An attribute that an expression, a model or this package does not have. It is also an `AttributeError`, so
    that `hasattr` works.
    """


def outside() -> Place:
    """Returns the line outside this package that is being executed."""
    frame = outside_frame()
    return Place(frame.f_code.co_filename, frame.f_lineno)


def outside_frame() -> FrameType:
    """Returns the innermost frame outside this package and the libraries that call it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(HERE) or frame.f_globals.get("__name__", "").partition(".")[0] in LIBRARIES
    ):
        frame = frame.f_back
    return frame


def alias(frame: FrameType) -> str:
    """Returns the prefix by which a program names this package, such as `cl.`."""
    for name, value in list(frame.f_globals.items()):
        if getattr(value, "__name__", None) == MODULE and not isinstance(value, str):
            return f"{name}."
    return "cl."


# ---- calls


def checked(function: Called) -> Called:
    """Wraps a function of the language. Wrong arguments are refused with its signature, and a condition is refused
    if the call is a statement, because then nothing requires the condition.
    """

    @functools.wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            made = function(*arguments, **named)
        except TypeError as error:
            # A deeper traceback is a `TypeError` inside the function, which is not about its arguments.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            refused = _refuse_arguments(function, arguments, named)
        else:
            # `cl.all_different(x)` as a statement would silently constrain nothing.
            if getattr(made, "_kind", "") == "bool" and is_dropped(sys._getframe(1), function.__name__):
                raise refuse_unused(made)
            return made
        raise refused

    return called  # type: ignore[return-value]


def check_methods(of: type) -> None:
    """Wraps the public methods of a class in `checked`."""
    for name, method in list(vars(of).items()):
        if inspect.isfunction(method) and not name.startswith("_"):
            setattr(of, name, checked(method))


def _refuse_arguments(function: Callable[..., Any], arguments: Sequence[Any], named: Dict[str, Any]) -> ModellingError:
    """Returns the error for arguments that a function does not take."""
    parameters = dict(inspect.signature(function).parameters)
    is_method = parameters.pop("self", None) is not None
    # `m.find` and `m.given` are callable objects: their kind is the name that the user has written.
    name = f"m.{getattr(arguments[0], '_kind', function.__name__)}" if is_method else f"cl.{function.__name__}"
    words = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    unknown = [n for n in named if n not in words]
    given = len(arguments) - is_method
    positional = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if unknown:
        near = difflib.get_close_matches(unknown[0], words, 1)
        # `minsize` and `minSize` mean `min_size`, and `parts` suggests `num_parts`.
        near = [w for w in words if w.replace("_", "") == unknown[0].lower().replace("_", "")] or near
        near = near or [w for w in words if unknown[0].lower() in w]
        said = f"`{name}` has no argument `{unknown[0]}`"
        return ModellingError(said, f"did you mean `{near[0]}`?" if near else f"write `{_signature(name, parameters.values())}`")
    said = f"`{name}` takes {len(positional)} {'argument' if len(positional) == 1 else 'arguments'} without a name, not {given}"
    if function.__name__ in INSTEAD:
        return ModellingError(said, INSTEAD[function.__name__])
    missing = [p.name for p in parameters.values() if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    missing = [n for n in missing if n not in named and n not in positional[:given]]
    if missing:
        said = f"`{name}` needs the argument `{missing[0]}`"
    return ModellingError(said, f"write `{_signature(name, parameters.values())}`")


#: Advice for calls with more arguments, which have a meaning in other libraries.
INSTEAD = {"count": "write `cl.freq(a, 3)` for how often a value occurs, or conditions, as in `cl.count(a[i] == 3 for i in D)`"}


def _signature(name: str, parameters: Iterable[inspect.Parameter]) -> str:
    """Returns a call as users write it: `cl.Set(of, size=…)`."""
    shown = []
    for p in parameters:
        if p.kind == p.VAR_POSITIONAL:
            shown.append(f"{p.name}, …")
        elif p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            shown.append(p.name)
        elif p.kind == p.KEYWORD_ONLY or p.kind == p.POSITIONAL_OR_KEYWORD:
            shown.append(f"{p.name}=…")
    return f"{name}({', '.join(shown)})"


def is_dropped(frame: FrameType, word: str) -> bool:
    """Returns true if the value of the current call of `word` is discarded because the call is a statement; of an
    operator if `word` is empty.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    begin = at
    # During a call of a Python function, `f_lasti` points at the last cache entry of the call instruction.
    while code[begin] == _CACHE:
        begin -= 2
    if opcode.opname[code[begin]].startswith("CALL") != bool(word):
        return False
    at += 2
    while code[at] == _CACHE:
        at += 2
    # `POP_TOP` discards the value of an expression statement; every other use stores, returns or passes it.
    if code[at] != _POP_TOP:
        return False
    if not word:
        return True
    # A C function such as `map` may have called the function; then the discarded value is the C function's.
    statements = (node.value for node in _around(frame) if isinstance(node, ast.Expr))
    return any(isinstance(value, ast.Call) and _called(value) == word for value in statements)


_POP_TOP, _CACHE = opcode.opmap["POP_TOP"], opcode.opmap.get("CACHE", -1)


def refuse_unused(condition: Any) -> ModellingError:
    """Returns the error for a condition that is a statement, which nothing would require."""
    from .expressions import spelt

    return ModellingError(f"the condition `{spelt(condition)}` has no effect", f"write `m.require({spelt(condition)})`")


def refuse_constant(value: Any) -> ModellingError:
    """Returns the error for a requirement that Python has evaluated to a Boolean."""
    frame = outside_frame()
    for node in _around(frame):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Compare) and isinstance(inner.ops[0], (ast.Is, ast.IsNot)):
                word, sign = ("is", "==") if isinstance(inner.ops[0], ast.Is) else ("is not", "!=")
                right = inner.comparators[0]
                is_none = isinstance(right, ast.Constant) and right.value is None
                help = f"write `{_text(inner.left)} {sign} {_text(right)}`"
                return ModellingError(
                    f"`{word}` compares Python objects, not their values: it is `{value}` here",
                    "leave it out: a decision variable always has a value" if is_none else help,
                )
        break
    return ModellingError(
        f"this is the Python value `{value}`, which does not depend on the model",
        "compare expressions of the model; test data with `if` or `assert`, or write `cl.constant(False)` if you mean that",
    )


def refuse_truth(shown: str, kind: str) -> ModellingError:
    """Returns the error for an expression of this kind whose truth value Python needs."""
    frame = outside_frame()
    cl = alias(frame)
    for node in _around(frame):
        # The innermost construct that needs a truth value comes first, because nodes are visited from the inside out.
        if isinstance(node, ast.BoolOp):
            return ModellingError(
                f"`{'and' if isinstance(node.op, ast.And) else 'or'}` needs the truth value of `{shown}`, which is known only when the model is solved",
                f"write `{_as_expression(node)}`; mind the parentheses around comparisons",
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ModellingError(
                f"`not` needs the truth value of `{shown}`, which is known only when the model is solved",
                f"write `{shown} == 0`" if kind == "int" else f"write `{cl}size({shown}) == 0`" if kind in COUNTED else f"write `{_as_expression(node)}`",
            )
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            return ModellingError(
                "Python's `in` compares with one member after the other, but they are known only when the model is solved",
                f"write `{_as_expression(node)}`",
            )
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            values = [node.left, *node.comparators]
            # `x == 1 & y == 2` is `x == (1 & y) == 2` in Python.
            mixed = any(isinstance(v, ast.BinOp) and isinstance(v.op, (ast.BitAnd, ast.BitOr)) for v in values)
            if mixed:
                return ModellingError(
                    "`&` and `|` bind tighter than comparisons in Python, so this compares three values",
                    "put parentheses around each comparison, as in `(x == 1) & (y == 2)`",
                )
            return ModellingError("Python joins the parts of a chain of comparisons with `and`", f"write `{_as_expression(node)}`")
        if isinstance(node, ast.Compare) and all(isinstance(v, (ast.Tuple, ast.List)) for v in (node.left, *node.comparators)):
            left, right = _text(node.left), _text(node.comparators[0])
            # The text between the operands is the operator as Python spells it.
            comparison = ast.unparse(node).replace(left, "", 1).rpartition(right)[0].strip()
            return ModellingError(
                "Python compares two tuples or lists member by member, but the members are known only when the model is solved",
                f"write `{cl}constant({left}) {comparison} {right}`",
            )
        # `[x, y] == values`: comparing two lists asks for the truth value of `x == values[0]`.
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and _compares_members(frame):
            left, right = _text(node.left), _text(node.comparators[0])
            return ModellingError(
                f"Python compares the members of `{left}` and `{right}` immediately, but they are known only when the model is solved",
                f"write `{cl}constant({left}) {'==' if isinstance(node.ops[0], ast.Eq) else '!='} {cl}constant({right})`",
            )
        if isinstance(node, ast.IfExp):
            return ModellingError(
                f"`if` needs the truth value of `{shown}`, which is known only when the model is solved",
                f"write `{cl}if_else({_text(node.test)}, {_text(node.body)}, {_text(node.orelse)})`",
            )
        if isinstance(node, (ast.If, ast.While)):
            word = "if" if isinstance(node, ast.If) else "while"
            return ModellingError(
                f"`{word}` needs the truth value of `{shown}`, which is known only when the model is solved",
                f"write a requirement with `{cl}implies({_text(node.test)}, …)`; to test a solution, use its value",
            )
        if isinstance(node, ast.Assert):
            return ModellingError(
                f"`assert` needs the truth value of `{shown}`, which is known only when the model is solved",
                f"write `require({_text(node.test)})`, or use the value in a solution",
            )
        if isinstance(node, ast.comprehension):
            return ModellingError(
                "the members are Python values, but the condition is known only when the model is solved",
                f"make the condition part of what is counted or required, as in `{cl}implies(condition, …)` or `{cl}to_int(condition)`, "
                "or range over a domain of the model",
            )
        if isinstance(node, ast.Call) and _called(node) in BUILTINS:
            return _builtin(node, frame)
    return ModellingError(
        f"Python needs the truth value of `{shown}`, which is known only when the model is solved",
        f"write `&`, `|`, `~` for `and`, `or`, `not`, `{cl}member(x, s)` for `x in s`, and `{cl}max`, `{cl}min`, `{cl}any`, `{cl}all` for the "
        "functions of Python",
    )


def _compares_members(frame: FrameType) -> bool:
    """Returns true if a comparison itself needs the truth value of its operands, rather than the code that uses its
    result.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    # Since Python 3.13, a comparison before `if` or `assert` converts its result to a Boolean.
    makes_boolean = sys.version_info >= (3, 13) and code[at + 1] & 16
    return opcode.opname[code[at]] == "COMPARE_OP" and not makes_boolean


def refuse_members(shown: str) -> ModellingError:
    """Returns the error for a collection whose members Python needs outside a generator that this package reads."""
    frame = outside_frame()
    cl = alias(frame)
    comprehension: Optional[ast.AST] = None
    for node in _around(frame):
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            comprehension = node
        elif isinstance(node, ast.GeneratorExp):
            comprehension = None
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            return ModellingError(
                f"a `for` statement needs the members of `{shown}`, which are known only when the model is solved",
                f"write a generator, as in `require(… for {_text(node.target)} in {_text(node.iter)})`",
            )
        elif isinstance(node, ast.Call) and comprehension is None and isinstance(node.func, ast.Name) and _called(node) in BUILTINS:
            return _builtin(node, frame)
        elif isinstance(node, ast.Call) and comprehension is None and isinstance(node.func, ast.Attribute) and node.func.attr in BUILTINS:
            name = BUILTINS[node.func.attr] or node.func.attr
            if _text(node.func.value) + "." != cl:
                return ModellingError(
                    f"`{_text(node.func)}` needs the members of `{shown}`, which are known only when the model is solved",
                    f"write `{cl}{name}({_arguments(node)})`",
                )
    if comprehension is not None:
        return ModellingError(
            f"Python builds this collection immediately, but the members of `{shown}` are known only when the model is solved",
            f"leave out the brackets and give the generator to a function, as in `{cl}all_different(x for x in s)`; "
            f"`{cl}listing(x for x in s)` is a list, `{cl}to_set(x for x in s)` a set",
        )
    return ModellingError(
        f"Python needs the members of `{shown}`, which are known only when the model is solved",
        f"give a generator to a function of conjure_like, as in `{cl}sum(x for x in s)`",
    )


def refuse_known(shown: str) -> ModellingError:
    """Returns the error for an enumerated type whose members Python needs one by one."""
    return ModellingError(
        f"`{shown}` stands for all its members together; `{shown}.names` lists them", f"write `… for name in {shown}.names`, or `len({shown}.names)`"
    )


def refuse_carried(frame: FrameType, changed: Sequence[str]) -> Optional[ModellingError]:
    """Returns the error for a `for` statement over a domain if an iteration reads a variable that the previous one
    has set.
    """
    for node in _around(frame):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            # The loop variables change in each iteration; that is their purpose.
            own = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
            carried = [name for name in changed if name not in own and next(_uses(node.body, name), "") == "read"]
            if carried:
                return ModellingError(
                    f"`{carried[0]}` changes from one iteration of this `for` to the next, but a `for` over a domain of the model is run once, with one name "
                    "for all its values",
                    "write neighbours as `a[i]` and `a[i + 1]`, and a running sum as `cl.sum(a[j] for j in D if j <= i)`",
                )
            break
    return None


def refuse_identity(frame: FrameType, ranges: Callable[[Any], bool]) -> Optional[ModellingError]:
    """Returns the error for a generator that compares a quantified name with `is`: Python would compare the names, not
    their values.

    `ranges` returns true for a Python value that is a quantified name.
    """
    # Instructions are at even offsets; this test avoids parsing the source of generators without `is`.
    if _IS not in frame.f_code.co_code[::2]:
        return None
    for node in _parts_of(frame.f_code):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            asked = [n.id for n in (node.left, *node.comparators) if isinstance(n, ast.Name)]
            if len(asked) == 2 and any(ranges(frame.f_locals.get(name)) for name in asked):
                word, sign = ("is", "==") if isinstance(node.ops[0], ast.Is) else ("is not", "!=")
                return ModellingError(
                    f"`{word}` compares Python objects, not their values",
                    f"write `{_text(node.left)} {sign} {_text(node.comparators[0])}`",
                )
    return None


_IS = opcode.opmap["IS_OP"]


def _parts_of(code: CodeType) -> Iterator[ast.AST]:
    """Yields the expressions of the program on the lines of a function or generator."""
    tree = _tree(code)
    lines = [line for *_, line in code.co_lines() if line is not None] if hasattr(code, "co_lines") else [code.co_firstlineno]
    for node in ast.walk(tree) if tree is not None and lines else ():
        if isinstance(node, ast.expr) and min(lines) <= node.lineno <= max(lines):
            yield node


def choice_help(code: CodeType) -> str:
    """Returns advice for an element of a generator that needs a truth value, or an empty text if the expression is
    unknown.
    """
    help = ""
    for node in _parts_of(code):
        if isinstance(node, ast.GeneratorExp):
            written, meant = _text(node.elt), _as_expression(node.elt)
            # The walk is breadth-first, so the innermost generator comes last.
            help = f"write `{meant}` for `{written}`" if written != meant else help
    return help


def _uses(nodes: "Sequence[ast.AST]", name: str) -> Iterator[str]:
    """Yields `read` or `set` for each use of a name, in the order of execution."""
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name:
            yield "read" if isinstance(node.ctx, ast.Load) else "set"
        elif isinstance(node, ast.AugAssign):
            # `n += x` reads `n` before it sets it.
            is_name = isinstance(node.target, ast.Name) and node.target.id == name
            yield from ["read"] if is_name else _uses([node.value, node.target], name)
        elif isinstance(node, ast.Assign):
            # The value of an assignment is evaluated before its targets are set.
            yield from _uses([node.value, *node.targets], name)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            yield from _uses([*([node.value] if node.value else []), node.target], name)
        else:
            yield from _uses(list(ast.iter_child_nodes(node)), name)


def refuse_builtin(word: str, shown: str) -> ModellingError:
    """Returns the error for a Python function that needs a value, such as `len` or `int`."""
    frame = outside_frame()
    cl = alias(frame)
    # Python needs the value for the innermost call.
    call = next((n for n in _around(frame) if isinstance(n, ast.Call)), None) if word not in ("range", "index") else None
    # `random.choice(s)` calls `len(s)`; the message is about the function that the user has called.
    if call is not None and word == "len" and _called(call) != "len":
        if _called(call) in BUILTINS:
            return _builtin(call, frame)
        return ModellingError(
            f"Python's `{_text(call.func)}` needs the members of `{shown}`, which are known only when the model is solved",
            f"give a generator to a function of conjure_like, as in `{cl}sum(x for x in s)`",
        )
    # `math.sqrt(x)` converts its argument to `float`.
    function = _text(call.func) if call is not None and word == "float" else word
    if word not in ("len", "int", "range", "index", "float") or function not in ("float", word):
        return ModellingError(
            f"Python's `{function}` needs a number, but the value of `{shown}` is known only when the model is solved",
            f"write it with `+`, `-`, `*`, `//`, `%`, `**` and the functions of `{cl.rstrip('.')}`; a function of a few values can be a table, "
            f"as in `{cl}constant({{1: 1, 4: 2, 9: 3}})({shown})`",
        )
    help = {
        "len": f"write `{cl}size({shown})`",
        "int": f"a Boolean is a number as `{cl}to_int({shown})`; the value is known only in a solution",
        "range": f"write `{cl}Int(0, {shown} - 1)` for `range({shown})`, or give Python the number itself",
        "index": f'make the list a part of the model, as in `values = m.letting("values", values)`, and write `values[{shown}]` with the result; its indices count from 1, or are the values of a domain, as in `{cl}matrix(values, {cl}Int(0, 9))`',
        "float": "all numbers in a model are integers; count in smaller units",
    }[word]
    said = {
        "len": "`len` needs a number that is known only when the model is solved",
        "int": f"`{shown}` has no value before the model is solved",
        "range": f"`range` needs a number, but `{shown}` is known only when the model is solved",
        "index": f"Python cannot look up position `{shown}` of a list, because it is known only when the model is solved",
        "float": f"`{shown}` has no value before the model is solved",
    }[word]
    return ModellingError(said, help)


def refuse_numpy(name: str, shown: str) -> ModellingError:
    """Returns the error for a NumPy function, which needs values."""
    from .elsewhere import function_help

    instead = BUILTINS.get({"amax": "max", "amin": "min"}.get(name, name))
    help = f"write `{alias(outside_frame())}{instead}({shown})`" if instead else function_help(name)
    return ModellingError(f"NumPy's `{name}` needs values, but the value of `{shown}` is known only when the model is solved", help)


def refuse_text(shown: str) -> None:
    """Refuses `str(x)` and the like in a generator, which would be the text of the expression and not of its values."""
    call = next((node for node in _around(outside_frame()) if isinstance(node, ast.Call)), None)
    if call is not None and _called(call) in ("str", "repr", "int", "len"):
        raise ModellingError(
            f"`{_text(call)}` is the text of an expression, not of the values of `{shown}`", f"make a table of the values, as in `cl.constant({{1: 5, 2: 7}})({shown})`"
        )


def refuse_hash(shown: str) -> ModellingError:
    """Returns the error for a Python set or `dict`, which would compare expressions as objects."""
    frame = outside_frame()
    for node in _around(frame):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            negation = "~" if isinstance(node.ops[0], ast.NotIn) else ""
            return ModellingError(
                f"Python cannot look for `{shown}`, because its value is known only when the model is solved",
                f"write `{negation}cl.member({_text(node.left)}, {_text(node.comparators[0])})`",
            )
        if isinstance(node, ast.Subscript) or isinstance(node, ast.Call) and _called(node) in ("get", "pop", "setdefault"):
            return refuse_lookup("dict", shown)
        if isinstance(node, ast.Dict):
            pairs = ", ".join(f"({_text(k)}, {_text(v)})" for k, v in zip(node.keys, node.values) if k is not None)
            return ModellingError(
                f"a Python `dict` compares its keys immediately, but the value of `{shown}` is known only when the model is solved",
                f"write `cl.function([{pairs}])`",
            )
        if isinstance(node, ast.Set):
            return ModellingError(
                f"a Python set compares its members immediately, but the value of `{shown}` is known only when the model is solved",
                f"write `cl.set([{', '.join(map(_text, node.elts))}])`",
            )
    return ModellingError(
        f"a Python set or `dict` compares its members immediately, but the value of `{shown}` is known only when the model is solved",
        "write `cl.set([x, y])` for a set, and `cl.function([(x, y)])` for a function",
    )


def refuse_lookup(of: str, shown: str) -> ModellingError:
    """Returns the error for a lookup of an expression in a Python `dict` or a pandas column."""
    name = "prices"
    for node in _around(outside_frame()):
        if isinstance(node, ast.Subscript) or isinstance(node, ast.Call) and _called(node) in ("get", "pop", "setdefault"):
            name = _text(node.value if isinstance(node, ast.Subscript) else node.func.value)  # type: ignore[attr-defined]
            break
    word, variable = "`dict`" if of == "dict" else of, name if name.isidentifier() else "values"
    return ModellingError(
        f"Python cannot look up `{shown}` in a {word}, because its value is known only when the model is solved",
        f'make the {word} a part of the model, as in `{variable} = m.letting("{variable}", {name})`, and write `{variable}[{shown}]` with the result',
    )


def index_word(frame: FrameType) -> str:
    """Returns the construct that needs a number: `index` for a position in a list, or the function, such as `range`."""
    for node in _around(frame):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "int"):
            return node.func.id
        if isinstance(node, ast.Subscript):
            return "index"
        if isinstance(node, ast.Call):
            return _text(node.func)
    return "index"


class _Expressions(ast.NodeTransformer):
    """Rewrites `and`, `or`, `not`, `in` and chained comparisons as expressions of the model."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        sign = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        joined: ast.expr = functools.reduce(lambda a, b: ast.BinOp(a, sign, b), map(self.visit, node.values))
        return joined

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        operand = self.visit(node.operand)
        return ast.UnaryOp(ast.Invert() if isinstance(node.op, ast.Not) else node.op, operand)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        choice = ast.Attribute(ast.Name("cl", ast.Load()), "if_else", ast.Load())
        return ast.Call(choice, [self.visit(part) for part in (node.test, node.body, node.orelse)], [])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        values = [self.visit(v) for v in (node.left, *node.comparators)]
        pairs = [self._pair(a, op, b) for a, op, b in zip(values, node.ops, values[1:])]
        joined: ast.expr = functools.reduce(lambda a, b: ast.BinOp(a, ast.BitAnd(), b), pairs)
        return joined

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
        if not isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(left, (ast.Tuple, ast.List)) and isinstance(right, (ast.Tuple, ast.List)):
                left = ast.Call(ast.Attribute(ast.Name("cl", ast.Load()), "constant", ast.Load()), [left], [])
            return ast.Compare(left, [op], [right])
        # Python compares two tuples as values, so at least one side must be an expression of the model.
        member = ast.Call(ast.Attribute(ast.Name("cl", ast.Load()), "member", ast.Load()), [left, right], [])
        return ast.UnaryOp(ast.Invert(), member) if isinstance(op, ast.NotIn) else member


def _as_expression(node: ast.AST) -> str:
    return _text(_Expressions().visit(copy.deepcopy(node)))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _builtin(node: ast.Call, frame: FrameType) -> ModellingError:
    cl, name = alias(frame), _called(node)
    instead = BUILTINS[name]
    help = f"write `{cl}{instead}({_arguments(node)})`" if instead else _advice(name, cl)
    return ModellingError(f"Python's `{_text(node.func)}` needs values, which are known only when the model is solved", help)


def _advice(name: str, cl: str) -> str:
    if name in ("enumerate", "zip"):
        return "range over the indices, as in `… for i in D`, and write `s[i]` for the element"
    if name in ("map", "filter"):
        return f"write a generator with `for` and `if`, as in `{cl}all(p(x) for x in s if q(x))`"
    return f"give a generator to a function of conjure_like, as in `{cl}sum(x for x in s)`"


def _arguments(node: ast.Call) -> str:
    if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        return _text(node.args[0])[1:-1]
    return ", ".join([_text(a) for a in node.args])


def _text(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def _around(frame: FrameType) -> Iterator[ast.AST]:
    """Yields the nodes around the current instruction, from the inside out. Before Python 3.11, these are all nodes
    on its line.
    """
    tree, span = _tree(frame.f_code), _span(frame)
    if tree is None:
        return
    found: List[Tuple[int, int, ast.AST]] = []
    for order, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.comprehension):
            begin, end = (node.target.lineno, node.target.col_offset), _end([*node.ifs, node.iter])
        elif isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.With)):
            begin, end = (node.lineno, node.col_offset), _end([node])
            # Only the head of a compound statement counts: a message about its body is not about the statement.
            if isinstance(node, (ast.If, ast.While)):
                end = _end([node.test])
            elif isinstance(node, (ast.For, ast.AsyncFor)) and (span is None or span[0] != begin):
                end = _end([node.iter])
        else:
            continue
        if begin <= span[0] and span[1] <= end if span is not None else begin[0] <= frame.f_lineno <= end[0]:
            found.append((_extent(begin, end), -order, node))
    for _, _, node in sorted(found, key=lambda f: f[:2]):
        yield node


def _extent(begin: Tuple[int, int], end: Tuple[int, int]) -> int:
    return (end[0] - begin[0]) * 10_000 + end[1] - begin[1]


def _end(nodes: "Sequence[Union[ast.expr, ast.stmt]]") -> Tuple[int, int]:
    return max((n.end_lineno or n.lineno, n.end_col_offset or 0) for n in nodes)


_Span = Tuple[Tuple[int, int], Tuple[int, int]]


def _span(frame: FrameType) -> Optional[_Span]:
    """Returns the source span of the current instruction, which is known since Python 3.11."""
    code = frame.f_code
    if hasattr(code, "co_positions"):
        position = list(code.co_positions())[max(frame.f_lasti, 0) // 2]
        line, end_line, column, end_column = position
        if line is not None and end_line is not None and column is not None and end_column is not None:
            return (line, column), (end_line, end_column)
    return None


_TREES: Dict[Tuple[str, int], Optional[ast.AST]] = {}


def _tree(code: CodeType) -> Optional[ast.AST]:
    lines = linecache.getlines(code.co_filename)
    key = (code.co_filename, hash("".join(lines)))
    if key not in _TREES:
        try:
            _TREES[key] = ast.parse("".join(lines)) if lines else None
        except SyntaxError:
            # IPython cells may contain commands that are not Python.
            _TREES[key] = None
    return _TREES[key]

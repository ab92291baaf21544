"""Solve Essence models from Python.

>>> from conjure_like import Model
>>> model = Model('''
...     given n : int
...     find x, y : int(1..n)
...     such that x + y = n, x < y
... ''')
>>> model.solve(n=4).y
3
>>> model.count(n=9)
4

The package runs the program `conjure-like` and reads its JSON. Each module has one task:

- `program` finds the program and runs it;
- `domains` reads the domains of the parameters and decision variables;
- `data_in` encodes Python values as parameters, `known` writes a partial solution in Essence, and `data_out` decodes
  solutions;
- `values` defines the types that Python lacks, such as matrices and functions;
- `results` defines solutions, statuses, answers and pictures, `progress` the reports of a running search, and `errors`
  the exceptions;
- `session` solves an instance repeatedly while it changes;
- `app` shows the app of a model in a notebook (with anywidget);
- `asynchronous` runs searches in programs that have an event loop;
- `model` puts these together;
- `magics` is the Jupyter extension: `%load_ext conjure_like`;
- `cases` is the pytest plugin, which runs the test cases of models;
- `builder` is for models written in Python: `Builder`, domains such as `Int` and `Set`, and the functions of the
  language, such as `all_different`.

>>> import conjure_like as cl
>>> m = cl.Builder("Two digits")
>>> x, y = m.find("x", cl.Int(0, 9)), m.find("y", cl.Int(0, 9))
>>> m.require(cl.all_different([x, y]), x + y == 17)
>>> m.solve(fix=x < y).x
8
"""

import importlib as _importlib
import typing as _typing

from .asynchronous import AsyncSolutions
from .errors import ConjureLikeError, DataError, Diagnostic, EssenceError, LimitReached, NoSolution, ProgramNotFound
from .model import Model, instances
from .progress import Progress
from .results import Answer, Picture, Result, Solution, Solutions, Status
from .session import Session
from .values import Multiset, plain, to_pandas

__all__ = [
    "Answer",
    "AsyncSolutions",
    "ConjureLikeError",
    "DataError",
    "Diagnostic",
    "EssenceError",
    "LimitReached",
    "Model",
    "Multiset",
    "NoSolution",
    "Picture",
    "ProgramNotFound",
    "Progress",
    "Result",
    "Session",
    "Solution",
    "Solutions",
    "Status",
    "instances",
    "plain",
    "to_pandas",
]


if _typing.TYPE_CHECKING:
    from . import builder
    from .builder import *  # noqa: F403
    from .builder import functions
    from .builder.functions import *  # noqa: F403

    __all__ += builder.__all__
    # mypy does not see that `builder` has these names, because its modules need this one.
    __all__ += functions.__all__
else:

    def __getattr__(name: str) -> _typing.Any:
        """Returns a name of the package `builder`, which is loaded on first use because it takes as long to load as
        everything else.
        """
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        builder = _importlib.import_module(".builder", __name__)
        if name == "builder":
            return builder
        if name not in builder.__all__:
            raise builder.unknown_function(name)
        globals()[name] = found = getattr(builder, name)
        return found


def __dir__() -> _typing.List[str]:
    return sorted({*__all__, "builder", "values", *(name for name in globals() if name.startswith("__")), *_importlib.import_module(".builder", __name__).__all__})


def load_ipython_extension(shell: _typing.Any) -> None:
    """Registers the magics; `%load_ext conjure_like` calls this."""
    from .magics import register

    register(shell)

"""Solve Essence models from Python.

>>> from conjure_like import Model
>>> model = Model('''
...     given n : int
...     find x, y : int(1..n)
...     such that x + y = n, x < y
... ''')
>>> model.solve(n=4)["y"]
3
>>> model.count(n=9)
4

The package runs the program `conjure-like` and reads its JSON. Each module has one task:

- `program` finds the program and runs it;
- `domains` reads the domains of the parameters and decision variables;
- `data_in` turns Python values into parameters, `known` what is known of a solution into Essence, `data_out` solutions into Python
  values;
- `values` has the types of matrices, functions and other values that Python lacks;
- `results` has solutions, statuses, answers and pictures, `progress` what is found on the way, `errors` the exceptions;
- `session` solves an instance again and again while it changes;
- `app` shows the app of a model in a notebook, with anywidget;
- `asynchronous` waits for searches in programs with an event loop;
- `model` puts them together;
- `magics` is the extension of Jupyter: `%load_ext conjure_like`.
"""

from typing import Any

from .asynchronous import AsyncSolutions
from .errors import ConjureLikeError, DataError, Diagnostic, EssenceError, LimitReached, NoSolution, ProgramNotFound
from .model import Model, instances
from .progress import Progress
from .results import Answer, Picture, Result, Solution, Solutions, Status
from .session import Session
from .values import Function, Matrix, Multiset, Permutation, Relation, Sequence, Variant, plain, to_pandas

__all__ = [
    "Answer",
    "AsyncSolutions",
    "ConjureLikeError",
    "DataError",
    "Diagnostic",
    "EssenceError",
    "Function",
    "LimitReached",
    "Matrix",
    "Model",
    "Multiset",
    "NoSolution",
    "Permutation",
    "Picture",
    "ProgramNotFound",
    "Progress",
    "Relation",
    "Result",
    "Sequence",
    "Session",
    "Solution",
    "Solutions",
    "Status",
    "Variant",
    "instances",
    "plain",
    "to_pandas",
]


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics; `%load_ext conjure_like` calls this."""
    from .magics import register

    register(shell)

"""Models in Python: sets, functions, relations and partitions as Python objects.

>>> import conjure_like as cl
>>> m = cl.Builder("Futoshiki")
>>> n = m.given("n", cl.Int(1, 9))
>>> D = m.domain("D", cl.Int(1, n))
>>> hints = m.given("hints", cl.Function((D, D), D))
>>> less = m.given("less_than", cl.Relation((D, D), (D, D)))
>>> board = m.find("board", cl.Matrix(D, D, of=D))
>>> m.require(board[cell] == number for cell, number in hints)
>>> m.require(cl.all_different(board[i, :]) for i in D)
>>> m.require(cl.all_different(board[:, j]) for j in D)
>>> m.require(board[a] < board[b] for a, b in less)
>>> m.solve(n=4, hints={(1, 1): 2}, less_than={((1, 1), (2, 1))}).board[1, 1]
2

The names of this package are also names of `conjure_like`, which loads the package when one of them is first used.

Each module has one task:

- `domains` defines domains, which are also the types of expressions;
- `expressions` defines expressions and Python's operators on them, `functions` the functions of the language;
- `comprehensions` turns Python generators into quantifiers;
- `literals` turns Python values into constants;
- `printing` has precedence and line breaks, `statements` the layout of a model;
- `mistakes` refuses Python that would silently do the wrong thing, `elsewhere` names from other libraries, and
  `messages` maps messages of the program to lines of Python;
- `questions` has the methods that ask the program, and `model` the `Builder`.
"""

from typing import List

from ..errors import DataError, EssenceError
from ..results import Result, Solution
from . import functions
from .domains import (
    Bool,
    Domain,
    Function,
    Int,
    Matrix,
    MSet,
    Partition,
    Permutation,
    Record,
    Relation,
    Sequence,
    Set,
    Tuple,
    Variant,
)  # fmt: skip
from .elsewhere import unknown_function
from .expressions import Expr
from .functions import *  # noqa: F403
from .messages import PythonError
from .mistakes import ModellingError
from .model import Builder

__all__: List[str] = [
    "Bool", "Builder", "DataError", "Domain", "EssenceError", "Expr", "Function", "Int", "MSet", "Matrix", "ModellingError", "Partition",
    "Permutation", "PythonError", "Record", "Relation", "Result", "Sequence", "Set", "Solution", "Tuple", "Variant",
]  # fmt: skip
__all__ += functions.__all__

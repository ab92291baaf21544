"""Mistakes that type checkers find: `mypy --strict` reports each `type: ignore` that suppresses no error."""

from typing import TYPE_CHECKING

import conjure_like as cl

if TYPE_CHECKING:
    m = cl.Builder("Types are known")
    x = m.find("x", cl.Int(1, 9))
    chosen: cl.Expr = cl.all_different([x, 3])
    board: cl.Domain = cl.Matrix(cl.Int(1, 3), of=bool)
    wrong: int = cl.sum([x, 3])  # type: ignore[assignment]
    cl.AllDifferent(x)  # type: ignore[attr-defined]
    cl.Set(cl.Int(1, 9), 3)  # type: ignore[call-arg]
    m.add(x > 3)  # type: ignore[attr-defined]
    x.value()  # type: ignore[attr-defined]
    m.solve(time_limit="long")  # type: ignore[arg-type]

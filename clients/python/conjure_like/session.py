"""An instance that changes step by step: requirements and data are added and taken back, and each search begins with the last answer."""

import json
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type

from .program import File
from .results import Result

if TYPE_CHECKING:
    from .model import Model


class Session:
    """What `Model.session` returns. Each step can be taken back; the answers are those of a model with all steps that hold.

    The last solution is where the next search begins: if it still satisfies everything, it is the first answer.

    >>> from conjure_like import Model
    >>> model = Model("given n : int find x, y : int(0..n) such that x + y = n maximising x")
    >>> with model.session(n=6) as s:
    ...     first = s.solve().objective
    ...     s.require("x <= 4", "y != 2")
    ...     second = s.solve().objective
    ...     s.undo()
    ...     s.set(n=9)
    ...     (first, second, s.solve().objective)
    (6, 3, 9)
    """

    def __init__(self, model: "Model", parameters: Optional[Mapping[str, Any]], data: Mapping[str, Any]):
        self._model = model
        self._steps: List[Tuple[Dict[str, Any], Tuple[str, ...]]] = [({**(parameters or {}), **data}, ())]
        self._last: Optional[Dict[str, Any]] = None

    def require(self, *constraints: str) -> None:
        """Adds constraints in Essence, as one step."""
        self._steps.append(({}, constraints))

    def set(self, **data: Any) -> None:
        """Gives parameters other values, as one step."""
        self._steps.append((data, ()))

    def undo(self, steps: int = 1) -> None:
        """Takes back the last step, or several ones."""
        if not 0 <= steps < len(self._steps):
            raise ValueError(f"there are {len(self._steps) - 1} steps to take back, not {steps}")
        del self._steps[len(self._steps) - steps :]

    @property
    def requirements(self) -> List[str]:
        """The constraints that have been added."""
        return [constraint for _, constraints in self._steps for constraint in constraints]

    @property
    def data(self) -> Dict[str, Any]:
        """The values of the parameters."""
        return {name: value for data, _ in self._steps for name, value in data.items()}

    def solve(self, *, options: Sequence[Any] = (), **how: Any) -> Result:
        """`Model.solve` with all steps that hold; it takes the same arguments but for the data."""
        return self._keep(self._model.solve(self.data, options=self._options(options), **how))

    async def solve_async(self, *, options: Sequence[Any] = (), **how: Any) -> Result:
        """`Model.solve_async` with all steps that hold."""
        return self._keep(await self._model.solve_async(self.data, options=self._options(options), **how))

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._last = None

    def _options(self, options: Sequence[Any]) -> List[Any]:
        start: List[Any] = []
        if self._last is not None:
            start = ["--start", File("last.solution.json", json.dumps(self._last))]
        return [*(f"--fix={constraint}" for constraint in self.requirements), *start, *options]

    def _keep(self, result: Result) -> Result:
        if result:
            # Names with a `$` are about the search.
            self._last = {name: value for name, value in result.solution.json.items() if not name.startswith("$")}
        return result

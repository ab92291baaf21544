"""Sessions: an instance that stays loaded while requirements and data change."""

from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar

from .data_out import objective
from .errors import LimitReached
from .program import named_texts
from .results import Answer, Result, Solution, Status
from .service import Service

if TYPE_CHECKING:
    import asyncio

    from .model import Model


Opened = TypeVar("Opened", bound="Session")


class Session:
    """A session, as returned by `Model.session`. Every step can be undone; answers take all current steps into account.

    The session has a program process, which keeps what it has learnt and proved from one search to the next. If the
    last solution still satisfies all requirements, it is reported first.

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
        self._service = Service()
        try:
            self._ask({"model": model._model_text(), "data": self._texts(self.data)})
        except BaseException:
            self.close()
            raise

    def require(self, *constraints: str) -> None:
        """Adds constraints in Essence, as one step."""
        self._take({"require": list(constraints)})
        self._steps.append(({}, constraints))

    def set(self, **data: Any) -> None:
        """Changes the values of parameters, as one step."""
        self._take({"set": self._texts({**self.data, **data})})
        self._steps.append((data, ()))

    def undo(self, steps: int = 1) -> None:
        """Undoes the last step, or the last `steps` steps. Raises `ValueError` if there are fewer."""
        # The first entry of `_steps` holds the initial data and cannot be undone.
        if not 0 <= steps < len(self._steps):
            raise ValueError(f"there are {len(self._steps) - 1} steps to undo, not {steps}")
        self._take({"undo": steps})
        del self._steps[len(self._steps) - steps :]

    @property
    def requirements(self) -> List[str]:
        """The constraints that have been added, in their order."""
        return [constraint for _, constraints in self._steps for constraint in constraints]

    @property
    def data(self) -> Dict[str, Any]:
        """The current values of the parameters."""
        return {name: value for data, _ in self._steps for name, value in data.items()}

    def solve(
        self,
        *,
        time_limit: Optional[float] = None,
        progress: Optional[Callable[[Solution], None]] = None,
        **options: Any,
    ) -> Result:
        """Finds a solution under the current steps, or the best one if the model has an objective.

        `progress` is called with each solution found on the way; `options` are `threads` and `seed`. If a time limit
        (in seconds), `cancel` or Ctrl-C stops the search, the result has the best solution so far, and `Result.status`
        says so. If nothing was found, `LimitReached` is raised.
        """
        read = self._model._session_reader(self.data)
        found: List[Solution] = []

        def hear(line: Dict[str, Any]) -> None:
            solution = read(line["json"])
            solution.objective_value = objective(line["objective"])
            # Each solution is better than the one before, so only the last one is kept.
            found[:] = [solution]
            if progress is not None:
                progress(solution)

        limit = {} if time_limit is None else {"limit": time_limit}
        ended = self._ask({"solve": {"pictures": False, **limit, **options}}, hear)
        status = Status.of(ended, bool(found))
        if status.state == "unknown":
            raise LimitReached(f"{status.stopped_by} ended the search; no solution was found")
        return Result(found, status)

    def why(
        self,
        *,
        forced: Optional[str] = None,
        steps: bool = False,
        time_limit: Optional[float] = None,
        options: Sequence[str] = (),
    ) -> Answer:
        """Explains why there is no solution under the current steps; see `Model.why`.

        >>> from conjure_like import Model
        >>> with Model("given n : int find x : int(1..n) such that x > 2").session(n=9) as s:
        ...     s.require("x < 3")
        ...     s.why().reasons
        ['x > 2', 'x < 3']
        """
        fixed = [f"--fix={requirement}" for requirement in self.requirements]
        return self._model.why(self.data, forced=forced, steps=steps, time_limit=time_limit, options=[*fixed, *options])

    async def solve_async(self, **how: Any) -> Result:
        """Like `solve`, for programs with an event loop, which keeps running. Cancelling the task ends the search."""
        import asyncio

        solving = asyncio.ensure_future(asyncio.to_thread(lambda: self.solve(**how)))
        try:
            return await asyncio.shield(solving)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([solving])
            # The caller has given up, so neither the result nor an error is of use; reading it avoids a warning from
            # asyncio.
            if not solving.cancelled():
                solving.exception()
            raise

    def improvements(self, **how: Any) -> "Improvements":
        """Iterates over the improving solutions as they are found (`async for`); the last one is the best. Leaving the
        loop ends the search.

        >>> import asyncio
        >>> from conjure_like import Model
        >>> async def best():
        ...     with Model("find x : int(1..9) maximising x").session() as s:
        ...         return [solution.objective_value async for solution in s.improvements()][-1]
        >>> asyncio.run(best())
        9
        """
        return Improvements(self, how)

    def cancel(self) -> None:
        """Stops the search that runs in another thread; its result is what was found so far."""
        self._service.stop()

    def close(self) -> None:
        """Ends the program of this session."""
        self._service.close()

    def __enter__(self: Opened) -> Opened:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _texts(self, data: Mapping[str, Any]) -> List[Dict[str, str]]:
        arguments, _ = self._model._instance(None, data)
        return named_texts(arguments[1:])

    def _take(self, step: Dict[str, Any]) -> None:
        self._ask({"steps": [step]})

    def _ask(self, request: Dict[str, Any], hear: Callable[[Dict[str, Any]], None] = lambda _: None) -> Dict[str, Any]:
        return self._service.ask("session", request, hear)


class Improvements(AsyncIterator[Solution]):
    """The iterator that `Session.improvements` returns. The search ends when this object is deleted, for example
    after `break`.
    """

    def __init__(self, session: Session, how: Dict[str, Any]):
        import asyncio

        self._session = session
        self._how = how
        self._found: "asyncio.Queue[Optional[Solution]]" = asyncio.Queue()
        self._solving: "Optional[asyncio.Future[Result]]" = None

    async def __anext__(self) -> Solution:
        import asyncio

        if self._solving is None:
            loop, found = asyncio.get_running_loop(), self._found

            def tell(solution: Solution) -> None:
                # The search runs in a thread, and a queue of asyncio is not thread-safe.
                loop.call_soon_threadsafe(found.put_nowait, solution)

            def end(solved: "asyncio.Future[Result]") -> None:
                # The iteration may have been abandoned: reading the error avoids a warning from asyncio. `__anext__`
                # raises it otherwise.
                if not solved.cancelled():
                    solved.exception()
                found.put_nowait(None)

            self._solving = asyncio.ensure_future(self._session.solve_async(progress=tell, **self._how))
            self._solving.add_done_callback(end)
        solution = await self._found.get()
        if solution is None:
            # A later call must end as well, not wait for ever.
            self._found.put_nowait(None)
            await self._solving
            raise StopAsyncIteration
        return solution

    def close(self) -> None:
        """Stops the search."""
        if self._solving is not None and not self._solving.done():
            self._session.cancel()

    def __del__(self) -> None:
        self.close()

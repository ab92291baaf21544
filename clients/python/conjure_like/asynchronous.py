"""Searches that a program with an event loop awaits.

A search runs in a process of its own, and a thread waits for what it prints. Whoever cancels a task ends the process, and then
the thread. Nothing here imports asyncio before it is used: that takes a sixth of the time in which this package is loaded.
"""

from typing import Any, AsyncIterator, Callable, Optional, TypeVar

from .results import Solution, Solutions, Status

T = TypeVar("T")


async def waited_for(found: Solutions, ask: Callable[[], T]) -> T:
    """Asks for something that a running search answers, in a thread. Cancelled, it ends the search before it returns."""
    import asyncio

    asked = asyncio.ensure_future(asyncio.to_thread(ask))
    try:
        return await asyncio.shield(asked)
    except asyncio.CancelledError:
        found.kill()
        await asyncio.wait([asked])
        # The thread has heard of the end as an exception, unless it had an answer.
        if not asked.cancelled():
            asked.exception()
        found.close()
        raise


class AsyncSolutions(AsyncIterator[Solution]):
    """The solutions one by one, as the program finds them, for `async for`.

    The search begins with the first solution that is asked for. It ends with `close`, or when nobody holds this object any more, as
    after `break`.
    """

    def __init__(self, start: Callable[[], Solutions]):
        self._start = start
        self._found: Optional[Solutions] = None

    @property
    def status(self) -> Optional[Status]:
        """How the search has ended; `None` while it is running."""
        return self._found.status if self._found else None

    async def __anext__(self) -> Solution:
        import asyncio

        if self._found is None:
            self._found = await asyncio.to_thread(self._start)
        found = self._found
        solution = await waited_for(found, lambda: next(found, None))
        if solution is None:
            raise StopAsyncIteration
        return solution

    def close(self) -> None:
        """Ends the program."""
        if self._found is not None:
            self._found.close()

    async def __aenter__(self) -> "AsyncSolutions":
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.close()

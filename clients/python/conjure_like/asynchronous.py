"""Searches that a program with an event loop awaits.

Each search runs in a process, and a thread waits for its output. Cancelling a task ends the process, and thereby the
thread. Nothing here imports asyncio before it is used, because the import would take a sixth of the load time of this
package.
"""

from typing import Any, AsyncIterator, Callable, Optional, TypeVar

from .results import Solution, Solutions, Status

T = TypeVar("T")


async def waited_for(found: Solutions, ask: Callable[[], T]) -> T:
    """Runs `ask` about a running search in a thread. If the task is cancelled, the search ends before this function
    returns.
    """
    import asyncio

    asked = asyncio.ensure_future(asyncio.to_thread(ask))
    try:
        return await asyncio.shield(asked)
    except asyncio.CancelledError:
        found.kill()
        await asyncio.wait([asked])
        # The end of the process raised an exception in the thread, unless it had an answer; reading it avoids a
        # warning.
        if not asked.cancelled():
            asked.exception()
        found.close()
        raise


class AsyncSolutions(AsyncIterator[Solution]):
    """An asynchronous iterator over the solutions, as the program finds them.

    The search starts when the first solution is requested. It ends with `close`, or when this object is deleted, for
    example after `break`.
    """

    def __init__(self, start: Callable[[], Solutions]):
        self._start = start
        self._found: Optional[Solutions] = None

    @property
    def status(self) -> Optional[Status]:
        """The way in which the search ended; `None` while it is running."""
        return self._found.status if self._found else None

    async def __anext__(self) -> Solution:
        import asyncio

        if self._found is None:
            self._found = await asyncio.to_thread(self._start)
        found = self._found
        # `StopIteration` cannot be raised through a future, so the end is `None`.
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

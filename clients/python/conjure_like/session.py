"""An instance that stays loaded while requirements and data come and go, and what is known of it is kept."""

import asyncio
import json
import os
import subprocess
import tempfile
import threading
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, List, Mapping, Optional, Tuple, Type

from .data_out import objective
from .errors import ConjureLikeError, Diagnostic, EssenceError, LimitReached
from .program import Argument, end_process, start
from .results import Result, Solution, Status

if TYPE_CHECKING:
    from .model import Model

#: The words of the program for the ways in which a search ends.
STATES = {"optimal": "optimal", "satisfied": "satisfiable", "unsatisfiable": "unsatisfiable"}


class Session:
    """What `Model.session` returns. Each step can be taken back; the answers are those of a model with all steps that hold.

    The program stays at work in a process of its own: what it has learnt and proved is kept from one search to the next. If the last
    solution still satisfies everything, it comes first.

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
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="conjure-like-")
        try:
            arguments = [self._written(argument) for argument in model._file_arguments(self.data)]
            self._process = start(["session", *arguments])
        except BaseException:
            self._folder.cleanup()
            raise
        self._end = weakref.finalize(self, _end, self._process, self._folder)
        try:
            # The program ends at once if something is wrong with the model or the data.
            self._ask({"undo": 0})
        except BaseException:
            self.close()
            raise

    def require(self, *constraints: str) -> None:
        """Adds constraints in Essence, as one step."""
        self._ask({"require": list(constraints)})
        self._steps.append(({}, constraints))

    def set(self, **data: Any) -> None:
        """Gives parameters other values, as one step."""
        words = self._model._file_arguments({**self.data, **data})[1:]
        self._ask({"set": [self._written(word) for word in words]})
        self._steps.append((data, ()))

    def undo(self, steps: int = 1) -> None:
        """Takes back the last step, or several ones."""
        if not 0 <= steps < len(self._steps):
            raise ValueError(f"there are {len(self._steps) - 1} steps to take back, not {steps}")
        self._ask({"undo": steps})
        del self._steps[len(self._steps) - steps :]

    @property
    def requirements(self) -> List[str]:
        """The constraints that have been added."""
        return [constraint for _, constraints in self._steps for constraint in constraints]

    @property
    def data(self) -> Dict[str, Any]:
        """The values of the parameters."""
        return {name: value for data, _ in self._steps for name, value in data.items()}

    def solve(
        self,
        *,
        time_limit: Optional[float] = None,
        progress: Optional[Callable[[Solution], None]] = None,
        **options: Any,
    ) -> Result:
        """Finds a solution with all steps that hold, or a best one if the model has an objective.

        `progress` is called with each solution on the way. `options` are `threads` and `seed`. A time limit, `cancel` and Ctrl-C keep
        the best solution so far: see `Result.status`. If nothing was found, they are exceptions.
        """
        if time_limit is not None:
            options["limit-time"] = time_limit
        if progress is not None:
            options["progress"] = True
        read = self._model._session_reader(self.data)

        def hear(found: Dict[str, Any]) -> None:
            if progress is not None:
                progress(_solution(read, found))

        answer = self._ask({"solve": options}, hear)
        state = answer["status"]
        found = [_solution(read, answer)] if "solution" in answer else []
        if state not in STATES:
            if not found:
                raise LimitReached(f"{answer.get('reason', state)} ended the search; no solution was found")
            return Result(found, Status("satisfiable", answer.get("reason", state)))
        return Result(found, Status(STATES[state]))

    async def solve_async(self, **how: Any) -> Result:
        """`solve` for programs with an event loop, which goes on meanwhile. If the task is cancelled, the search ends."""
        solving = asyncio.ensure_future(asyncio.to_thread(lambda: self.solve(**how)))
        try:
            return await asyncio.shield(solving)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([solving])
            # Whether it has found something is of no interest any more.
            if not solving.cancelled():
                solving.exception()
            raise

    def improvements(self, **how: Any) -> "Improvements":
        """The solutions on the way to the best one, as they are found. Leaving the loop ends the search.

        >>> from conjure_like import Model
        >>> async def best():
        ...     with Model("find x : int(1..9) maximising x").session() as s:
        ...         return [solution.objective_value async for solution in s.improvements()][-1]
        >>> asyncio.run(best())
        9
        """
        return Improvements(self, how)

    def cancel(self) -> None:
        """Ends the search that runs in another thread; it keeps what it has found."""
        self._say({"cancel": True})

    def close(self) -> None:
        """Ends the program."""
        self._end()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _written(self, argument: Argument) -> str:
        """A word of the command line; a text becomes a file."""
        if isinstance(argument, str):
            return argument
        path = os.path.join(self._folder.name, f"{len(os.listdir(self._folder.name))}-{argument.name}")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(argument.text)
        return path

    def _say(self, request: Dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            # Whoever waits for an answer hears why there is none.
            pass

    def _ask(self, request: Dict[str, Any], hear: Callable[[Dict[str, Any]], None] = lambda _: None) -> Dict[str, Any]:
        """The answer to a request. Ctrl-C ends a search, and the answer is what it has found."""
        with self._lock:
            self._say(request)
            while True:
                try:
                    answer = self._answer()
                except KeyboardInterrupt:
                    if "solve" not in request:
                        raise
                    self.cancel()
                    answer = self._answer()
                if "progress" not in answer:
                    break
                hear(answer["progress"])
        if "error" in answer:
            raise EssenceError(
                answer["error"], tuple(Diagnostic.read(json.dumps(one)) for one in answer.get("diagnostics", []))
            )
        return answer

    def _answer(self) -> Dict[str, Any]:
        assert self._process.stdout is not None and self._process.stderr is not None
        line = b"" if self._process.stdout.closed else self._process.stdout.readline()
        if line:
            answer: Dict[str, Any] = json.loads(line)
            return answer
        said = "" if self._process.stderr.closed else self._process.stderr.read().decode()
        code = self._process.wait()
        self.close()
        if code == 2:
            raise EssenceError(said.rstrip(), ())
        raise ConjureLikeError(said.rstrip() or "the session has ended")


class Improvements(AsyncIterator[Solution]):
    """What `Session.improvements` returns. The search ends when nobody holds this object any more, as after `break`."""

    def __init__(self, session: Session, how: Dict[str, Any]):
        self._session = session
        self._how = how
        self._found: "asyncio.Queue[Optional[Solution]]" = asyncio.Queue()
        self._solving: "Optional[asyncio.Future[Result]]" = None

    async def __anext__(self) -> Solution:
        if self._solving is None:
            loop, found = asyncio.get_running_loop(), self._found

            def tell(solution: Solution) -> None:
                loop.call_soon_threadsafe(found.put_nowait, solution)

            def end(solved: "asyncio.Future[Result]") -> None:
                # Where nobody waits for it, an error is of no interest.
                if not solved.cancelled():
                    solved.exception()
                found.put_nowait(None)

            self._solving = asyncio.ensure_future(self._session.solve_async(progress=tell, **self._how))
            self._solving.add_done_callback(end)
        solution = await self._found.get()
        if solution is None:
            # So does whoever asks again.
            self._found.put_nowait(None)
            await self._solving
            raise StopAsyncIteration
        return solution

    def close(self) -> None:
        """Ends the search."""
        if self._solving is not None and not self._solving.done():
            self._session.cancel()

    def __del__(self) -> None:
        self.close()


def _solution(read: Callable[[Dict[str, Any]], Solution], found: Dict[str, Any]) -> Solution:
    solution = read(found["solution"])
    solution.objective_value = objective(found.get("objective"))
    return solution


def _end(process: "subprocess.Popen[bytes]", folder: "tempfile.TemporaryDirectory[str]") -> None:
    end_process(process)
    if process.stderr:
        process.stderr.close()
    folder.cleanup()

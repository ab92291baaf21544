"""Sends requests to one process of the program and reads the answers, as lines of JSON."""

import json
import os
import threading
from typing import Callable, Optional, Tuple, Type

from .errors import ConjureLikeError, EssenceError
from .program import Members, Process


class Service:
    """A process of the program, which starts with the first request and ends with this object.

    Copies and forked children of the Python process start their own.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process: Optional[Process] = None
        self._asking = threading.Lock()
        self._writing = threading.Lock()

    def __reduce__(self) -> "Tuple[Type[Service], Tuple[()]]":
        return type(self), ()

    def ask(self, verb: str, request: Members, hear: Callable[[Members], None] = lambda _: None) -> Members:
        """Returns the result of a request, and calls `hear` with each line before it. Ctrl-C stops a search; its result
        is what was found.

        Raises `EssenceError` if something is wrong with the request or its texts.
        """
        with self._asking:
            if self._process is None or self._owner != os.getpid():
                self._process, self._owner = Process(["serve"]), os.getpid()
            # Python may have changed its working directory since the process started.
            self._write({"verb": verb, "folder": os.getcwd(), **request})
            while True:
                try:
                    line = self._line()
                except KeyboardInterrupt:
                    # The program answers a stopped request with a result; without reading it, the next request would
                    # get that answer.
                    self.stop()
                    line = self._line()
                if line["type"] == "failure":
                    raise EssenceError.of(line["diagnostics"])
                if line["type"] == "result":
                    return line
                hear(line)

    def stop(self) -> None:
        """Stops the search that another thread waits for; its result is what was found so far."""
        self._write({"stop": True})

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _write(self, request: Members) -> None:
        with self._writing:
            if self._process is not None:
                self._process.write(json.dumps(request).encode() + b"\n")

    def _line(self) -> Members:
        process = self._process
        line = process.line() if process else None
        if line is not None:
            return line
        words = process.last_words() if process else ""
        self.close()
        raise ConjureLikeError(words or "the program has ended")


#: The process that answers short questions about all models. A session has a process for itself.
SHARED = Service()

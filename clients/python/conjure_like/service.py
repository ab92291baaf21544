"""Asks the program by its protocol: one process that reads requests and writes answers, as lines of JSON."""

import json
import os
import threading
from typing import Callable, Optional, Tuple, Type

from .errors import ConjureLikeError, EssenceError
from .program import Members, Process


class Service:
    """A process of the program, which is started when it is first asked, and ends with this object.

    A copy, and a process that Python forks, start their own.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process: Optional[Process] = None
        self._asking = threading.Lock()
        self._writing = threading.Lock()

    def __reduce__(self) -> "Tuple[Type[Service], Tuple[()]]":
        return type(self), ()

    def ask(self, verb: str, request: Members, hear: Callable[[Members], None] = lambda _: None) -> Members:
        """Returns the members of the result, and calls `hear` with the lines before it. Ctrl-C ends a search, and the result is what it
        has found.

        What is wrong with the request or its texts is an exception.
        """
        with self._asking:
            if self._process is None or self._owner != os.getpid():
                self._process, self._owner = Process(["serve"]), os.getpid()
            # Python may have changed its folder since the process was started.
            self._write({"verb": verb, "folder": os.getcwd(), **request})
            while True:
                try:
                    line = self._line()
                except KeyboardInterrupt:
                    self.stop()
                    line = self._line()
                if line["type"] == "failure":
                    raise EssenceError.of(line["diagnostics"])
                if line["type"] == "result":
                    return line
                hear(line)

    def stop(self) -> None:
        """Ends the search that another thread waits for; its result is what it has found."""
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


#: Answers short questions about all models. A session has a process of its own.
SHARED = Service()

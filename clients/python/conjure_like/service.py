"""Asks the program by its protocol: one process that reads requests and writes answers, as lines of JSON."""

import json
import os
import subprocess
import tempfile
import threading
import weakref
from typing import IO, Any, Callable, Dict, Optional, Tuple, Type

from .errors import ConjureLikeError, Diagnostic, EssenceError
from .program import end_process, start

#: A line of an answer, or the members of a request.
Members = Dict[str, Any]


class Service:
    """A process of the program, which is started when it is first asked, and ends with this object.

    A copy, and a process that Python forks, start their own.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process: "Optional[subprocess.Popen[bytes]]" = None
        self._errors: Optional[IO[bytes]] = None
        self._asking = threading.Lock()
        self._saying = threading.Lock()

    def __reduce__(self) -> "Tuple[Type[Service], Tuple[()]]":
        return type(self), ()

    def ask(self, verb: str, request: Members, hear: Callable[[Members], None] = lambda _: None) -> Members:
        """The members of the result; the lines before it are heard. Ctrl-C ends a search, and the result is what it has found.

        What is wrong with the request or its texts is an exception.
        """
        with self._asking:
            if self._process is None or self._owner != os.getpid():
                self._start()
            # Python may have changed its folder since the process was started.
            self._say({"verb": verb, "folder": os.getcwd(), **request})
            while True:
                try:
                    line = self._line()
                except KeyboardInterrupt:
                    self.stop()
                    line = self._line()
                if line["type"] == "failure":
                    found = tuple(map(Diagnostic.of, line["diagnostics"]))
                    raise EssenceError("\n".join(one["rendered"] for one in line["diagnostics"]).rstrip(), found)
                if line["type"] == "result":
                    return line
                hear(line)

    def stop(self) -> None:
        """Ends the search that another thread waits for; its result is what it has found."""
        self._say({"stop": True})

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            self._end()

    def _start(self) -> None:
        # A file does not fill up as a pipe would.
        self._errors = tempfile.TemporaryFile()
        self._process = start(["serve"], stderr=self._errors)
        self._owner = os.getpid()
        self._end = weakref.finalize(self, _end, self._process, self._errors, self._owner)

    def _say(self, request: Members) -> None:
        with self._saying:
            process = self._process
            if process is None or process.stdin is None:
                return
            try:
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
            except (BrokenPipeError, ValueError):
                # Whoever waits for an answer hears why there is none.
                pass

    def _line(self) -> Members:
        process = self._process
        line = process.stdout.readline() if process and process.stdout and not process.stdout.closed else b""
        if line:
            answer: Members = json.loads(line)
            return answer
        said = b""
        if process is not None and self._errors is not None and not self._errors.closed:
            process.wait()
            self._errors.seek(0)
            said = self._errors.read()
        self.close()
        raise ConjureLikeError(said.decode().rstrip() or "the program has ended")


#: Answers short questions about all models. A session has a process of its own.
SHARED = Service()


def _end(process: "subprocess.Popen[bytes]", errors: IO[bytes], owner: int) -> None:
    if owner == os.getpid():
        end_process(process)
    errors.close()

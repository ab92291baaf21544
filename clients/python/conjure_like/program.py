"""Finds the program `conjure-like` and runs it."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import weakref
from collections import deque
from pathlib import Path
from typing import Any, Callable, Deque, Dict, List, NamedTuple, Optional, Sequence, Union

from .errors import ConjureLikeError, EssenceError, LimitReached, ProgramNotFound

#: A line of the protocol: an answer, or a request.
Members = Dict[str, Any]

#: The exit codes for a mistake of the user and for a run that a limit ended.
MISTAKE, LIMIT = 2, 3

#: The flag that starts the program in a process group without the Ctrl-C of the terminal, and the signal that replaces
#: Ctrl-C.
if sys.platform == "win32":
    ALONE, INTERRUPT = subprocess.CREATE_NEW_PROCESS_GROUP, signal.CTRL_BREAK_EVENT
else:
    ALONE, INTERRUPT = 0, signal.SIGINT


def find() -> str:
    """Returns the path of the program.

    The environment variable CONJURE_LIKE takes precedence, then the program installed with this package, then PATH.
    """
    named = os.environ.get("CONJURE_LIKE")
    if named:
        if shutil.which(named) is None:
            raise ProgramNotFound(f"CONJURE_LIKE is `{named}`, but there is no such program")
        return named
    beside = [Path(__file__).parent / "bin", Path(sysconfig.get_path("scripts"))]
    for folder in [*map(str, beside), None]:
        found = shutil.which("conjure-like", path=folder)
        if found:
            return found
    raise ProgramNotFound(
        "cannot find the program `conjure-like`: put it on the PATH, or set the environment variable CONJURE_LIKE to its path"
    )


class File(NamedTuple):
    """A file argument of the program. The file exists while the program runs."""

    name: str
    text: str


Argument = Union[str, File]


def named_texts(arguments: Sequence[Argument]) -> List[Dict[str, str]]:
    """Returns arguments in the form of a protocol request."""
    return [{"path": a} if isinstance(a, str) else {"name": a.name, "text": a.text} for a in arguments]


def path(name: "Union[str, os.PathLike[str]]") -> str:
    """Returns a path that the program takes neither for an option nor for standard input."""
    plain = os.fspath(name)
    return os.path.join(os.curdir, plain) if plain.startswith("-") else plain


class Process:
    """A process of the program, and the protocol lines that it writes.

    The program does not see the Ctrl-C of a terminal; `interrupt` passes it on. The process ends with this object and
    with Python, even if Python is killed. The functions `clean_up` are called when this object ends the process.
    """

    def __init__(self, arguments: Sequence[str], *clean_up: Callable[[], None]) -> None:
        # A file, because a pipe that nothing reads would fill up and block the program.
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [find(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            creationflags=ALONE,
        )
        self._lines: Deque[bytes] = deque()
        self._rest = b""
        self._end = weakref.finalize(self, _end, self._process, [self._errors.close, *clean_up], os.getpid())

    def write(self, text: bytes) -> None:
        """Writes to the program. If the program has ended, the error is ignored here: the reader of its lines raises
        the reason.
        """
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(text)
            self._process.stdin.flush()

    def line(self) -> Optional[Members]:
        """Returns the next line as soon as it is complete, or `None` at the end. An exception while waiting loses
        nothing.
        """
        output = self._process.stdout
        assert output is not None
        while not self._lines and not output.closed:
            chunk = os.read(output.fileno(), 1 << 16)
            if not chunk:
                output.close()
            # A chunk may end inside a line; the rest waits for the next chunk.
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            self._lines.extend(lines)
        return self._read(self._lines.popleft()) if self._lines else None

    def _read(self, line: bytes) -> Members:
        members: Members = json.loads(line)
        return members

    def last_words(self) -> str:
        """Waits for the end of the program and returns the text of standard error."""
        self._process.wait()
        if self._errors.closed:
            return ""
        self._errors.seek(0)
        return self._errors.read().decode().strip()

    def has_failed(self) -> bool:
        """Waits for the end of the program, and returns true if a bug or a signal has ended it."""
        return self._process.wait() not in (0, MISTAKE, LIMIT)

    def interrupt(self) -> None:
        """Asks the program to stop the search and to print what it has found."""
        if self._process.poll() is None:
            self._process.send_signal(INTERRUPT)

    def kill(self) -> None:
        """Kills the program; a thread that waits for its output sees the end of the output."""
        if self._process.poll() is None:
            self._process.kill()

    def close(self) -> None:
        """Ends the program."""
        self._end()


class Run(Process):
    """One run of a command, which answers in protocol lines."""

    def __init__(self, arguments: Sequence[Argument], stdin: Optional[str] = None):
        self._folder = tempfile.TemporaryDirectory(prefix="conjure-like-")
        # `--end-with-input`: standard input stays open while the program may run. The system closes it when Python ends
        # for any reason.
        try:
            super().__init__(["--lines", "--end-with-input", *map(self._written, arguments)], self._folder.cleanup)
        except BaseException:
            self._folder.cleanup()
            raise
        text = (stdin or "").encode()
        self.write(b"%d\n%b" % (len(text), text))
        self._failures: List[Members] = []
        #: The result, which is the last line unless the program reports a failure.
        self.ended: Optional[Members] = None

    def _written(self, argument: Argument) -> str:
        if isinstance(argument, str):
            return argument
        path = os.path.join(self._folder.name, argument.name)
        # Bytes, because text mode would convert line ends on Windows and shift the positions in messages.
        Path(path).write_bytes(argument.text.encode())
        return path

    def _read(self, line: bytes) -> Members:
        return super()._read(self._without_folder(line.decode()).encode())

    def line(self) -> Optional[Members]:
        """Returns the next solution or progress line, or `None` at the end."""
        while (line := super().line()) is not None:
            if line["type"] == "failure":
                self._failures.extend(line["diagnostics"])
            elif line["type"] == "result":
                self.ended = line
            else:
                return line
        return None

    def finish(self) -> Optional[Members]:
        """Waits for the end and returns the result.

        Raises `EssenceError` for a mistake of the user, `ConjureLikeError` for a bug, and `LimitReached` if a limit
        came before any result.
        """
        try:
            words = self._without_folder(self.last_words())
            code = self._process.returncode
            if self._failures:
                raise EssenceError.of(self._failures)
            if code == MISTAKE:
                raise EssenceError(words, ())
            if code == 1 or code < 0:
                raise ConjureLikeError(words or f"conjure-like ended with signal {-code}")
            if code == LIMIT and self.ended is None:
                raise LimitReached(words)
        finally:
            self.close()
        return self.ended

    def result(self) -> Members:
        """Waits for the result. On Ctrl-C, asks the program for what it has found, and raises `KeyboardInterrupt` if
        that is nothing.
        """
        try:
            self._wait()
        except KeyboardInterrupt:
            self.interrupt()
            self._wait()
            if self._says_nothing():
                self.close()
                raise
        except BaseException:
            self.close()
            raise
        words = self.last_words()
        ended = self.finish()
        if self._says_nothing():
            raise LimitReached(words)
        return ended or {}

    def _wait(self) -> None:
        while self.line() is not None:
            pass

    def _says_nothing(self) -> bool:
        """Returns true if a limit came before there was an answer or a solution."""
        ended = self.ended or {}
        unknown = ended.get("answer", {}).get("verdict") == "unknown"
        return unknown or ("stopped_by" in ended and not ended["solutions"])

    def _without_folder(self, text: str) -> str:
        folder = self._folder.name + os.sep
        return text.replace(json.dumps(folder)[1:-1], "").replace(folder, "")


def _end(process: "subprocess.Popen[bytes]", clean_up: "List[Callable[[], None]]", owner: int) -> None:
    # A forked child inherits this finalizer, but must not end a process that its parent uses.
    if owner == os.getpid():
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        for clean in clean_up:
            clean()

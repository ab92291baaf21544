"""Finds the program `conjure-like` and runs it."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import weakref
from collections import deque
from pathlib import Path
from typing import IO, Callable, Deque, Dict, List, NamedTuple, Optional, Sequence, Union

from .errors import ConjureLikeError, Diagnostic, EssenceError, LimitReached, ProgramNotFound


#: The exit code if a limit ended the run.
LIMIT = 3

#: The seconds between two looks at standard error.
INTERVAL = 0.1

#: How the program is started so that it does not hear of the Ctrl-C of a terminal, and the signal that stands for that.
if sys.platform == "win32":
    ALONE, INTERRUPT = subprocess.CREATE_NEW_PROCESS_GROUP, signal.CTRL_BREAK_EVENT
else:
    ALONE, INTERRUPT = 0, signal.SIGINT


def find() -> str:
    """The path of the program.

    The environment variable CONJURE_LIKE comes first, then a program that was installed with this package, then PATH.
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


def start(
    arguments: Sequence[str], stdout: Union[int, IO[bytes]] = subprocess.PIPE, stderr: Union[int, IO[bytes]] = subprocess.PIPE
) -> "subprocess.Popen[bytes]":
    """Starts the program, which does not hear of the Ctrl-C of a terminal."""
    return subprocess.Popen(
        [find(), *arguments], stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, start_new_session=True, creationflags=ALONE
    )


def is_ready(pipe: int, seconds: float) -> bool:
    """Whether a pipe has something to read, or ends, within some seconds."""
    if sys.platform != "win32":
        return bool(select.select([pipe], [], [], seconds)[0])
    # What waits for sockets does not wait for pipes there.
    import _winapi
    import msvcrt

    deadline = time.monotonic() + seconds
    while True:
        try:
            if _winapi.PeekNamedPipe(msvcrt.get_osfhandle(pipe), 0)[0]:
                return True
        except BrokenPipeError:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(INTERVAL / 10)


class File(NamedTuple):
    """An argument of the program that is a file: it exists while the program runs."""

    name: str
    text: str


Argument = Union[str, File]


def named_texts(arguments: Sequence[Argument]) -> List[Dict[str, str]]:
    """Arguments as the protocol names them."""
    return [{"path": a} if isinstance(a, str) else {"name": a.name, "text": a.text} for a in arguments]


def path(name: "Union[str, os.PathLike[str]]") -> str:
    """A file as an argument that is not taken for an option, or for standard input."""
    plain = os.fspath(name)
    return os.path.join(os.curdir, plain) if plain.startswith("-") else plain


class Run:
    """One run of the program.

    The program does not see the Ctrl-C of a terminal; `interrupt` passes it on. Whoever forgets a run ends it, and the program ends
    with Python, even if Python is killed.
    """

    def __init__(self, arguments: Sequence[Argument], stdin: Optional[str] = None, said: Optional[Callable[[str], None]] = None):
        self._said = said
        self._heard = 0
        self._folder = tempfile.TemporaryDirectory(prefix="conjure-like-")
        self._stdin = stdin
        # A file of its own, which can be read while the program writes it.
        self._errors = Path(self._folder.name, ".errors")
        try:
            self._arguments = [self._written(a) for a in arguments]
            with open(self._errors, "wb") as errors:
                self._process = self._start("json", subprocess.PIPE, errors)
        except BaseException:
            self._folder.cleanup()
            raise
        self._last_words = ""
        self._lines: Deque[bytes] = deque()
        self._rest = b""
        self._end = weakref.finalize(self, _end, self._process, self._folder)

    def _written(self, argument: Argument) -> str:
        if isinstance(argument, str):
            return argument
        path = os.path.join(self._folder.name, argument.name)
        # Lines end as in the text, so that places are the same.
        Path(path).write_bytes(argument.text.encode())
        return path

    def _start(self, error_format: str, stdout: int, stderr: Union[int, IO[bytes]]) -> "subprocess.Popen[bytes]":
        process = start([f"--error-format={error_format}", "--end-with-input", *self._arguments], stdout, stderr)
        # The pipe stays open while the program shall run: the system closes it when Python ends, whatever has ended it.
        assert process.stdin is not None
        text = (self._stdin or "").encode()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"%d\n%b" % (len(text), text))
            process.stdin.flush()
        return process

    def line(self) -> Optional[str]:
        """The next line of standard output as soon as it is there, or `None` at the end. An exception in between loses nothing."""
        assert self._process.stdout is not None
        while not self._lines and not self._process.stdout.closed:
            self._listen()
            chunk = os.read(self._process.stdout.fileno(), 1 << 16)
            if not chunk:
                self._process.stdout.close()
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            self._lines.extend(lines if chunk or not self._rest else [self._rest])
        return self._lines.popleft().decode() if self._lines else None

    def _listen(self) -> None:
        """Passes the lines on standard error to `said` until something comes on standard output."""
        if self._said is None:
            return
        assert self._process.stdout is not None
        ready = False
        while not ready:
            ready = is_ready(self._process.stdout.fileno(), INTERVAL)
            with open(self._errors, "rb") as errors:
                errors.seek(self._heard)
                said = errors.read(1 << 16)
            lines = said[: said.rfind(b"\n") + 1]
            self._heard += len(lines)
            for line in lines.decode().splitlines():
                self._said(line)

    def interrupt(self) -> None:
        """Asks the program to end the search and to print what it has found."""
        if self._process.poll() is None:
            self._process.send_signal(INTERRUPT)

    def kill(self) -> None:
        """Ends the program; who waits for its output, in another thread, hears the end."""
        if self._process.poll() is None:
            self._process.kill()

    def close(self) -> None:
        """Ends the program, and removes its files."""
        self._end()

    def finish(self) -> int:
        """Waits for the end and returns the exit code. A mistake of the user or a bug becomes an exception."""
        code = self._process.wait()
        try:
            if code == 2:
                raise EssenceError(self._rendered(), self._diagnostics())
            if code == 1 or code < 0:
                raise ConjureLikeError(self._standard_error() or f"conjure-like ended with signal {-code}")
            self._last_words = self._standard_error().strip()
        finally:
            self.close()
        return code

    def output(self) -> str:
        """All of standard output, after the program has ended without a mistake.

        Ctrl-C asks the program to say what it knows. If it knows nothing then or at a limit, this is an exception.
        """
        lines: List[str] = []
        try:
            self._gather(lines)
        except KeyboardInterrupt:
            self.interrupt()
            self._gather(lines)
            if not _says_something(lines):
                self.close()
                raise
        except BaseException:
            self.close()
            raise
        if self.finish() == LIMIT and not _says_something(lines):
            raise LimitReached(self._last_words)
        return self._without_folder("\n".join(lines))

    def _gather(self, lines: List[str]) -> None:
        while (line := self.line()) is not None:
            lines.append(line)

    def _standard_error(self) -> str:
        return self._without_folder(self._errors.read_text("utf-8"))

    def _diagnostics(self) -> "tuple[Diagnostic, ...]":
        lines = self._standard_error().splitlines()
        return tuple(Diagnostic.read(line) for line in lines if line.startswith('{"severity"'))

    def _rendered(self) -> str:
        """The messages for people. JSON does not have them, so the program is asked again."""
        process = self._start("human", subprocess.DEVNULL, subprocess.PIPE)
        assert process.stderr is not None
        with process.stderr:
            said = process.stderr.read()
        end_process(process)
        return self._without_folder(said.decode()).rstrip()

    def _without_folder(self, text: str) -> str:
        return text.replace(self._folder.name + os.sep, "")


def _says_something(lines: List[str]) -> bool:
    return bool(lines) and '"verdict":"unknown"' not in lines[0]


def _end(process: "subprocess.Popen[bytes]", folder: "tempfile.TemporaryDirectory[str]") -> None:
    end_process(process)
    folder.cleanup()


def end_process(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(BrokenPipeError):
                stream.close()

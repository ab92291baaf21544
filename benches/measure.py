"""Runs a process, and measures its time and memory."""

import os
import re
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Run:
    """Wall and processor time in seconds (of the process and all its children), peak memory in MB."""

    wall: float
    processor: float
    memory: float
    exit_code: int
    output: str
    errors: str
    late: bool = False  # ended by the time limit
    lines: list = field(default_factory=list)  # if stamped: (seconds since the start, line) for each line of the output


def kill_session(leader):
    """Kills all processes of a session: MiniZinc's solvers have their own process groups."""
    for process in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        try:
            if os.getsid(process) == leader:
                os.kill(process, signal.SIGKILL)
        except ProcessLookupError:  # it has ended in the meantime
            pass


def stamp(stream, file, start, lines):
    """Copies a stream into a file, and records the time of each line."""
    for line in stream:
        lines.append((time.perf_counter() - start, line.rstrip("\n")))
        file.write(line)


def run(command, limit=None, stamped=False):
    """Runs a command; with a time limit in seconds, the command and its children are killed when it has passed."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdout=subprocess.PIPE if stamped else output,
            stderr=subprocess.PIPE if stamped else errors,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        killed, lines = [], []
        pairs = [(process.stdout, output), (process.stderr, errors)] if stamped else []
        readers = [threading.Thread(target=stamp, args=(*pair, start, lines)) for pair in pairs]
        for reader in readers:
            reader.start()

        def kill():
            killed.append(True)
            kill_session(process.pid)

        timer = threading.Timer(limit, kill) if limit else None
        if timer:
            timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # the terminal does not send Ctrl-C to another session
            kill_session(process.pid)
            raise
        finally:
            if timer:
                timer.cancel()
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        for reader in readers:
            reader.join()
        output.seek(0)
        errors.seek(0)
        return Run(
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024,
            process.returncode,
            output.read(),
            errors.read(),
            bool(killed),
            lines,
        )


def median(runs, figure):
    return statistics.median(getattr(one, figure) for one in runs)


def comment(path, key):
    """The value of the comment `$ key: value` in an Essence file, or nothing."""
    found = re.search(rf"^\$ {key}: (.*)$", Path(path).read_text(), re.MULTILINE)
    return found and found.group(1)


def binary():
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "conjure-like"


def wrong(conjure_like, model, parameters, expected, output):
    """The error in an output that holds solutions in Essence, or nothing.

    `expected` is one of `some` (any solution will do), a number of solutions (all must be present and different),
    and `optimum N` (one solution in which the objective has this value). `validate-solution` checks solutions: it
    evaluates the model's constraints and does not depend on solvers. For an optimum, the objective first becomes a
    constraint that it has the value known to be best, so a valid solution is optimal.
    """
    solutions = split(output)
    if expected.isdigit():
        if len(set(solutions)) != len(solutions):
            return "a solution occurs twice"
        if len(solutions) != int(expected):
            return f"{len(solutions)} solutions instead of {expected}"
    elif not solutions:
        return "no solution"
    if not solutions:
        return None
    with tempfile.TemporaryDirectory() as folder:
        solution = Path(folder) / "it.solution"
        solution.write_text(solutions[-1])
        if expected.startswith("optimum "):
            text = re.sub(r"^(minimising|maximising)\b", "such that OPTIMUM = ", Path(model).read_text(), flags=re.MULTILINE)
            model = Path(folder) / "model.essence"
            model.write_text(text.replace("OPTIMUM", f"({expected.split()[1]})"))
        check = run([conjure_like, "validate-solution", model, *([parameters] if parameters else []), solution])
        if check.exit_code != 0:
            return "refused by validate-solution: " + " ".join((check.errors or check.output).split())[:200]
    return None


def split(output):
    """The solutions of an output; each is the text after a line that starts with `$ Solution`, `language`, or `----`."""
    parts = re.split(r"^(?:\$ Solution.*|language .*|-{5,}|={5,}.*)$", output, flags=re.MULTILINE)
    without = ("\n".join(line for line in part.splitlines() if not line.startswith(("$", "%"))).strip() for part in parts)
    return [part for part in without if part]

#!/usr/bin/env python3
"""Measures conjure-like against the times that it must keep, and prints a table.

    benches/run.py [--binary FILE] [--runs N]

Every line is a whole process with a warm file cache: the median of its wall times, what was allowed and
the ratio of both, the median of its processor times (near the wall time on a machine that is not busy
otherwise), and the greatest peak of its memory. Every run must print the right number of solutions. The script ends with
exit code 1 if an allowance is exceeded or an answer is wrong. Needs Python 3 and a release build.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from latin_square import parameters as latin_square

ROOT = Path(__file__).resolve().parent.parent
MODELS, PARAMS, BENCHES = ROOT / "models", ROOT / "params", ROOT / "benches"


@dataclass
class Case:
    name: str
    arguments: list
    seconds: float  # allowed
    lines: tuple = ("", 0)  # what the lines that are counted begin with, and how many there must be
    megabytes: float | None = None  # allowed
    runs: int = 21


def cases(folder):
    def solve(name, model, parameters, seconds, find, solutions=1, **more):
        count = f"--number-of-solutions={'all' if solutions > 1 else 1}"
        arguments = ["solve", MODELS / model, parameters, count]
        return Case(name, arguments, seconds, (f"letting {find} be", solutions), **more)

    for name in ("futoshiki-4", "futoshiki-4-greater"):
        yield solve(name, "futoshiki.essence", PARAMS / f"{name}.param", 0.040, "board")
    for name in ("futoshiki-9", "futoshiki-9-hard"):
        yield solve(name, "futoshiki.essence", PARAMS / f"{name}.param", 0.150, "board")
    yield solve("n-queens-8, all 92", "n-queens.essence", PARAMS / "n-queens-8.param", 0.5, "queen", 92)
    for seed in range(1, 6):
        square = folder / f"latin-square-20-seed-{seed}.param"
        square.write_text(latin_square(20, 0.42, seed))
        yield solve(f"Latin square 20, 42% holes, seed {seed}", "latin-square.essence", square, 3, "square", runs=5)
    yield Case("type-check, 200 lines", ["type-check", BENCHES / "school.essence"], 0.015)
    large = folder / "large.param"
    large.write_text(large_parameter(100_000))
    size = f"{large.stat().st_size / 1e6:.1f} MB"
    yield Case(
        f"function of 100,000 entries, {size}",
        ["solve", BENCHES / "large-parameter.essence", large],
        2,
        ("letting entries be 100000", 1),
        megabytes=600,
        runs=5,
    )


def large_parameter(entries):
    lines = (f"    ({1000 + i // 300}, {1000 + i % 300}) --> ({i * 7919 % 1000003:07}, {i:06})" for i in range(entries))
    return "$ Readings of sensors.\nletting reading be function(\n" + ",\n".join(lines) + ")\n"


def measure(command, case):
    """Wall and processor time in seconds and peak memory in MB of one run, and what is wrong with its answer."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        begin, expected = case.lines
        found = sum(1 for line in output if begin and line.startswith(begin))
        wrong = None
        if process.returncode != 0:
            wrong = f"exit code {process.returncode}: {errors.read(500).strip()}"
        elif found != expected:
            wrong = f"{found} lines `{begin}…` instead of {expected}"
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--binary", type=Path, default=target / "release" / "conjure-like")
    parser.add_argument("--runs", type=int, help="runs of every case (by default 21, or 5 of the slow ones)")
    options = parser.parse_args()
    if not options.binary.exists():
        sys.exit(f"{options.binary} is missing: build it with `make build`")

    row = "{:<40} {:>10} {:>10} {:>7} {:>10} {:>9}  {}".format
    print(row("case", "median", "allowed", "ratio", "processor", "memory", ""))
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            command = [options.binary, *case.arguments]
            measure(command, case)  # warms the file cache
            runs = [measure(command, case) for _ in range(options.runs or case.runs)]
            walls, processors, memories, wrongs = zip(*runs)
            median, memory = statistics.median(walls), max(memories)
            remarks = [wrong for wrong in wrongs if wrong][:1]
            if median > case.seconds:
                remarks.append("too slow")
            if case.megabytes and memory > case.megabytes:
                remarks.append(f"more than {case.megabytes:.0f} MB")
            good = good and not remarks
            cells = [f"{median * 1e3:.1f} ms", f"{case.seconds * 1e3:.0f} ms", f"{median / case.seconds:.2f}"]
            cells.append(f"{statistics.median(processors) * 1e3:.1f} ms")
            print(row(case.name, *cells, f"{memory:.0f} MB", "; ".join(remarks)), flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

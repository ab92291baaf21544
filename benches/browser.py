#!/usr/bin/env python3
"""Compares the engine of the web pages, in WebAssembly, with the same engine as a process and with the program.

    benches/browser.py --engine MODULE --native ENGINE [--filter TEXT] [--runs N]

MODULE is what tools/build-engine prints, ENGINE is target/release/conjure-like-engine. The cases are those of run.py. The table shows the
processor time of each. The times of processes include their start, and the minimum of all runs counts. The runs in WebAssembly share one
process of node, which compiles the module before the first of them, as a page does. They continue for at least two seconds, because V8
optimises frequently used code on other threads: the table shows the first run and the mean of the second half. Ends with exit code 1 if the
answers are of different kinds.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
import run


def request(case):
    """The request for a case; the texts are named after their files."""
    text = lambda path: {"name": path.name, "text": path.read_text()}
    data = [text(case.parameters)] if case.parameters else []
    if case.expected is None:
        return {"verb": "check", "model": text(case.model), "data": data}
    solutions = "all" if case.expected.isdigit() else 1
    return {"verb": "solve", "model": text(case.model), "data": data, "solutions": solutions, "pictures": False}


def processor_time():
    """The processor time of all processes that have been started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def natively(engine, file, runs):
    """The minimum time of the engine as a process, and how it ended."""
    times, last = [], {}
    for _ in range(runs):
        with file.open() as text:
            before = processor_time()
            output = subprocess.run([engine], stdin=text, capture_output=True, text=True, check=True).stdout
            times.append(processor_time() - before)
        last = json.loads(output.splitlines()[-1])
    return min(times), last.get("status", last["type"])


def in_webassembly(module, file, runs):
    """The time of the first run in WebAssembly, the mean of the second half, and how they ended."""
    script = measure.ROOT / "web" / "engine" / "test" / "time.mjs"
    command = ["node", script, file, str(runs)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "ENGINE": str(module)}).stdout
    lines = [json.loads(line) for line in output.splitlines()]
    times, last = [line["seconds"] for line in lines], lines[-1]
    return times[0], statistics.mean(times[len(times) // 2 :]), last.get("status", last.get("type", last["errors"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", nargs="?", choices=run.SETS, help="what to measure (by default everything)")
    parser.add_argument("--engine", type=Path, required=True, metavar="MODULE", help="the module for WebAssembly")
    parser.add_argument("--native", type=Path, required=True, metavar="ENGINE", help="the engine as a program")
    parser.add_argument("--binary", type=Path, default=measure.binary(), metavar="FILE", help="the program conjure-like")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only the cases with this in their names")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()

    row = "{:<40} {:>10} {:>10} {:>10} {:>12} {:>7} {:>7}".format
    print(row("case", "program", "engine", "first run", "WebAssembly", "ratio", "ratio"))
    ratios, good = [], True
    for case in run.cases(options):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(request(case), file)
            file.flush()
            native, expected = natively(options.native, Path(file.name), options.runs)
            first, web, found = in_webassembly(options.engine, Path(file.name), options.runs)
        program = min(measure.run([options.binary, *case.command("auto")]).processor for _ in range(options.runs))
        ratios.append((native, web / native, web / program))
        times = [f"{seconds * 1e3:.1f} ms" for seconds in (program, native, first, web)]
        complaint = "" if found == expected else f"  {found} instead of {expected}"
        good = good and not complaint
        print(row(case.name, *times, f"{web / program:.2f}", f"{web / native:.2f}") + complaint, flush=True)
    for name, wanted in (("all", ratios), ("under a second", [ratio for ratio in ratios if ratio[0] < 1])):
        mean = lambda position: statistics.geometric_mean(ratio[position] for ratio in wanted)
        print(row(f"geometric mean of {len(wanted)}, {name}", "", "", "", "", f"{mean(2):.2f}", f"{mean(1):.2f}"))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

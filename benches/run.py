#!/usr/bin/env python3
"""Measures the release build of conjure-like and checks its answers.

    benches/run.py [limits|constructors] [--filter TEXT] [--runs N] [--json FILE] [--compare FILE]
                   [--solver NAME] [--binary FILE] [--against FILE]

`limits` are the cases with a limit on time or memory; `constructors` are models of medium size in
benches/constructors, one for each type constructor of Essence. By default, both are measured.

Every line is a whole process with a warm file cache: the medians of its wall times and of its processor times (which are
close to each other on an idle machine), and the maximum of its peak memory. Limits apply to the wall
time. Every run must find the known answer. `--json` writes the figures to a file, and
`--compare` prints the ratios to the figures in a file. The script ends with exit code 1 if a limit is exceeded or
an answer is wrong. `--against` runs another program in turns with this one, and prints the ratio of their minimum processor
times, on which other work on the machine has the least influence. Needs Python 3 and a release build.
"""

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from latin_square import parameters as latin_square
from measure import ROOT, binary, comment, median, run, wrong

MODELS, PARAMS, BENCHES = ROOT / "models", ROOT / "params", ROOT / "benches"


@dataclass
class Case:
    name: str
    model: Path
    parameters: Path | None
    expected: str | None  # as in `measure.wrong`; None: the model is only type-checked
    seconds: float | None = None  # the limit
    megabytes: float | None = None  # the limit
    runs: int = 5

    def command(self, solver):
        parameters = [self.parameters] if self.parameters else []
        if self.expected is None:
            return ["type-check", self.model, *parameters]
        every = ["--number-of-solutions=all"] if self.expected.isdigit() else []
        return ["solve", "--quiet", f"--solver={solver}", self.model, *parameters, *every]


def limits(folder):
    def generated(name, text):
        file = folder / f"{name}.param"
        file.write_text(text)
        return file

    for name, seconds in (("4", 0.040), ("4-greater", 0.040), ("9", 0.150), ("9-hard", 0.150)):
        file = PARAMS / f"futoshiki-{name}.param"
        yield Case(f"futoshiki {name}", MODELS / "futoshiki.essence", file, "1", seconds, runs=21)
    yield Case("n-queens-8, all 92", MODELS / "n-queens.essence", PARAMS / "n-queens-8.param", "92", 0.5, runs=21)
    for seed in range(1, 6):
        square = generated(f"latin-square-20-seed-{seed}", latin_square(20, 0.42, seed))
        yield Case(f"Latin square 20, 42% holes, seed {seed}", MODELS / "latin-square.essence", square, "some", 3)
    for n, optimum, seconds in ((7, 25, 1), (9, 44, 10)):
        ruler = generated(f"golomb-{n}", f"letting n be {n}\n")
        yield Case(f"Golomb ruler, {n} marks", MODELS / "golomb-ruler.essence", ruler, f"optimum {optimum}", seconds, runs=3)
    yield Case("job shop ft06", MODELS / "job-shop.essence", BENCHES / "ft06.param", "optimum 55", 2)
    for name in ("mathemagrids-3", "mathemagrids-4"):
        yield Case(name, MODELS / "mathemagrids.essence", PARAMS / f"{name}.param", "some", 0.1)
    for size, solutions, seconds in ((50, "some", 1), (12, "14200", 10)):
        queens = generated(f"queens-{size}", f"letting n be {size}\n")
        name = f"n-queens-{size}" + (", all 14200" if solutions.isdigit() else "")
        yield Case(name, MODELS / "n-queens.essence", queens, solutions, seconds, runs=3)
    square = generated("latin-square-30", latin_square(30, 0.42, 1))
    yield Case("Latin square 30, 42% holes, seed 1", MODELS / "latin-square.essence", square, "some", 5)
    for name, constraints in LARGE_NUMBERS.items():
        model = folder / f"{name}.essence"
        model.write_text(f"find x, y : int(-100000..100000)\nfind z : int(1..1000)\nsuch that {constraints}\n")
        yield Case(f"large numbers: {name}", model, None, "some", 1)
    yield Case("type-check, 200 lines", BENCHES / "school.essence", None, None, 0.015, runs=21)
    large = generated("large", large_parameter(100_000))
    name = f"function of 100,000 entries, {large.stat().st_size / 1e6:.1f} MB"
    yield Case(name, BENCHES / "large-parameter.essence", large, "1", 2, 600)
    many = generated("many", "letting n be 100010\nletting near be 10\n")
    yield Case("1,000,000 instances of a constraint", BENCHES / "many-instances.essence", many, "some", 5, 2000)


# Arithmetic on domains of 200,000 values.
LARGE_NUMBERS = {
    "product": "x * y = 9699690, x > y, y > 100",
    "squares": "x * x + y * y = z * z, x < y, z > 900",
    "quotient": "x / y = 17, x % y = 5, y > 50",
    "remainders": "x % 101 = 3, x % 103 = 5, x % 97 = 1",
    "absolute": "|x - y| = 12345, x + y = 777, |x| > |y|",
    "sum": "3 * x + 5 * y - 7 * z = 12345, x < y, x + y + z < 60000",
}


def constructors(_):
    for file in sorted((BENCHES / "constructors").glob("*.param")):
        optimum, solutions = comment(file, "optimum"), comment(file, "solutions")
        expected = f"optimum {optimum}" if optimum else solutions
        yield Case(file.stem, file.with_name(comment(file, "model")), file, expected)


NONE = "error: no case has this in its name"
SETS = {"limits": limits, "constructors": constructors}


def large_parameter(entries):
    lines = (f"    ({1000 + i // 300}, {1000 + i % 300}) --> ({i * 7919 % 1000003:07}, {i:06})" for i in range(entries))
    return "$ Readings of sensors.\nletting reading be function(\n" + ",\n".join(lines) + ")\n"


def measured(case, program, solver, runs):
    """The figures of a case, and its error, if any."""
    command = [program, *case.command(solver)]
    first = run(command)  # warms the file cache; this answer is checked in full
    complaint = None
    if first.exit_code != 0:
        complaint = f"exit code {first.exit_code}: {first.errors[:300].strip()}"
    elif case.expected is not None:
        complaint = wrong(program, case.model, case.parameters, case.expected, first.output)
    results = [run(command) for _ in range(runs or case.runs)]
    if not complaint and any(result.exit_code != 0 for result in results):
        complaint = "not every run ended well"
    figures = {"wall": median(results, "wall"), "processor": median(results, "processor")}
    figures["memory"] = max(result.memory for result in results)
    if not complaint and case.seconds and figures["wall"] > case.seconds:
        complaint = "too slow"
    if not complaint and case.megabytes and figures["memory"] > case.megabytes:
        complaint = f"more than {case.megabytes:.0f} MB"
    return figures, complaint


def paired(case, programs, solver, runs):
    """The minimum processor time of each program; the programs take turns."""
    times = [[] for _ in programs]
    for _ in range(runs or case.runs):
        for program, own in zip(programs, times):
            own.append(run([program, *case.command(solver)]).processor)
    return [min(own) for own in times]


def pair(options):
    """Prints the ratios to another program's times, and their geometric mean."""
    row, ratios = "{:<40} {:>10} {:>10} {:>7}".format, []
    print(row("processor time", "before", "now", "ratio"))
    for case in cases(options):
        before, now = paired(case, (options.against, options.binary), options.solver, options.runs)
        ratios.append(now / before)
        print(row(case.name, f"{before * 1e3:.1f} ms", f"{now * 1e3:.1f} ms", f"{ratios[-1]:.2f}"), flush=True)
    if not ratios:
        sys.exit(NONE)
    print(row(f"geometric mean of {len(ratios)}", "", "", f"{statistics.geometric_mean(ratios):.3f}"))


def cases(options):
    """The selected cases; their files exist until the generator ends."""
    with tempfile.TemporaryDirectory() as folder:
        for name in [options.set] if options.set else SETS:
            yield from (case for case in SETS[name](Path(folder)) if options.filter in case.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", nargs="?", choices=SETS, help="what to measure (by default everything)")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only the cases with this in their names")
    parser.add_argument("--runs", type=int, help="runs of every case (by default 5, or 21 of the quick ones)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures into this file")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="print the ratios to the figures in this file")
    parser.add_argument("--solver", default="z3", metavar="NAME", help="one of conjure-like's solvers (z3)")
    parser.add_argument("--binary", type=Path, default=binary())
    parser.add_argument("--against", type=Path, metavar="FILE", help="a program to take turns with")
    options = parser.parse_args()
    if not options.binary.exists():
        sys.exit(f"{options.binary} is missing: build it with `make build`")
    if options.against:
        sys.exit(pair(options))
    before = json.loads(options.compare.read_text()) if options.compare else {}

    row = "{:<40} {:>10} {:>10} {:>10} {:>9}  {}".format
    print(row("case", "wall", "allowed", "processor", "memory", "ratios: wall, processor, memory" if before else ""))
    good, kept = True, {}
    for case in cases(options):
        figures, complaint = measured(case, options.binary, options.solver, options.runs)
        kept[case.name] = figures
        good = good and not complaint
        earlier = before.get(case.name)
        remark = "  ".join(f"{figures[key] / earlier[key]:.2f}" for key in figures) if earlier else ""
        allowed = f"{case.seconds * 1e3:.0f} ms" if case.seconds else ""
        times = [f"{figures[key] * 1e3:.1f} ms" for key in ("wall", "processor")]
        memory = f"{figures['memory']:.0f} MB"
        print(row(case.name, times[0], allowed, times[1], memory, " ".join(filter(None, (remark, complaint)))), flush=True)
    if not kept:
        sys.exit(NONE)
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

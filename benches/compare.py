#!/usr/bin/env python3
"""Runs conjure-like and other systems on models of the same problems, side by side, and prints the ratios of their times.

    benches/compare.py [--runs N] [--limit SECONDS] [--systems A,B,…] [--filter TEXT] [--python FILE] [--json FILE]
    benches/compare.py --set abstract [--limit SECONDS] [--systems A,B] [--filter TEXT] [--json FILE]

The systems are conjure-like with each of its solvers, a first Z3 program in Python, MiniZinc with Gecode, and OR-Tools
CP-SAT from Python with as many workers as there are processors (one, where it counts solutions). Nothing is installed: missing systems are named and left out. MiniZinc is Debian's package
`minizinc`; the Python modules are `ortools` and `z3-solver`, and `--python` names the interpreter that has them
(that of a virtual environment, for example).

Each folder in benches/problems is a problem: `*.param` and `*.json` hold the data of an instance for Essence and for
the others; `model.mzn`, `cpsat.py` and for some `first-z3.py` are models as an expert in the system would write them. The
parameter file names the Essence model, and its `$ flags:` are the options for conjure-like. All print
solutions in Essence. An instance with `$ set: bars` belongs to a requirement on conjure-like: it is
in a second table, and does not count among the twenty.

Each run is a whole process, from the source file to the printed solution. The systems take turns: one run of each, then the
next run of each. Every answer is checked: an optimum and a number of solutions are known beforehand, and a solution of any
system must satisfy the Essence model (see `measure.wrong`). Figures are medians of wall times in seconds, and `+` means the
time limit. A ratio is the time of a system divided by the time of conjure-like's best solver.

`--set abstract` runs conjure-like and MiniZinc once on each instance in benches/abstract, and prints how good their answers
are at the time limit; see benches/anytime.py.
"""

import argparse
import json
import re
import shutil
import statistics
import sys
from pathlib import Path

import anytime
from measure import ROOT, binary, comment, median, run, wrong

HERE = Path(__file__).resolve().parent
LIMITS = {"problems": 120, "abstract": 60}
# The solvers of conjure-like.
OURS = ("auto", "z3", "cadical")
NO_MINIZINC = "minizinc (Debian's package `minizinc`)"


class Instance:
    def __init__(self, file):
        self.file, self.folder = file, file.parent
        self.name = f"{file.parent.name} {file.stem}"
        optimum = comment(file, "optimum")
        known = re.match(r"-?\d+", optimum or comment(file, "best known") or "")
        self.optimal, self.best = bool(optimum), known and int(known[0])
        self.expected = f"optimum {optimum}" if optimum else comment(file, "solutions")
        self.all = (self.expected or "").isdigit()
        beside = self.folder / comment(file, "model")
        self.model = beside if beside.exists() else ROOT / "models" / comment(file, "model")
        self.data = file.with_suffix(".json")
        self.counts = comment(file, "set") != "bars"
        self.flags = (comment(self.model, "flags") or "").split()


def conjure_like(program, solver):
    def command(instance):
        every = ["--all"] if instance.all else []
        return [program, "solve", "--quiet", f"--solver={solver}", *instance.flags, instance.model, instance.file, *every]

    return command


def minizinc(instance):
    every = ["-a"] if instance.all else []
    return ["minizinc", "--solver", "gecode", *every, instance.folder / "model.mzn", instance.data]


def python(interpreter, script):
    def command(instance):
        every = ["--all"] if instance.all else []
        file = instance.folder / script
        return [interpreter, file, instance.data, *every] if file.exists() else None

    return command


def anytime_systems(options):
    """Name -> command for an instance of benches/abstract; and the reasons why other systems are missing."""
    found, missing = {"conjure-like": anytime.conjure_like(options.binary, options.limit)}, []
    if has_minizinc():
        found["minizinc"] = anytime.minizinc(options.limit)
    else:
        missing.append(NO_MINIZINC)
    if options.chuffed:
        found["chuffed"] = anytime.chuffed(options.chuffed, options.limit)
    return found, missing


def has_minizinc():
    return shutil.which("minizinc") and run(["minizinc", "--version"]).exit_code == 0


def systems(options):
    """Name -> command for an instance; and the reasons why other systems are missing."""
    found, missing = {}, []
    for solver in OURS:
        if run([options.binary, "solve", f"--solver={solver}", "--help"]).exit_code == 0:
            found[solver] = conjure_like(options.binary, solver)
        else:
            missing.append(f"--solver={solver} (this build of conjure-like does not know it)")
    if has_minizinc():
        found["minizinc"] = minizinc
    else:
        missing.append(NO_MINIZINC)
    for name, module, script, package in (
        ("cpsat", "ortools.sat.python.cp_model", "cpsat.py", "ortools"),
        ("z3py", "z3", "first-z3.py", "z3-solver"),
    ):
        if run([options.python, "-c", f"import {module}"]).exit_code == 0:
            found[name] = python(options.python, script)
        else:
            missing.append(f"{name} (Python's module `{package}`; --python names an interpreter that has it)")
    return found, missing


def measured(instance, called, options):
    """Name -> figures of each system that has a model of the problem. A system that has exceeded the limit is not run again."""
    runs, complaints = {}, {}
    for turn in range(options.runs):
        for name, command in called.items():
            line = command(instance)
            if line is None or name in complaints or (runs.get(name) and runs[name][-1].late):
                continue
            result = run(line, options.limit)
            runs.setdefault(name, []).append(result)
            if result.late or turn > 0:
                continue
            if result.exit_code != 0:
                complaints[name] = f"exit code {result.exit_code}: {(result.errors or result.output)[:200].strip()}"
            else:
                complaint = wrong(options.binary, instance.model, instance.file, instance.expected, result.output)
                if complaint:
                    complaints[name] = complaint
    figures = {}
    for name, results in runs.items():
        late = any(result.late for result in results)
        figures[name] = {key: median(results, key) for key in ("wall", "processor", "memory")}
        figures[name] |= {"late": late, "wrong": complaints.get(name)}
    return figures


def answered(figures, name):
    figure = figures.get(name)
    return figure is not None and not figure["late"] and not figure["wrong"]


def summary(table, key):
    """The number of instances on which conjure-like, with its better solver, is faster than the others."""
    lines = []
    for other in ("minizinc", "cpsat", "z3py"):
        rows = [figures for figures in table.values() if other in figures]
        if not rows:
            continue
        ratios = []
        for figures in rows:
            own = [figures[name][key] for name in OURS if answered(figures, name)]
            if own:
                ratios.append(figures[other][key] / min(own) if answered(figures, other) else float("inf"))
            else:
                ratios.append(0.0)
        ahead = sum(ratio > 1 for ratio in ratios)
        within = sum(ratio >= 1 / 3 for ratio in ratios)
        line = f"{key} time, against {other}: ahead on {ahead} of {len(rows)}, within 3 times its time on {within}"
        lines.append(f"{line}; median ratio {statistics.median(ratios):.2f}")
    return lines


def out_of_range(table):
    """Returns a line about MiniZinc, which should take 1 to 60 s on each of the twenty instances."""
    walls = {name: figures["minizinc"] for name, figures in table.items() if "minizinc" in figures}
    if not walls:
        return []
    outside = [name for name, figure in walls.items() if figure["late"] or figure["wrong"] or not 1 <= figure["wall"] <= 60]
    if outside:
        return ["minizinc did not take 1 to 60 s on " + ", ".join(outside)]
    return [f"minizinc took 1 to 60 s on each of {len(walls)}"]


def row(name, figures, called):
    """A line of a table, and a line for each answer that is wrong."""
    cells = []
    for system in called:
        figure = figures.get(system)
        late = "+" if figure and figure["late"] else ""
        cells.append(f"{figure['wall']:.3f}{late}" if figure else "")
    own = [figures[system]["wall"] for system in OURS if answered(figures, system)]
    ratios = []
    for system in ("minizinc", "cpsat", "z3py"):
        if own and system in figures:
            late = "+" if figures[system]["late"] else ""
            ratios.append(f"{system} {figures[system]['wall'] / min(own):.2f}{late}")
    line = f"{name:<26}" + "".join(f"{cell:>11}" for cell in cells) + "   " + ", ".join(ratios)
    return [line, *(f"    {system}: {figure['wrong']}" for system, figure in figures.items() if figure["wrong"])]


def section(title, instances, called, options):
    """Measures instances and prints a table of them; returns name -> figures."""
    print(f"{title:<26}" + "".join(f"{name:>11}" for name in called) + "   ratios to the better of ours")
    table = {}
    for instance in instances:
        figures = table[instance.name] = measured(instance, called, options)
        print("\n".join(row(instance.name, figures, called)), flush=True)
    return table


def compare(instances, called, options):
    """Prints the tables and the summary; returns the figures, and whether an answer is wrong."""
    table = section("instance", [instance for instance in instances if instance.counts], called, options)
    for line in [*out_of_range(table), *summary(table, "wall"), *summary(table, "processor")]:
        print(line)
    named = [instance for instance in instances if not instance.counts]
    if named:
        print()
        table |= section("named instances", named, called, options)
    return table, any(figure["wrong"] for figures in table.values() for figure in figures.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--set", choices=LIMITS, default="problems", help="the folder of the instances (problems)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each system on each instance (5; abstract: always 1)")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="time limit of a run (120; abstract: 60)")
    parser.add_argument("--systems", metavar="NAMES", help="only these, of those in the table's head")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only instances with this in their names")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="the Python that has the modules")
    parser.add_argument("--chuffed", type=Path, metavar="MODULES", help="the folder node_modules that chuffed.mjs needs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures into this file")
    parser.add_argument("--binary", type=Path, default=binary())
    options = parser.parse_args()
    options.limit = options.limit or LIMITS[options.set]
    if not options.binary.exists():
        sys.exit(f"{options.binary} is missing: build it with `make build`")
    find, measure = (anytime_systems, anytime.compare) if options.set == "abstract" else (systems, compare)
    called, missing = find(options)
    for system in missing:
        print(f"Not measured: {system}")
    if options.systems:
        wanted = options.systems.split(",")
        unknown = [name for name in wanted if name not in called]
        if unknown:
            sys.exit(f"error: {', '.join(unknown)} cannot be run here; there are {', '.join(called)}")
        called = {name: called[name] for name in wanted}

    instances = [Instance(file) for file in sorted((HERE / options.set).glob("*/*.param"))]
    figures, is_wrong = measure([instance for instance in instances if options.filter in instance.name], called, options)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares conjure-like with Gecode and Chuffed on problems of the MiniZinc Challenge, and with the published values.

    benches/challenge/contest.py SITE [--limit SECONDS] [--systems A,B] [--filter TEXT] [--results FILE] [--again] [--all]
                                 [--chuffed MODULES] [--binary FILE] [--folder FOLDER]

SITE is a checkout of the repository that manifest.json names. Each system answers each instance once. The answers are
kept in a file, so that a later call goes on where this one ends, and only prints the table when nothing is left to do.
A system whose program is missing is left out, but its answers in the file count.

Where conjure-like reaches the best value that is known from anybody, nothing is run again with a longer limit, and the
others are not run at all, unless `--all` asks for it: none is known to do better. Gecode and Chuffed use one processor
each, so they run beside each other.

conjure-like gets the abstract models of this folder, and the others get the models of the challenge. Gecode (Debian's
packages `minizinc` and `flatzinc`, see gecode.py) searches as the model says, and Chuffed (see ../chuffed.mjs) as it
likes (`-f`). What counts is the whole process, from the source files to the last solution within the limit. MiniZinc
computes the objective of conjure-like's solution, too (see check.py).
"""

import argparse
import hashlib
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import convert
from anytime import HEADER, Answer, asked, beats, cells, gap
from check import objective
from gecode import solver
from measure import binary, run

OURS = "conjure-like"
HERE = Path(__file__).resolve().parent
JSON = ["--output-mode", "json", "--output-objective"]

# The targets of conjure-like: the instances on which it is at least as good as another system, and those on which its
# value is the best known one or close to it.
AS_GOOD = {"chuffed": 40, "gecode": 50}
NEAR, NEAR_BEST = 0.01, 25


def systems(options):
    """Name -> (version, how it is called on an instance); and why others are missing."""
    found, missing = {}, []
    limit = f"{options.limit:.0f}"
    if options.binary.exists():
        version = run([options.binary, "--version"]).output.splitlines()[0]
        mark = hashlib.sha256(options.binary.read_bytes()).hexdigest()[:12]
        told = [options.binary, "solve", "--progress", f"--limit-time={limit}"]
        found[OURS] = (f"{version}, program {mark}", lambda one: [*told, one.model, one.file])
    else:
        missing.append(f"conjure-like ({options.binary} does not exist: build it with `make build`)")
    try:
        description = solver(options.folder / "gecode")
        version = json.loads(description.read_text())["version"]
        milliseconds = f"{1000 * options.limit:.0f}"
        flags = ["--solver", description, "-a", "--time-limit", milliseconds, *JSON]
        found["gecode"] = (version, lambda one: ["minizinc", *flags, one.minizinc, one.data])
    except FileNotFoundError:
        missing.append("gecode (Debian's packages `minizinc` and `flatzinc`)")
    if options.chuffed:
        script = HERE.parent / "chuffed.mjs"
        package = json.loads((options.chuffed / "minizinc/package.json").read_text())["version"]
        call = ["node", script, options.chuffed, limit]
        found["chuffed"] = (f"npm package minizinc {package}", lambda one: [*call, one.minizinc, one.data, "-f", *JSON])
    else:
        missing.append("chuffed (--chuffed names a folder node_modules with the npm package `minizinc`)")
    return found, missing


class Results:
    """The answers so far: (system, class, instance, limit) -> (version, answer)."""

    def __init__(self, file):
        self.file, self.answers = file, {}
        for one in json.loads(file.read_text()) if file.exists() else []:
            key = tuple(one.pop(part) for part in ("system", "class", "instance", "limit"))
            self.answers[key] = (one.pop("version"), Answer(**one))

    def add(self, key, version, answer):
        self.answers[key] = (version, answer)
        lines = []
        for (system, group, instance, limit), (told, one) in sorted(self.answers.items()):
            head = {"system": system, "class": group, "instance": instance, "limit": limit, "version": told}
            lines.append(json.dumps(head | asdict(one)))
        temporary = self.file.with_suffix(".new")
        temporary.write_text("[\n" + ",\n".join(lines) + "\n]\n")
        temporary.replace(self.file)

    def answer(self, system, instance, limit):
        """The answer within the limit. One within a lower limit stands until a run has had all the time."""
        name = (system, instance.group, instance.name)
        within = [key for key in self.answers if key[:3] == name and key[3] <= limit]
        return self.answers[max(within, key=lambda key: key[3])][1] if within else None

    def value(self, system, instance, limit):
        """The value that a system found, unless there is none or it is wrong."""
        answer = self.answer(system, instance, limit)
        return None if answer is None or answer.wrong else answer.value


def checked(instance):
    """The error in conjure-like's value, found by MiniZinc."""

    def check(value, output):
        told = objective(instance, output)
        return None if told == value else f"the objective by MiniZinc: {told}"

    return check


def measure(instances, called, results, options):
    def ask(name):
        check = checked(instance) if name == OURS else lambda *_: None
        return name, asked(name, called[name][1](instance), instance, options.limit, check)

    def is_wanted(name):
        known, _ = results.answers.get((name, instance.group, instance.name, options.limit), (None, None))
        if known is None:
            return options.all or not is_settled(instance, results, options.limit)
        return options.again and known != called[name][0]

    for instance in instances:
        for together in ([OURS], AS_GOOD):
            wanted = [name for name in together if name in called and is_wanted(name)]
            if wanted:
                instance.write()
            with ThreadPoolExecutor() as pool:
                for name, answer in pool.map(ask, wanted):
                    results.add((name, instance.group, instance.name, options.limit), called[name][0], answer)
                    said = f"{answer.value} {answer.wrong or ''}"
                    print(f"{instance.group} {instance.name} {name}: {said}", file=sys.stderr, flush=True)


def is_best(answer, instance):
    """True if no better value is known."""
    return not answer.wrong and is_as_good(answer.value, instance.best, instance)


def is_settled(instance, results, limit):
    """True if no better result than conjure-like's is known."""
    ours = results.answer(OURS, instance, limit)
    return bool(ours) and is_best(ours, instance)


def is_as_good(ours, theirs, instance):
    """True if our value is at least as good, or the only one."""
    if ours is None:
        return False
    return theirs is None or (ours <= theirs if instance.is_minimised else ours >= theirs)


def table(instances, results, limit):
    names = [OURS, *AS_GOOD]
    print(f"{'':<40}{'best':>11}" + "".join(f"  |{name:^38}" for name in names))
    print(f"{'instance':<40}{'known':>11}" + f"  |{HEADER}" * len(names))
    for instance in instances:
        known = f"{instance.best}{'' if instance.optimal else '?'}"
        answers = {name: results.answer(name, instance, limit) for name in names}
        row = "".join(f"  |{cells(answers[name]):<38}" for name in names)
        print(f"{instance.group + ' ' + instance.name:<40.40}{known:>11}{row}")
        for name, answer in answers.items():
            if answer and answer.wrong:
                print(f"    {name}: {answer.wrong}")
            elif answer and beats(instance, answer):
                print(f"    {name}: better than the best known value")


def bars(instances, results, limit):
    """The distance of conjure-like from its goals."""
    ours = {id(one): results.value(OURS, one, limit) for one in instances}
    for other, bar in AS_GOOD.items():
        both = [one for one in instances if is_settled(one, results, limit) or results.answer(other, one, limit)]
        theirs = {id(one): results.value(other, one, limit) for one in both}
        good = {id(one) for one in both if is_as_good(ours[id(one)], theirs[id(one)], one)}
        unsolved = sum(ours[id(one)] is None and theirs[id(one)] is None for one in both)
        counts = f"{len(good)} of {len(both)} (bar: {bar} of 60); without a solution of either: {unsolved}"
        print(f"at least as good as {other}: {counts}")
        lost = {}
        for one in both:
            if id(one) not in good and theirs[id(one)] is not None:
                lost.setdefault(one.group, []).append(one.name)
        for group, names in lost.items():
            print(f"    {group}: worse on {', '.join(names)}")
    for other in ("chuffed-free", "gecode-fd"):  # measured on other machines, with 15 or 20 minutes
        good = sum(is_as_good(ours[id(one)], one.published.get(other, [None])[0], one) for one in instances)
        print(f"at least as good as what {other} found in the challenge: {good} of {len(instances)}")
    near = 0
    for one in instances:
        value = ours[id(one)]
        near += value is not None and (
            is_as_good(value, one.best, one) or abs(value - one.best) <= NEAR * max(1, abs(one.best))
        )
    print(f"best known value, or within {NEAR:.0%}: {near} of {len(instances)} (bar: {NEAR_BEST} of 60)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path, metavar="SITE", help="a checkout of the repository that manifest.json names")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="time limit of a run (300)")
    parser.add_argument("--systems", metavar="NAMES", help="run only these: conjure-like, gecode, chuffed")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only instances with this in their class and name")
    parser.add_argument("--results", type=Path, default=HERE / "results.json", help="the file of the answers")
    parser.add_argument("--again", action="store_true", help="run again what another version of the program answered")
    parser.add_argument("--all", action="store_true", help="also where the best known value is reached already")
    parser.add_argument("--chuffed", type=Path, metavar="MODULES", help="a folder node_modules with minizinc")
    parser.add_argument("--binary", type=Path, default=binary())
    parser.add_argument("--folder", type=Path, default=convert.FOLDER, help="where parameter files are written")
    options = parser.parse_args()
    called, missing = systems(options)
    for system in missing:
        print(f"Not measured: {system}")
    if options.systems is not None:
        called = {name: system for name, system in called.items() if name in options.systems.split(",")}

    instances = list(convert.instances(options.site, options.folder))
    instances = [one for one in instances if options.filter in f"{one.group} {one.name}"]
    results = Results(options.results)
    measure(instances, called, results, options)
    table(instances, results, options.limit)
    bars(instances, results, options.limit)


if __name__ == "__main__":
    main()

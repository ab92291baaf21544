#!/usr/bin/env python3
"""Compares `review` with an exhaustive search.

Pairs of a model and the same model with one change (`planted.py`) are reviewed on small instances. On each instance,
an exhaustive search also finds the solutions of both. The review must find a difference if one model has solutions that
the other lacks, and its examples must be among these. If both have the same solutions, the values of the objectives of all
solutions and the best values are compared. If the data do not fit a model, the review must name it. Prints each
disagreement, and the numbers of pairs, instances, and instances with too many combinations.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import planted
from measure import ROOT

VALUE = "value_of_the_objective"


class Enumeration:
    """All solutions of models, by exhaustive search."""

    def __init__(self, program, folder):
        self.program, self.folder, self.known = program, folder, {}

    def run(self, *arguments, seconds=300):
        try:
            return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None

    def solve(self, text, data, solver):
        """Each solution in JSON; `"unfit"` if the data do not fit, and nothing if there are too many combinations."""
        file, parameters = self.folder / "all.essence", self.folder / "all.param"
        file.write_text(text)
        parameters.write_text(data or "")
        arguments = [file, *([parameters] if data else []), "-n", "all", f"--solver={solver}", "--output-format=jsonstream"]
        ran = self.run("solve", *arguments, "-q", "--limit-time=20")
        if ran is None or ran.returncode == 3:
            return None
        if ran.returncode == 2:
            return "unfit" if self.run("type-check", *arguments[: 1 + bool(data)]).returncode else None
        return [json.loads(line) for line in ran.stdout.splitlines() if line.strip()] if ran.returncode == 0 else None

    def solutions(self, model, data):
        if (model, data) not in self.known:
            found = self.solve(planted.without_objective(model)[0], data, "brute")
            if isinstance(found, list):
                found = {json.dumps(solution, sort_keys=True) for solution in found}
            self.known[model, data] = found
        return self.known[model, data]

    def objective(self, model, data):
        """The direction, and the value of each solution."""
        text, direction = planted.without_objective(model, VALUE)
        if direction is None:
            return None, {}
        found = self.solve(text, data, "cadical")
        if not isinstance(found, list):
            return None
        return direction, {json.dumps(solution, sort_keys=True): value for solution in found for value in [solution.pop(VALUE)]}

    def allows(self, model, data, solution):
        """True if a solution passes `validate-solution`."""
        file, parameters, example = (self.folder / f"all.{kind}" for kind in ("essence", "param", "solution"))
        file.write_text(planted.without_objective(model)[0])
        parameters.write_text(data or "")
        example.write_text(solution)
        ran = self.run("validate-solution", file, *([parameters] if data else []), example)
        return ran is not None and ran.returncode == 0


def judged(all_of, old, new, instance):
    """The errors in the review of an instance, and a word for the kind of instance."""
    if "incomparable" in instance:
        return [], "incomparable"
    data = instance["made_up"]
    before, after = (all_of.solutions(text, data) for text in (old, new))
    if before is None or after is None:
        return [], "too large"
    if "unfit" in (before, after):
        wanted = [name for name, found in (("old", before), ("new", after)) if found == "unfit"]
        said = [name for name, report in instance.get("unfit", {}).items() if report]
        return ([f"misnamed: {said} does not fit, but wanted {wanted}"] if said != wanted else []), "unfit"
    if "unfit" in instance:
        return [f"claimed: the data do not fit, but they fit both: {json.dumps(instance['unfit'])[:200]}"], "same"
    wrong = []
    for name, wanted in (("gained", after - before), ("lost", before - after)):
        found = instance[name]
        if found is None and wanted:
            wrong.append(f"{'missed' if instance['complete'] else 'uncertain'}: {name} {len(wanted)}")
        elif found and not wanted:
            wrong.append(f"claimed: {name} {found['solution']}")
        elif found:
            by_old, by_new = (all_of.allows(text, data, found["solution"]) for text in (old, new))
            if (by_old, by_new) != (name == "lost", name == "gained"):
                wrong.append(f"claimed: {name} {found['solution']}, old: {by_old}, new: {by_new}")
    if before != after:
        return wrong, "different"
    both = all_of.objective(old, data), all_of.objective(new, data)
    if None in both or not before:
        return wrong, "same"
    (_, olds), (_, news) = both
    differ = bool(before) and (both[0][0] != both[1][0] or any(olds.get(one) != news.get(one) for one in before))
    if instance["objective"] is None and differ:
        wrong.append(f"{'missed' if instance['complete'] else 'uncertain'}: another objective")
    if instance["objective"] and not differ:
        wrong.append(f"claimed: another objective for {instance['objective']['solution']}")
    for name, (direction, values) in zip(("old", "new"), both):
        if direction and instance[name]["status"] == "optimal":
            best = (min if direction == "minimising" else max)(values.values())
            if str(best) != str(instance[name]["objective"]):
                wrong.append(f"claimed: the best value of the {name} one is {instance[name]['objective']}, not {best}")
    return wrong, "other objective" if differ else "same"


def models():
    shown = sorted((ROOT / "models").glob("*.essence"))
    return shown + sorted((ROOT / "course").glob("*/*/reference.essence"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("PROGRAM", str(ROOT / "target/release/conjure-like")))
    parser.add_argument("--pairs", type=int, default=300, help="the number of pairs (default 300)")
    parser.add_argument("--instances", type=int, default=3, help="small instances of each pair (default 3)")
    parser.add_argument("--only", default="", help="only models whose path contains this")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = [path for path in models() if options.only in str(path)]
    each = -(-options.pairs // max(len(chosen), 1))
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in chosen:
            old, done = path.read_text(), 0
            all_of = Enumeration(options.program, folder)
            for line, says, new in planted.edits(old, options.seed, larger=True):
                if done == each or counts["pairs"] == options.pairs:
                    break
                changed = folder / "new.essence"
                changed.write_text(new)
                if all_of.run("type-check", changed).returncode != 0:
                    continue
                done += 1
                counts["pairs"] += 1
                where = f"{path.relative_to(ROOT)}:{line}: {says}"
                limits = ["--instances", options.instances, "--instance-time", 3, "--output-format=json"]
                ran = all_of.run("review", path, changed, *limits)
                if ran is None or ran.returncode not in (0, 3):
                    print(f"{where}\n    {'no answer in time' if ran is None else ran.stderr.strip()[:300]}", flush=True)
                    counts["refused"] += 1
                    continue
                for instance in json.loads(ran.stdout)["instances"]:
                    counts["instances"] += 1
                    wrong, outcome = judged(all_of, old, new, instance)
                    counts[outcome] += 1
                    for problem in wrong:
                        counts[problem.split(":")[0]] += 1
                        print(f"{where}\n    {problem}\n{(instance['made_up'] or '')[:600]}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if any(counts[name] for name in ("missed", "claimed", "misnamed", "refused")) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares the default with each of its engines alone.

Shows the instances that the virtual best (the best engine for each instance) solves, and the losses of the default.

    benches/members.py [--limit SECONDS] [--runs N] [--filter TEXT] [--members NAMES] [--again] [--csplib FOLDER] [--json FILE]

The instances are all of `models/` with `params/`, of `benches/problems`, `abstract`, `constructors` and `refutations`, the
sizes that `benches/members/sizes.txt` lists, and, with a checkout of CSPLib, the sizes listed there of CSPLib's Essence
models. Each answer is checked by `validate-solution`.

The default is run first. A member that takes longer than the default shows no loss, so each member is stopped soon
after the time that the default took; if the default has no proof at the limit, members get the whole limit. An instance
that the default answers within 0.1 s cannot be lost (the bar is 1.5 times the time of the best member, and 0.1 s), so its
members are run only with `--again`.

The answers of all runs are kept in a file, so that a later call continues where the last one ended, also with more runs.
`--again` measures everything again (after a change of the portfolio), and `--members` names the members to measure. The
median of several answers counts. The last lines show how many of the instances that any member solves the default solves,
how often it is within the bar, and how often its value is within 5 % of the best member's.
"""

import argparse
import json
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from anytime import values
from measure import ROOT, binary, comment, run, wrong

HERE = Path(__file__).resolve().parent
# The default, and each engine alone.
MEMBERS = {
    "auto": [],
    "z3": ["--solver=z3"],
    "cadical": ["--solver=cadical"],
    "cp-sat": ["--solver=cp-sat"],
    "cp-sat-1": ["--solver=cp-sat", "--threads=1"],
    "cp-sat-8": ["--solver=cp-sat", "--threads=8"],
    "cadical-symmetry": ["--solver=cadical", "--symmetry=on"],
    "cp-sat-symmetry": ["--solver=cp-sat", "--symmetry=on"],
}
# The default may exceed the time of the best member by this factor, or by these seconds.
TIMES, MORE = 1.5, 0.1
# The value of the default may be worse by this fraction.
WORSE = 0.05
GRACE = 5


@dataclass
class Instance:
    name: str
    model: Path
    files: list
    flags: list

    @property
    def sense(self):
        found = re.search(r"^\s*(minimi|maximi)[sz]ing", self.model.read_text(), re.MULTILINE)
        return found and found[1]


def instances(csplib):
    """All instances, in a fixed order."""
    found = []
    for file in sorted((ROOT / "params").glob("*.param")):
        model = max((m for m in (ROOT / "models").glob("*.essence") if file.stem.startswith(m.stem)), key=lambda m: len(m.stem))
        found.append(Instance(f"models {file.stem}", model, [file], []))
    for file in sorted(HERE.glob("problems/*/*.param")) + sorted(HERE.glob("abstract/*/*.param")):
        beside = file.parent / comment(file, "model")
        model = beside if beside.exists() else ROOT / "models" / comment(file, "model")
        flags = (comment(model, "flags") or "").split()
        every = ["-n", "all"] if (comment(file, "solutions") or "").isdigit() else []
        found.append(Instance(f"{file.parent.parent.name} {file.parent.name} {file.stem}", model, [file], flags + every))
    for file in sorted(HERE.glob("constructors/*.param")) + sorted(HERE.glob("refutations/*.param")):
        model = max((m for m in file.parent.glob("*.essence") if file.stem.startswith(m.stem)), key=lambda m: len(m.stem))
        found.append(Instance(f"{file.parent.name} {file.stem}", model, [file], []))
    for line in (HERE / "members" / "sizes.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        model, *texts = shlex.split(line)
        where = ROOT / "models"
        if model.startswith("csplib:"):
            if not csplib:
                continue
            model, where = model.removeprefix("csplib:"), csplib / "Problems"
        elif model.startswith("members/"):
            where = HERE
        path = where / f"{model}.essence"
        files = [path.parent.parent / text if model.startswith("prob") else where / text for text in texts if text.endswith(".param")]
        lettings = [f"-Dletting {text}" for text in texts if not text.endswith(".param")]
        name = " ".join([f"{'csplib' if where.name == 'Problems' else 'sizes'} {path.stem}", *texts])
        found.append(Instance(name, path, files, lettings))
    return found


def asked(program, instance, flags, limit):
    """The answer of one run: status, seconds, values of the objective with seconds, and the error."""
    command = [program, "solve", "--progress", f"--limit-time={limit:g}", *flags, *instance.flags, instance.model, *instance.files]
    result = run(command, limit + GRACE, stamped=True)
    found = values(result.lines)
    answer = {"wall": round(result.wall, 3), "processor": round(result.processor, 3), "memory": round(result.memory)}
    if instance.sense:
        answer |= {"first": found[0][0] if found else None, "value": found[-1][1] if found else None}
    late = result.late or result.exit_code == 3 or "$ not proved optimal" in result.output
    if result.exit_code not in (0, 3) and not result.late:
        refused = re.search(r"E0\d\d\d", result.errors)
        return answer | {"status": f"refused {refused[0]}" if refused else f"exit {result.exit_code}"}
    if late:
        return answer | {"status": "late", "limit": limit}
    if result.output.strip() and not instance.flags:
        complaint = wrong(program, instance.model, instance.files[0] if instance.files else None, "some", result.output)
        if complaint:
            return answer | {"status": f"wrong: {complaint}"}
    return answer | {"status": "solved", "none": not result.output.strip()}


def better(sense, one, other):
    return one < other if sense == "minimi" else one > other


def worse_by(sense, value, best):
    """The distance of a value from the best one, relative to the best one."""
    if value is None:
        return float("inf")
    return max(0, (value - best) if sense == "minimi" else (best - value)) / max(1, abs(best))


def middle(instance, answers):
    """The median of some answers: solved ones come first, then better values, then shorter times."""

    def order(answer):
        value = answer.get("value")
        worse = float("inf") if value is None else value if instance.sense == "minimi" else -value
        is_solved = answer["status"] == "solved"
        return not is_solved, 0 if is_solved else worse, answer["wall"]

    return sorted(answers, key=order)[len(answers) // 2]


def verdict(instance, row):
    """The losses of the default: instances solved by any member, solved by the default, within the bar, and the distance of its value."""
    auto, others = row["auto"], [answer for name, answer in row.items() if name != "auto"]
    solved = [answer for answer in others if answer["status"] == "solved"]
    best = min((answer["wall"] for answer in solved), default=None)
    is_solved = auto["status"] == "solved"
    within = best is None or (is_solved and auto["wall"] <= TIMES * best + MORE)
    gap = None
    if instance.sense:
        known = [answer["value"] for answer in [auto, *others] if answer.get("value") is not None]
        if known:
            gap = worse_by(instance.sense, auto["value"], min(known) if instance.sense == "minimi" else max(known))
    return {"any": bool(solved) or is_solved, "default": is_solved, "best": best, "within": within, "gap": gap}


def cell(answer):
    if answer is None:
        return ""
    value = "" if answer.get("value") is None else f" {answer['value']}"
    mark = "" if answer["status"] == "solved" else "+" if answer["status"] == "late" else "!"
    return f"{answer['wall']:.2f}{mark}{value}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=20, metavar="SECONDS", help="time limit of a run (20)")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="how often each member answers each instance (1)")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only instances whose names match this regular expression")
    parser.add_argument("--members", default=",".join(MEMBERS), metavar="NAMES", help="which members are run")
    parser.add_argument("--again", action="store_true", help="run the members named anew, and all of them on easy instances")
    parser.add_argument("--csplib", type=Path, metavar="FOLDER", help="a checkout of CSPLib")
    parser.add_argument("--json", type=Path, default=HERE / "members" / "results.json", metavar="FILE", help="where figures are kept")
    parser.add_argument("--binary", type=Path, default=binary())
    parser.add_argument("--report", action="store_true", help="run nothing; print the table")
    options = parser.parse_args()
    kept = json.loads(options.json.read_text()) if options.json.exists() else {}
    chosen = [name for name in MEMBERS if name in options.members.split(",")]
    verdicts = {}
    for instance in instances(options.csplib):
        if not re.search(options.filter, instance.name):
            continue
        runs = kept.setdefault(instance.name, {})
        for name in [] if options.report else chosen:
            answers = runs.setdefault(name, [])
            if options.again:
                answers.clear()
            limit = options.limit
            if name != "auto" and runs.get("auto"):
                auto = middle(instance, runs["auto"])
                if auto["status"] == "solved" and auto["wall"] <= MORE and not options.again:
                    continue
                if auto["status"] == "solved":
                    limit = min(limit, auto["wall"] + 0.5)
            while len(answers) < options.runs:
                answers.append(asked(options.binary, instance, MEMBERS[name], limit))
                rows = (f"{json.dumps(name)}: {json.dumps(runs)}" for name, runs in kept.items())
                options.json.write_text("{\n" + ",\n".join(rows) + "\n}\n")
        row = {name: middle(instance, answers) for name, answers in runs.items() if answers}
        if "auto" not in row:
            continue
        verdicts[instance.name] = judged = verdict(instance, row)
        gap = "" if not judged["gap"] else f"  {judged['gap']:.1%} worse"
        mark = "" if judged["within"] and (judged["default"] or not judged["any"]) else "  <<<"
        print(f"{instance.name[:60]:<60} " + "  ".join(f"{name} {cell(row[name])}" for name in MEMBERS if name in row) + gap + mark, flush=True)
    any_solved = [judged for judged in verdicts.values() if judged["any"]]
    default = sum(judged["default"] for judged in any_solved)
    within = sum(judged["within"] for judged in verdicts.values())
    gaps = [judged["gap"] for judged in verdicts.values() if judged["gap"] is not None]
    close = sum(gap <= WORSE for gap in gaps)
    print(f"{len(verdicts)} instances; the default solves {default} of the {len(any_solved)} that any solves (bar: 98 %)")
    print(f"within {TIMES} times the best member's time and {MORE} s: {within} of {len(verdicts)} (bar: 90 %)")
    print(f"value within {WORSE:.0%} of the best member's: {close} of {len(gaps)} (bar: 95 %)")


if __name__ == "__main__":
    main()

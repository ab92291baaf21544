#!/usr/bin/env python3
"""Counts the questions that `ask` needs to find the right one of several models.

A problem is a model of `models/` or `course/`; each wrong candidate is the same model with one planted mistake that
changes its meaning. The model itself answers. Each problem is asked twice: with the right model among the candidates, and
without it; then the result should be that none is right.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import planted
from measure import ROOT


def run(program, *arguments):
    try:
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=400)
    except subprocess.TimeoutExpired:
        return None


def wrong_models(program, path, folder, count, seed):
    """Candidates with a planted mistake that changes the solutions, or the best ones, on a small instance."""
    found = []
    for _, says, text in planted.edits(path.read_text(), seed):
        if len(found) == count:
            break
        candidate = folder / f"wrong-{len(found) + 1}.essence"
        candidate.write_text(text)
        ran = run(program, "compare", candidate, path, "--exit-status", "--limit-time=20")
        if ran is None or ran.returncode != 10:
            continue
        # Another factor of the objective, for example, changes no answer.
        if "but the objective differs" in ran.stdout and not have_other_best(program, candidate, path, folder):
            continue
        found.append((candidate, says))
    return found


def best_solutions(program, model, data):
    """All best solutions without their value; nothing if they were not all found."""
    ran = run(program, "solve", model, *data, "--all", "-q", "--output-format=jsonstream", "--limit-time=10")
    if ran is None or ran.returncode != 0:
        return None
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.strip()]
    return {json.dumps({name: value for name, value in one.items() if name != "$objective"}, sort_keys=True) for one in found}


def have_other_best(program, one, other, folder):
    """True if two models have different best solutions on one of 30 instances."""
    made = folder / "instances"
    run(program, "instances", other, "--number", 30, "--output", made, "--solution=yes", "--seconds=2", "--limit-time=60")
    for data in [[path] for path in sorted(made.glob("*.param"))] or [[]]:
        ours, theirs = (best_solutions(program, model, data) for model in (one, other))
        if None not in (ours, theirs) and ours != theirs:
            return True
    return False


def ask(program, reference, candidates):
    """The remaining models, the number of questions, and the seconds."""
    started = time.perf_counter()
    ran = run(program, "ask", *candidates, "--reference", reference, "--output-format=json", "--limit-time=300")
    if ran is None or ran.returncode not in (0, 3) or not ran.stdout.strip():
        return None
    *questions, result = map(json.loads, ran.stdout.splitlines())
    return result["left"], len(questions), time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("PROGRAM", str(ROOT / "target/release/conjure-like")))
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--wrong", type=int, default=5, help="wrong candidates of each problem (default 5)")
    parser.add_argument("--only", default="", help="only models whose path contains this")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    paths = sorted((ROOT / "course").glob("*/*/reference.essence")) + sorted((ROOT / "models").glob("*.essence"))
    numbers, found, refuted, problems = [], 0, 0, 0
    for path in [path for path in paths if options.only in str(path)]:
        if problems == options.problems:
            break
        with tempfile.TemporaryDirectory() as name:
            wrong = wrong_models(options.program, path, Path(name), options.wrong, options.seed)
            if len(wrong) < options.wrong:
                continue
            candidates = [candidate for candidate, _ in wrong]
            # The right model does not come first, because the names of the first model count for all.
            among = ask(options.program, path, [candidates[0], path, *candidates[1:]])
            without = ask(options.program, path, candidates)
            problems += 1
            is_found = among is not None and str(path) in among[0] and len(among[0]) == 1
            is_refuted = without is not None and not without[0]
            found, refuted = found + is_found, refuted + is_refuted
            if among is not None:
                numbers.append(among[1])
            says = "; ".join(says for _, says in wrong)
            shown = "no answer" if among is None else f"{among[1]} questions, left {[Path(left).name for left in among[0]]}, {among[2]:.1f} s"
            other = "no answer" if without is None else f"{without[1]} questions, left {len(without[0])}, {without[2]:.1f} s"
            print(f"{path.relative_to(ROOT)}: {shown}; without it: {other}\n    {says}", flush=True)
    if numbers:
        median = statistics.median(numbers)
        print(f"{problems} problems: the right one is found {found} times, with {median} questions in the median, {max(numbers)} at most;")
        print(f"where none is right, that is said {refuted} times")
    return 0 if found == problems else 1


if __name__ == "__main__":
    sys.exit(main())

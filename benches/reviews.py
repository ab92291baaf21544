#!/usr/bin/env python3
"""Compares `review` with trying all values.

Pairs of a model and the same model with a planted mistake are reviewed on small instances. On each instance, both are
also solved by trying all values; what one has and the other lacks is what the review must find. Prints each
disagreement, and counts: pairs, instances, those with too many combinations.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import planted
from measure import ROOT


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def solutions(program, folder, model, data):
    """All solutions that trying all values finds, or nothing if there are too many combinations."""
    file, parameters = folder / "brute.essence", folder / "brute.param"
    file.write_text(planted.without_objective(model))
    parameters.write_text(data or "")
    with_data = [parameters] if data else []
    ran = run(program, "solve", file, *with_data, "-n", "all", "--solver=brute", "--output-format=jsonstream", "-q")
    if ran.returncode != 0:
        return None
    return {json.dumps(json.loads(line), sort_keys=True) for line in ran.stdout.splitlines() if line.strip()}


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
    counts = dict(pairs=0, instances=0, compared=0, differences=0, uncertain=0, wrong=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in chosen:
            old, done = path.read_text(), 0
            for line, says, new in planted.edits(old, options.seed):
                if done == each or counts["pairs"] == options.pairs:
                    break
                changed = folder / "new.essence"
                changed.write_text(new)
                if run(options.program, "type-check", changed).returncode != 0:
                    continue
                done += 1
                counts["pairs"] += 1
                where = f"{path.relative_to(ROOT)}:{line}: {says}"
                limits = ["--instances", options.instances, "--instance-time", 3, "--output-format=json"]
                ran = run(options.program, "review", path, changed, *limits)
                if ran.returncode != 0:
                    print(f"{where}\n    {ran.stderr.strip()[:300]}", flush=True)
                    counts["wrong"] += ran.returncode == 1
                    continue
                for instance in json.loads(ran.stdout)["instances"]:
                    counts["instances"] += 1
                    before, after = (solutions(options.program, folder, text, instance["made_up"]) for text in (old, new))
                    if before is None or after is None or "gained" not in instance:
                        continue
                    counts["compared"] += 1
                    wanted = (bool(after - before), bool(before - after))
                    found = (instance["gained"] is not None, instance["lost"] is not None)
                    counts["differences"] += any(wanted)
                    if found != wanted and (instance["complete"] or any(had and not has for had, has in zip(found, wanted))):
                        counts["wrong"] += 1
                        print(f"{where}\n    gained, lost: {found}, but trying all values says {wanted}\n{instance['made_up']}", flush=True)
                    elif found != wanted:
                        counts["uncertain"] += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

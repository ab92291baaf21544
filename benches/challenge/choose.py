#!/usr/bin/env python3
"""Chooses twenty problem classes of the MiniZinc Challenge, and three instances of each, by a rule and a fixed seed.

    benches/challenge/choose.py SITE COMMIT

SITE is a checkout of the repository MiniZinc/minizinc.github.io at COMMIT, which holds the problems and the results of
all years. What is drawn is written to manifest.json, with the checksums of its files and the published results; nothing
else of the checkout is kept.

The rule was written before any of the problems was solved:

1. The latest edition of a class counts, among the challenges of 2012–2025 whose results the checkout holds.
2. It has an objective, and one model file for all of its instances, of at most 2,500 characters without comments and
   repeated blanks: a problem that a textbook can state on a page.
3. The model has no floating-point number and no variable that is a set (`float`, `var set`).
4. At least three of its instances have a data file of at most 40,000 bytes and of the instance's name, and some system
   had a solution of them. The other instances are not drawn.
5. MiniZinc 2.6.4, which Debian has, compiles the smallest of these for Gecode (see gecode.py) within 60 s.

Each class belongs to one of twenty fields. From each field one class is drawn, and then three of its instances.
"""

import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import gecode

HERE = Path(__file__).resolve().parent
YEARS = range(2012, 2026)
SEED = 2026
CHARACTERS, BYTES, SECONDS = 2500, 40_000, 60

FIELDS = {
    "projects with resources": "largescheduling rcpsp rcpsp-wet rcpsp-wet-diverse mspsp cyclic-rcpsp",
    "machines and shops": "openshop EchoSched test-scheduling smelt hoist-benchmark hoist-benchmark-for-minizinc",
    "vehicle routing": "vrp tiny-cvrp depot-placement",
    "tours": "tsptw tdtsp prize-collecting mario tpp",
    "packing and cutting": "stack-cuttingstock products-and-shelves steelmillslab",
    "knapsacks and covers": "multi-knapsack wmsmc-int",
    "matching and teams": "kidney-exchange team-assignment stable-goods skill-allocation",
    "timetables and rosters": "roster gbac work-task-variation ptv",
    "frequencies, rooms and desks": "celar concert-hall-cap accap",
    "graphs": "maximum-dag graph-clear diameterc-mst road-cons",
    "clusters": "community-detection community-detection-rnd",
    "flows": "nfc",
    "designs": "opd fbd1 ghoulomb",
    "sport": "p1f p1f-pjs league",
    "boards": "grid-colouring triangular still-life-wastage mqueens mondoku",
    "riddles of moves": "fox-geese-corn seat-moving",
    "texts and codes": "median-string compression parity-learning minimal-decision-sets",
    "circuits and programs": "filters cable-tree-wiring cable_tree_wiring l2p",
    "shops and taxes": "fast-food freepizza cgt",
    "production and medicine": "open_stacks radiation",
}


def plain(text):
    """A model without comments and repeated blanks."""
    text = re.sub(r"%.*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    return re.sub(r"\s+", " ", text)


def latest(site):
    """Class -> (year, index, results, locations) of its latest edition."""
    found = {}
    for year in YEARS:
        file = site / f"public/challenge/{year}/results.json"
        if file.exists():
            data = json.loads(file.read_text())
            for index, name in enumerate(data["results"]["problems"]):
                found[name] = (year, index, data["results"], data["locations"])
    return found


def path(year, location):
    return f"public/challenge/{year}/{location.replace('//', '/')}"


def best(results, instance, kind):
    """The best value of an instance in the results, and whether it is proved.

    A value that at least two systems proved is the optimum, whatever others say (some systems were wrong). Otherwise,
    the best of the values that count as correct.
    """
    values, proofs = [], []
    for status, objectives in zip(results["results"], results["objectives"]):
        value = str(objectives[instance]).strip()
        if status[instance].strip() in ("S", "SC") and re.fullmatch(r"-?\d+", value):
            values.append(int(value))
            if status[instance].strip() == "SC":
                proofs.append(int(value))
    common = max(set(proofs), key=proofs.count, default=None)
    if common is not None and proofs.count(common) >= 2:
        return common, True
    return ((min if kind == "MIN" else max)(values), False) if values else None


def published(results, instance):
    """The results of Gecode and Chuffed in the challenge, within its limit of 15 or 20 minutes: (value, proved)."""
    found = {}
    for name, status, objectives in zip(results["solvers"], results["results"], results["objectives"]):
        if re.match(r"(?i)(gecode-fd|chuffed-(fd|free))$", name) and status[instance].strip() in ("S", "SC"):
            found[name.lower()] = (int(objectives[instance]), status[instance].strip() == "SC")
    return found


def compiles(solver, model, data):
    command = ["minizinc", "-c", "--solver", solver, "--fzn", "/dev/null", "--no-output-ozn", model, data]
    try:
        return subprocess.run(command, capture_output=True, timeout=SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def eligible(site, solver):
    """Class -> (year, model, kind, instances) if the rule admits it.

    An instance is (file, best value, whether it is proved, what is published).
    """
    chosen = {}
    for name, (year, index, results, locations) in sorted(latest(site).items()):
        kind, model = results["kind"][index], locations["problems"][index]
        if kind not in ("MIN", "MAX") or not (model or "").endswith(".mzn"):
            continue
        model = path(year, model)
        text = plain((site / model).read_text(errors="replace"))
        if len(text) > CHARACTERS or re.search(r"\bfloat\b|\bvar set\b", text):
            continue
        instances = []
        for number in results["instances"][index]:
            file = path(year, locations["instances"][number])
            value = best(results, number, kind)
            is_plain = (site / file).exists() and (site / file).stat().st_size <= BYTES
            if is_plain and Path(file).stem == results["benchmarks"][number] and value:
                instances.append((file, *value, published(results, number)))
        instances.sort(key=lambda instance: ((site / instance[0]).stat().st_size, instance[0]))
        if len(instances) >= 3 and compiles(solver, site / model, site / instances[0][0]):
            chosen[name] = (year, model, kind, instances)
    return chosen


def checksum(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main():
    site, commit = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        classes = eligible(site, gecode.solver(folder))
    draw, manifest = random.Random(SEED), []
    for field, members in FIELDS.items():
        among = [name for name in sorted(members.split()) if name in classes]
        name = draw.choice(among)
        year, model, kind, instances = classes.pop(name)
        drawn = [instances[index] for index in sorted(draw.sample(range(len(instances)), 3))]
        manifest.append({
            "class": name, "field": field, "among": among, "year": year, "kind": kind.lower(), "model": model,
            "sha256": checksum(site / model),
            "instances": [
                {
                    "name": Path(file).stem, "file": file, "sha256": checksum(site / file),
                    "best": value, "proved": proved, "published": found,
                }
                for file, value, proved, found in drawn
            ],
        })  # fmt: skip
    without = sorted(classes.keys() - {name for members in FIELDS.values() for name in members.split()})
    print(f"Eligible, but without a field: {', '.join(without) or 'none'}")
    data = {"repository": "MiniZinc/minizinc.github.io", "commit": commit, "classes": manifest}
    text = json.dumps(data, indent=1)
    # Write lists of plain values on one line.
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
    (HERE / "manifest.json").write_text(text + "\n")


if __name__ == "__main__":
    main()

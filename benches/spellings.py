#!/usr/bin/env python3
"""Measures problems in five spellings: how much time and value depend on the spelling.

    benches/spellings.py [--limit SECONDS] [--filter TEXT] [--size smaller|larger] [--json FILE] [--program PROGRAM]
    benches/spellings.py --check

`spellings/PROBLEM` has a model in five spellings: `sets` as in a textbook, with sets, partitions and sequences;
`matrices` of integers; `objective`, in which the objective and parts of it are decisions; `booleans`; and `functions` or
relations. All five take the same data, which this program makes: a smaller and a larger instance of each problem.

For each instance, the table has the processor time of each spelling, or its value at the limit. A spelling is lost if
it takes more than 1.5 times the time of the best one and 0.2 s, or if its value at the limit is more than 3 % worse.

`--check` solves tiny instances: all spellings must have the same best value, and `conjure-like compare`
compares each spelling that maps its decisions with `$ map:` with the reference spelling.
"""

import argparse
import json
import random
import re
import sys
import tempfile
from pathlib import Path

from measure import ROOT, run

FOLDER = Path(__file__).resolve().parent / "spellings"
SPELLINGS = ["sets", "matrices", "objective", "booleans", "functions"]
# The spelling whose decisions the maps of the others give.
REFERENCES = {
    "assignment": "matrices", "covering": "sets", "golomb-ruler": "sets", "job-shop": "matrices", "knapsack": "sets",
    "lot-sizing": "matrices", "quasigroup": "matrices", "roster": "sets", "round-trip": "matrices", "warehouses": "matrices",
}
# The sizes of the tiny, the smaller and the larger instance.
SIZES = {
    "assignment": (4, 12, 40), "bin-packing": (6, 14, 40), "colouring": (5, 20, 60), "covering": (6, 25, 80),
    "golomb-ruler": (4, 7, 9), "job-shop": (2, 5, 8), "knapsack": (5, 20, 60), "lot-sizing": (3, 8, 24),
    "quasigroup": (3, 9, 25), "roster": (4, 8, 20), "round-trip": (5, 12, 40), "warehouses": (4, 12, 40),
}
TIMES, MORE, WORSE = 1.5, 0.2, 0.03


def essence(value):
    """A Python value as Essence: lists are matrices, sets are sets, dictionaries are functions."""
    if isinstance(value, list):
        return "[" + ", ".join(map(essence, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(essence, value)) + ")"
    if isinstance(value, dict):
        return "function(" + ", ".join(f"{essence(key)} --> {essence(image)}" for key, image in value.items()) + ")"
    return str(value)


def points(chance, n):
    """Distances between random points in a square."""
    places = [(chance.randrange(100), chance.randrange(100)) for _ in range(n)]
    return [[round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in places] for a, b in places]


def data(problem, n, chance):
    """The values of the parameters of a problem for a size."""

    def numbers(count, low, high):
        return [chance.randint(low, high) for _ in range(count)]

    def table(rows, columns, low, high):
        return [numbers(columns, low, high) for _ in range(rows)]

    if problem == "round-trip":
        return {"n": n, "distance": points(chance, n)}
    if problem == "knapsack":
        weight = numbers(n, 10, 60)
        worth = [w + chance.randint(-5, 10) for w in weight]
        return {"n": n, "capacity": sum(weight) // 2, "weight": weight, "worth": worth}
    if problem == "bin-packing":
        return {"n": n, "capacity": 100, "volume": numbers(n, 20, 60)}
    if problem == "assignment":
        return {"n": n, "cost": table(n, n, 1, 99)}
    if problem == "covering":
        sites = n // 2 + 1
        pairs = {(site, place) for place in range(1, n + 1) for site in chance.sample(range(1, sites + 1), min(3, sites))}
        return {"n": n, "m": sites, "price": numbers(sites, 5, 20), "covers": sorted(pairs)}
    if problem == "colouring":
        edges = [(a, b) for b in range(1, n + 1) for a in range(1, b) if chance.random() < 0.3]
        return {"n": n, "edges": edges}
    if problem == "job-shop":
        machine = [chance.sample(range(1, n + 1), n) for _ in range(n)]
        time = table(n, n, 1, 20)
        return {"jobs": n, "machines": n, "horizon": sum(map(sum, time)) // 2 + 30, "machine": machine, "time": time}
    if problem == "lot-sizing":
        return {"n": n, "capacity": 30, "setup": 40, "holding": 2, "demand": numbers(n, 0, 20)}
    if problem == "roster":
        return {"nurses": n, "days": n, "most": n // 2 + 1, "needed": numbers(n, 1, n // 3 + 1), "dislike": table(n, n, 0, 9)}
    if problem == "golomb-ruler":
        return {"n": n, "longest": n * n}
    if problem == "warehouses":
        sites = n // 3 + 2
        return {"n": n, "m": sites, "opening": numbers(sites, 30, 90), "room": numbers(sites, 4, 6), "supply": table(n, sites, 1, 60)}
    if problem == "quasigroup":
        # A Latin square with its rows, columns and values in random order, of which two fifths are left.
        rows, columns, values = (chance.sample(range(n), n) for _ in range(3))
        square = {(i + 1, j + 1): values[(rows[i] + columns[j]) % n] + 1 for i in range(n) for j in range(n)}
        left = chance.sample(sorted(square), 2 * n * n // 5)
        return {"n": n, "clue": {cell: square[cell] for cell in sorted(left)}}
    raise KeyError(problem)


def written(problem, n, seed, folder):
    values = data(problem, n, random.Random(f"{problem} {n} {seed}"))
    braces = {"edges": "{{{}}}", "covers": "relation({})"}

    def text(name, value):
        return braces[name].format(essence(value)[1:-1]) if name in braces else essence(value)

    file = folder / f"{problem}-{n}-{seed}.param"
    file.write_text("".join(f"letting {name} be {text(name, value)}\n" for name, value in values.items()))
    return file


def solved(program, model, file, limit):
    """The processor time, the value (or the number of solutions), and True if the value is proved to be the best one."""
    result = run([program, "solve", f"--limit-time={limit}", model, file], 3 * limit + 60)
    found = re.findall(r"^\$ [Oo]bjective: (-?\d+)", result.output, re.M)
    has_solution = bool(re.search("^letting ", result.output, re.M))
    value = int(found[-1]) if found else int(has_solution)
    complete = result.exit_code == 0 and "not proved" not in result.output
    if result.exit_code not in (0, 3):
        return {"error": (result.errors.strip().splitlines() or ["?"])[0][:100], "processor": result.processor}
    return {"value": value if has_solution else None, "complete": complete, "processor": round(result.processor, 2)}


def check(program, problems, folder):
    wrong = 0
    for problem in problems:
        for seed in range(1, 4):
            file = written(problem, SIZES[problem][0], seed, folder)
            answers = {s: solved(program, FOLDER / problem / f"{s}.essence", file, 60) for s in SPELLINGS}
            values = {answer.get("value") for answer in answers.values()}
            if len(values) > 1 or not all(answer.get("complete") for answer in answers.values()):
                wrong += 1
                print(f"{problem} {seed}: {answers}\n{file.read_text()}")
            reference = FOLDER / problem / f"{REFERENCES.get(problem)}.essence"
            for spelling in SPELLINGS:
                model = FOLDER / problem / f"{spelling}.essence"
                if seed > 1 or "$ map:" not in model.read_text():
                    continue
                result = run([program, "compare", "--limit-time=60", model, reference, file], 200)
                if not re.search("mean the same|No difference was found", result.output):
                    wrong += 1
                    print(f"{problem}: {spelling} is not {reference.stem}\n{result.output}{result.errors}")
        print(f"{problem}: checked", flush=True)
    return wrong


def lost(answer, answers, maximises):
    """The reason why a spelling is lost to the best one; `None` if it is not."""
    if "error" in answer:
        return answer["error"]
    proofs = [other["processor"] for other in answers if other.get("complete")]
    if answer["complete"]:
        return f"{answer['processor']} s" if answer["processor"] > TIMES * min(proofs) + MORE else None
    values = [other["value"] for other in answers if other.get("value") is not None]
    best = (max if maximises else min)(values) if values else None
    if answer["value"] is None:
        return "no solution" if values else None
    if abs(answer["value"] - best) > WORSE * abs(best):
        return f"{answer['value']} instead of {best}"
    return "no proof" if proofs else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--filter", default="")
    parser.add_argument("--size", choices=["smaller", "larger"])
    parser.add_argument("--json")
    parser.add_argument("--program", default=ROOT / "target" / "release" / "conjure-like")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    problems = sorted(problem for problem in SIZES if given.filter in problem)
    kept, lines = {}, []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if given.check:
            sys.exit(check(given.program, problems, folder) > 0)
        for problem in problems:
            maximises = "maximising" in (FOLDER / problem / "sets.essence").read_text()
            sizes = dict(zip(["smaller", "larger"], SIZES[problem][1:]))
            for size in [sizes[given.size]] if given.size else sizes.values():
                file = written(problem, size, 0, folder)
                answers = {s: solved(given.program, FOLDER / problem / f"{s}.essence", file, given.limit) for s in SPELLINGS}
                kept[f"{problem} {size}"] = answers
                shown = []
                for spelling, answer in answers.items():
                    reason = lost(answer, answers.values(), maximises)
                    mark = "  " if reason is None else " *"
                    proof = "!" if answer.get("complete") else ""
                    shown.append(f"{answer['processor']:6.2f} {answer.get('value', '-')}{proof}{mark}")
                    if reason:
                        lines.append(f"{problem} {size}, {spelling}: {reason}")
                print(f"{problem:13} {size:3}  " + "".join(f"{text:18}" for text in shown), flush=True)
                if given.json:
                    Path(given.json).write_text(json.dumps(kept, indent=1))
    count = sum(len(answers) for answers in kept.values())
    print(f"\n{count - len(lines)} of {count} are not lost. Lost are:\n" + "\n".join(lines))


if __name__ == "__main__":
    main()

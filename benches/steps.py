#!/usr/bin/env python3
"""Measures `why --steps`: how many steps there are, how many requirements the hardest step has, and the time.

The instances are 20 sudokus and 20 futoshikis with one wrong digit, which this script makes from a seed; the scheduling
and routing models in `steps/`; and all models of the tests that have no solution. With `--sudokus`, they are the puzzles of a
table with the columns Puzzle and Solution, such as the hundred of ML-KULeuven/Proof2Seq (benchmarks/expert_sudokus.csv), each
with one wrong digit that no clue rules out.

    benches/steps.py [--program PROGRAM] [--filter TEXT] [--limit SECONDS] [--keep FOLDER] [--sudokus TABLE]
"""

import argparse
import csv
import json
import os
import random
import statistics
import subprocess
import tempfile
from pathlib import Path

from measure import ROOT, run

SUDOKUS = 20
FUTOSHIKIS = 20


def sudoku_rules():
    """The cells that a cell must differ from."""
    cells = [(row, column) for row in range(9) for column in range(9)]
    together = lambda one, other: (
        one[0] == other[0] or one[1] == other[1] or (one[0] // 3, one[1] // 3) == (other[0] // 3, other[1] // 3)
    )
    return {cell: [other for other in cells if other != cell and together(cell, other)] for cell in cells}


def solutions(size, peers, less, known, most):
    """Up to `most` solutions of a puzzle: cells with values 1..size, pairs that differ, ordered pairs. If `most` is 0,
    nothing if propagation finds a contradiction, and otherwise the options that it leaves."""
    below = {cell: [] for cell in peers}
    above = {cell: [] for cell in peers}
    for low, high in less:
        below[high].append(low)
        above[low].append(high)
    found = []

    def narrow(options, cell, value):
        """The remaining values if a cell has a value; nothing if they contradict each other."""
        options = dict(options)
        waiting = [(cell, {value})]
        while waiting:
            cell, left = waiting.pop()
            left = options[cell] & left
            if not left:
                return None
            if left == options[cell] and cell in done:
                continue
            changed = left != options[cell]
            options[cell] = left
            if len(left) == 1:
                done.add(cell)
                waiting += [(peer, options[peer] - left) for peer in peers[cell] if options[peer] & left]
            if changed or len(left) == 1:
                low, high = min(left), max(left)
                waiting += [(c, {v for v in options[c] if v > low}) for c in above[cell] if min(options[c]) <= low]
                waiting += [(c, {v for v in options[c] if v < high}) for c in below[cell] if max(options[c]) >= high]
        return options

    def search(options):
        if len(found) >= most:
            return
        open_cells = [cell for cell in options if len(options[cell]) > 1]
        if not open_cells:
            found.append({cell: min(left) for cell, left in options.items()})
            return
        cell = min(open_cells, key=lambda cell: (len(options[cell]), cell))
        for value in sorted(options[cell]):
            done.clear()
            narrowed = narrow(options, cell, value)
            if narrowed:
                search(narrowed)

    done = set()
    options = {cell: set(range(1, size + 1)) for cell in peers}
    for cell, value in known.items():
        done.clear()
        options = narrow(options, cell, value)
        if options is None:
            return []
    if most == 0:
        return [options]
    search(options)
    return found


def wrong_digit(rng, size, peers, less, known, solution):
    """An empty cell and a wrong digit that leave options, if there is one; otherwise one that clues do not rule out."""
    cells = sorted(set(peers) - set(known))
    rng.shuffle(cells)
    seen = lambda cell: {known[peer] for peer in peers[cell] if peer in known}
    wrong = [(c, v) for c in cells for v in range(1, size + 1) if v not in seen(c) and v != solution[c]]
    hard = [(cell, value) for cell, value in wrong if solutions(size, peers, less, {**known, cell: value}, 0)]
    return (hard or wrong)[0]


def with_few_clues(rng, size, peers, less, solution, least):
    """Clues that admit exactly one solution."""
    known = dict(solution)
    cells = sorted(known)
    rng.shuffle(cells)
    for cell in cells:
        if len(known) <= least:
            break
        fewer = {other: value for other, value in known.items() if other != cell}
        if len(solutions(size, peers, less, fewer, 2)) == 1:
            known = fewer
    return known


def sudoku(seed):
    rng = random.Random(seed)
    peers = sudoku_rules()
    first = list(range(1, 10))
    rng.shuffle(first)
    start = {(0, column): value for column, value in enumerate(first)}
    for cell in rng.sample([(row, column) for row in range(1, 9) for column in range(9)], 8):
        options = [v for v in range(1, 10) if solutions(9, peers, [], {**start, cell: v}, 1)]
        start[cell] = rng.choice(options)
    solution = solutions(9, peers, [], start, 1)[0]
    known = with_few_clues(rng, 9, peers, [], solution, 24 + seed % 6)
    cell, value = wrong_digit(rng, 9, peers, [], known, solution)
    known[cell] = value
    return clues(known)


def clues(known):
    rows = [", ".join(str(known.get((row, column), 0)) for column in range(9)) for row in range(9)]
    return "letting clues be [\n" + ",\n".join(f"    [{row}]" for row in rows) + "]\n"


def sudokus_of(table, folder):
    """The puzzles of a table, each with a wrong digit, as instances. The number of the puzzle is the seed."""
    peers = sudoku_rules()
    cells = sorted(peers)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    for seed, row in enumerate(rows):
        known = {cell: int(digit) for cell, digit in zip(cells, row["Puzzle"]) if digit != "0"}
        solution = {cell: int(digit) for cell, digit in zip(cells, row["Solution"])}
        rng = random.Random(seed)
        options = []
        while not options:
            cell = rng.choice([cell for cell in cells if cell not in known])
            seen = {known[peer] for peer in peers[cell] if peer in known}
            options = [value for value in range(1, 10) if value not in seen and value != solution[cell]]
        path = folder / f"table-{seed + 1}.param"
        path.write_text(clues({**known, cell: rng.choice(options)}))
        yield "sudoku of the table", path.stem, ROOT / "models/sudoku.essence", path


def futoshiki(seed):
    rng = random.Random(1000 + seed)
    size = 4 + seed % 4
    cells = [(row, column) for row in range(size) for column in range(size)]
    peers = {c: [o for o in cells if o != c and (o[0] == c[0] or o[1] == c[1])] for c in cells}
    first = list(range(1, size + 1))
    rng.shuffle(first)
    start = {(0, column): value for column, value in enumerate(first)}
    solution = rng.choice(solutions(size, peers, [], start, 40))
    pairs = [((r, c), (r, c + 1)) for r in range(size) for c in range(size - 1)]
    pairs += [((r, c), (r + 1, c)) for r in range(size - 1) for c in range(size)]
    less = [(a, b) if solution[a] < solution[b] else (b, a) for a, b in rng.sample(pairs, size * (size - 1) // 2)]
    known = with_few_clues(rng, size, peers, less, solution, 0)
    cell, value = wrong_digit(rng, size, peers, less, known, solution)
    known[cell] = value
    show = lambda cell: f"({cell[0] + 1}, {cell[1] + 1})"
    hints = ",\n    ".join(f"{show(cell)} --> {value}" for cell, value in sorted(known.items()))
    signs = ",\n    ".join(f"({show(low)}, {show(high)})" for low, high in sorted(less))
    return (
        f"letting n be {size}\nletting hints be function (\n    {hints})\nletting less_than be relation (\n    {signs})\n"
    )


def instances(folder):
    """Kind, name, model and parameter file of each instance."""
    for seed in range(1, SUDOKUS + 1):
        path = folder / f"sudoku-{seed}.param"
        path.write_text(sudoku(seed))
        yield "sudoku", path.stem, ROOT / "models/sudoku.essence", path
    for seed in range(1, FUTOSHIKIS + 1):
        path = folder / f"futoshiki-{seed}.param"
        path.write_text(futoshiki(seed))
        yield "futoshiki", path.stem, ROOT / "models/futoshiki.essence", path
    for path in sorted((ROOT / "benches/steps").glob("*.essence")):
        yield "scheduling and routing", path.stem, path, None
    yield from tests(folder)


# The data of models without parameter files.
DATA = {"empty": "letting n be 3", "undefined": "letting n be 0"}


def tests(folder):
    """The test models without a solution; their suites are unpacked into the folder."""
    unpacked = {"tests/fixtures": folder / "fixtures", "tests/commands": folder / "commands"}
    for source, target in unpacked.items():
        subprocess.run([ROOT / "tests/unpack", ROOT / source, target], check=True)
    for path in sorted((folder / "commands/why").glob("*.essence")):
        param = path.with_suffix(".param")
        yield "tests", path.stem, path, param if param.exists() else None
    for path in sorted((ROOT / "params").glob("*.param")):
        lines = path.read_text().splitlines()
        model = [line.split()[-1] for line in lines if line.startswith("$ model:")]
        if model and any(line.split("$ solutions:")[-1].strip() == "0" for line in lines if "$ solutions:" in line):
            yield "tests", path.stem, ROOT / "models" / model[0], path
    for path in sorted((folder / "fixtures").rglob("*.essence")):
        text = path.read_text()
        if "$ solutions: 0" in text and "$ param" not in text:
            yield "tests", str(path.relative_to(folder / "fixtures").with_suffix("")), path, None


def walk(steps, depth=0):
    """All steps, each with the number of assumptions around it."""
    for step in steps:
        yield step, depth
        yield from walk(step.get("steps", []), depth + 1)


def measured(program, model, param, limit):
    command = [program, "why", "--steps", "--output-format=json", f"--limit-time={limit}", model]
    data = ["-D", DATA[model.stem]] if model.stem in DATA else []
    done = run(command + data + ([param] if param else []), limit=limit + 10)
    if done.exit_code != 0:
        return {"time": done.wall, "wrong": (done.errors.strip().splitlines() or ["?"])[-1]}
    answer = json.loads(done.output)
    if "steps" not in answer:
        return {"time": done.wall, "wrong": answer["says"]}
    steps = list(walk(answer["steps"]))
    return {
        "time": done.wall,
        "steps": len(steps),
        "hardest": max(len(step.get("reasons", [])) for step, _ in steps),
        "depth": max(depth for _, depth in steps),
        "requirements": sum(len(reason.get("instances", [0])) for reason in answer.get("reasons", [])),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--program", type=Path, default=target / "release/conjure-like")
    parser.add_argument("--filter", default="", help="only instances with this text in their kind and name")
    parser.add_argument("--limit", type=int, default=60, help="seconds for each instance")
    parser.add_argument("--keep", type=Path, help="leave the instances in this folder")
    parser.add_argument("--sudokus", type=Path, help="the table with puzzles, instead of the usual instances")
    options = parser.parse_args()
    table = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found_in = sudokus_of(options.sudokus, folder) if options.sudokus else instances(folder)
        for kind, name, model, param in found_in:
            if options.filter in f"{kind} {name}":
                found = measured(options.program, model, param, options.limit)
                table.setdefault(kind, []).append(found)
                print(f"{kind:<24}{name:<34}", *(f"{key} {value:.2f}" if key == "time" else f"{key} {value}" for key, value in found.items()), flush=True)
    print("\n| kind | instances | shown in steps | steps: median, most | requirements in a step: median, most | nested: most | seconds: median, most |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for kind, found in table.items():
        shown = [one for one in found if "steps" in one]
        both = lambda key: f"{statistics.median(one[key] for one in shown):g}, {max(one[key] for one in shown)}"
        times = [one["time"] for one in found]
        if shown:
            print(
                f"| {kind} | {len(found)} | {len(shown)} | {both('steps')} | {both('hardest')} | "
                f"{max(one['depth'] for one in shown)} | {statistics.median(times):.2f}, {max(times):.2f} |"
            )


if __name__ == "__main__":
    main()

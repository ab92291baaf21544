#!/usr/bin/env python3
"""Measures `solve --certify` on fifty instances of medium size.

This script makes the instances from a seed: knapsacks, Costas arrays, max-cut, tours, assignments, pigeons, Schur numbers, colourings, subset sums and job shops.

Prints for each instance if a certificate was written within the limit and what it shows (for bounds, the values found and
proved), the processor time without and with a certificate, and the size of the proof. If VERIPB names the checker, each
certificate is checked.

    benches/certificates.py [--program PROGRAM] [--filter TEXT] [--limit SECONDS]
"""

import argparse
import os
import random
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEED = 57


def knapsack(generator, size):
    """A knapsack whose bound by linear duality is not tight."""
    weights = [generator.randint(20, 90) for _ in range(size)]
    values = [weight + generator.randint(1, 25) for weight in weights]
    return f"""letting weight be {weights}
letting value be {values}
find taken : set of int(1..{size})
such that (sum i in taken . weight[i]) <= {sum(weights) // 2}
maximising sum i in taken . value[i]
"""


def costas(size):
    """All Costas arrays."""
    return f"""find c : matrix indexed by [int(1..{size})] of int(1..{size})
such that allDiff(c),
    forAll d : int(1..{size - 2}) . allDiff([c[i + d] - c[i] | i : int(1..{size} - d)])
"""


def max_cut(generator, size):
    """A largest cut of a random graph with weights."""
    edges = [(i, j, generator.randint(1, 9)) for i in range(1, size) for j in range(i + 1, size + 1) if generator.random() < 0.5]
    shown = ", ".join(str(edge) for edge in edges)
    return f"""letting edges be relation({shown})
find side : matrix indexed by [int(1..{size})] of bool
maximising sum([toInt(side[i] != side[j]) * w | (i, j, w) <- edges])
"""


def tour(generator, size):
    """A shortest round trip."""
    places = [(generator.randint(0, 40), generator.randint(0, 40)) for _ in range(size)]
    rows = [[abs(a - c) + abs(b - d) for c, d in places] for a, b in places]
    return f"""letting far be {rows}
find place : matrix indexed by [int(1..{size})] of int(1..{size})
such that allDiff(place), place[1] = 1
minimising (sum i : int(1..{size - 1}) . far[place[i], place[i + 1]]) + far[place[{size}], 1]
"""


def assignment(generator, size):
    """An assignment of minimum cost."""
    rows = [[generator.randint(1, 30) for _ in range(size)] for _ in range(size)]
    return f"""letting cost be {rows}
find job : matrix indexed by [int(1..{size})] of int(1..{size})
such that allDiff(job)
minimising sum i : int(1..{size}) . cost[i, job[i]]
"""


def pigeons(size):
    """Pigeons and one hole fewer."""
    return f"""find hole : matrix indexed by [int(1..{size})] of int(1..{size - 1})
such that forAll i, j : int(1..{size}), i < j . hole[i] != hole[j]
"""


def schur(size, colours):
    """Coloured numbers, none of which is the sum of two numbers of its colour."""
    return f"""find colour : matrix indexed by [int(1..{size})] of int(1..{colours})
such that forAll i, j : int(1..{size}), i <= j /\\ i + j <= {size} .
    !(colour[i] = colour[j] /\\ colour[i] = colour[i + j])
"""


def colouring(generator, size):
    """The minimum number of colours for a random graph."""
    edges = [(i, j) for i in range(1, size) for j in range(i + 1, size + 1) if generator.random() < 0.5]
    shown = ", ".join(str(edge) for edge in edges)
    return f"""letting edges be relation({shown})
find colour : matrix indexed by [int(1..{size})] of int(1..{size // 2 + 1})
such that forAll (i, j) in edges . colour[i] != colour[j]
minimising max(colour)
"""


def subset_sum(generator, size):
    """Subsets of even numbers with an odd sum, or all subsets with a given sum."""
    numbers = [2 * generator.randint(10, 60) for _ in range(size)]
    return f"""letting numbers be {numbers}
find chosen : set of int(1..{size})
such that (sum i in chosen . numbers[i]) = {sum(numbers) // 4 * 2 + 1}
"""


def job_shop(generator, jobs):
    """Jobs that visit two machines, one after the other."""
    first = [generator.randint(1, 6) for _ in range(jobs)]
    second = [generator.randint(1, 6) for _ in range(jobs)]
    last = sum(first) + sum(second)
    pairs = f"forAll i, j : int(1..{jobs}), i < j ."
    return f"""letting a be {first}
letting b be {second}
find s, t : matrix indexed by [int(1..{jobs})] of int(0..{last})
find end : int(0..{last})
such that
    forAll i : int(1..{jobs}) . s[i] + a[i] <= t[i] /\\ t[i] + b[i] <= end,
    {pairs} s[i] + a[i] <= s[j] \\/ s[j] + a[j] <= s[i],
    {pairs} t[i] + b[i] <= t[j] \\/ t[j] + b[j] <= t[i]
minimising end
"""


def instances():
    """Name, model and further words of each instance."""
    generator = random.Random(SEED)
    for size in (16, 20, 24, 28, 32, 36, 40):
        yield f"knapsack-{size}", knapsack(generator, size), []
    for size in (5, 6, 7, 8):
        yield f"costas-{size}", costas(size), ["--all"]
    for size in (8, 10, 12, 14, 16):
        yield f"max-cut-{size}", max_cut(generator, size), []
    for size in (6, 7, 8, 9, 10, 11):
        yield f"tour-{size}", tour(generator, size), []
    for size in (6, 8, 10, 12, 14, 16):
        yield f"assignment-{size}", assignment(generator, size), []
    for size in (8, 10, 11, 12, 16):
        yield f"pigeons-{size}", pigeons(size), []
    for size, colours in ((5, 2), (9, 2), (14, 3), (16, 3)):
        yield f"schur-{size}-{colours}", schur(size, colours), []
    for size in (8, 10, 12, 14):
        yield f"colouring-{size}", colouring(generator, size), []
    for size in (12, 16, 20, 24):
        yield f"subset-sum-{size}", subset_sum(generator, size), []
    for jobs in (4, 5, 6, 7, 8):
        yield f"job-shop-{jobs}", job_shop(generator, jobs), []


def processor_time(command, limit):
    """The processor time of a command, its exit code and its output; no code if it takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        code, said = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        code, said = None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code, said


def main():
    """Measures all instances, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--program", default=target / "release" / "conjure-like")
    parser.add_argument("--filter", default="")
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    ratios, certified, count = [], 0, 0
    print("| instance | certificate | plain (s) | with certificate (s) | times | proof (kB) |")
    print("|---|---|---|---|---|---|")
    for name, model, words in instances():
        if options.filter not in name:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.essence"
            path.write_text(model)
            command = [options.program, "solve", path, *words]
            plain, code, _ = processor_time(command, options.limit)
            target = Path(folder) / "c"
            # At its time limit, the program writes a certificate of bounds; the search gets half of the time.
            limited = [*command, f"--certify={target}", f"--limit-time={options.limit:g}"]
            took, _, said = processor_time(limited, 2 * options.limit)
            proof = target / "proof.pbp"
            bounds = re.search(r"certificate of bounds \((.*?)\)", said)
            shown = f"bounds: {bounds[1]}" if bounds else "yes" if proof.exists() else "none"
            if proof.exists() and "VERIPB" in os.environ:
                checked = subprocess.run(
                    [os.environ["VERIPB"], target / "formula.opb", proof], capture_output=True, text=True
                )
                if "s VERIFIED" not in checked.stdout:
                    shown = "REJECTED"
            certified += shown == "yes"
            size = os.path.getsize(proof) / 1000 if proof.exists() else 0
            plain_shown = f"{plain:.2f}" if code is not None else f"> {options.limit:g}"
            times = took / max(plain, 0.01)
            if shown == "yes" and code is not None:
                ratios.append(times)
            print(f"| {name} | {shown} | {plain_shown} | {took:.2f} | {times:.1f} | {size:.0f} |", flush=True)
    if ratios:
        print(f"\n{certified} of {count} certified; {statistics.median(ratios):.1f} times in the median, {max(ratios):.1f} at most")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how long tables of a million rows take to become data, and how much memory that needs.

    benches/tables.py [--binary FILE] [--rows N] [--filter NAME]

Each table is written to a temporary folder and read by `conjure-like solve` for a model with one decision variable, so that the figures include all
phases. They are the processor time (user and system) and the peak memory of the process. The bar is 2 s and 400 MB.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from measure import binary

BAR = (2, 400)


def tables(rows):
    """Each table: its name, the declarations, the words of the command line, and its lines."""
    chance = random.Random(1)
    side = round(rows**0.5)
    value = lambda: chance.randrange(100)
    pairs = [(i, j) for i in range(1, side + 1) for j in range(1, side + 1)]
    shuffled = chance.sample(pairs, len(pairs))
    entries = lambda of: ["i,j,v", *(f"{i},{j},{value()}" for i, j in of)]
    range_ = f"int(1..{side})"
    yield "function", f"given p : function ({range_}, {range_}) --> int(0..99)", "p=t.csv", entries(pairs)
    yield "function, in disorder", f"given p : function ({range_}, {range_}) --> int(0..99)", "p=t.csv", entries(shuffled)
    yield "relation, in disorder", f"given p : relation of ({range_} * {range_} * int(0..99))", "p=t.csv", entries(shuffled)
    yield "matrix, an element in each row", f"given p : matrix indexed by [{range_}, {range_}] of int(0..99)", "p=t.csv", entries(pairs)
    yield "matrix of one column", f"given p : matrix indexed by [int(1..{rows})] of int(0..99)", "p=t.csv", ["v", *(str(value()) for _ in range(rows))]
    grid = [",".join(str(value()) for _ in range(side)) for _ in range(side)]
    yield "grid", f"given p : matrix indexed by [{range_}, {range_}] of int(0..99)", "p=t.csv", grid
    people = ["n,who,v", *(f"{n},Person {chance.randrange(500)},{value()}" for n in range(1, rows + 1))]
    yield "500 names", f"given who new type enum given p : function (int(1..{rows}), who) --> int(0..99)", "who=t.csv:who p=t.csv", people
    names = [f"Item {n} of store {n % 97}" for n in range(rows)]
    chance.shuffle(names)
    items = ["item,p", *(f"{name},{value()}" for name in names)]
    yield "a name in each row", "given item new type enum given p : function item --> int(0..99)", "item=t.csv:item p=t.csv", items


def measured(program, folder, words):
    """The processor time in seconds and the peak memory in MB of a run."""
    # The peak memory of a direct child would include this process's memory.
    command = ["/usr/bin/time", "-f", "%U %S %M", program, "solve", "m.essence", *words.split()]
    run = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    user, system, kilobytes = map(float, run.stderr.splitlines()[-1].split())
    return user + system, kilobytes / 1000


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=binary(), type=pathlib.Path)
    options.add_argument("--rows", default=1_000_000, type=int)
    options.add_argument("--filter", default="")
    asked = options.parse_args()
    program = asked.binary.resolve()
    print("| table | MB | s | peak MB |\n|---|--:|--:|--:|")
    for name, declarations, words, lines in tables(asked.rows):
        if asked.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "t.csv")
            table.write_text("\n".join(lines) + "\n")
            pathlib.Path(folder, "m.essence").write_text(f"{declarations}\nfind x : bool\n")
            seconds, memory = measured(program, folder, words)
            missed = " (missed)" if seconds > BAR[0] or memory > BAR[1] else ""
            print(f"| {name} | {table.stat().st_size / 1e6:.0f} | {seconds:.2f} | {memory:.0f} |{missed}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Splits hard refutations (refutations/) into cubes and searches them on two workers.

    cubes.py [--program PROGRAM] [--workers 2] [--cubes N] [NAME...]

Prints for each instance the seconds of one search on one thread, of `cubes make`, and of a campaign of the cubes, and the ratio of the last
two together to the first. --cubes sets the number of cubes; the default suits two workers. The results of a campaign stay in --folder for
speed_up.py. All searches use CaDiCaL without symmetry breaking, in the campaign and alone.
"""

import argparse
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent / "refutations"
# The number of cubes for two workers: few if clauses learnt in one cube would help in others.
COUNTS = {"golomb-11": 8, "langford-13": 32, "skolem-12": 32, "schur-45": 60, "waerden-135": 60}

PLAN = """time = 3600
[[instances]]
model = "{model}"
parameters = "{data}"
cubes = "{cubes}"
[settings]
cadical = "--solver=cadical"
"""


def seconds(*command):
    start = time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(COUNTS))
    parser.add_argument("--program", default="target/release/conjure-like")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cubes", type=int)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("cubes-results"))
    arguments = parser.parse_args()
    program = pathlib.Path(arguments.program).resolve()
    arguments.folder.mkdir(exist_ok=True)
    print(f"{'instance':12} {'cubes':>5} {'alone':>8} {'make':>7} {'campaign':>8} {'ratio':>6}")
    for name in arguments.names:
        count = arguments.cubes or COUNTS[name]
        model, data = HERE / f"{name.split('-')[0]}.essence", HERE / f"{name}.param"
        alone = seconds(program, "solve", model, data, "--solver=cadical", "--symmetry=off")
        stem = arguments.folder.resolve() / f"{name}-{count}"
        cubes, plan = stem.with_suffix(".cubes"), stem.with_suffix(".toml")
        make = seconds(program, "cubes", "make", model, data, "-n", count, "-o", cubes, "--all")
        plan.write_text(PLAN.format(model=model, data=data, cubes=cubes))
        campaign = seconds(program, "campaign", "run", plan, "--workers", arguments.workers)
        ratio = (make + campaign) / alone
        print(f"{name:12} {count:5} {alone:8.1f} {make:7.1f} {campaign:8.1f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()

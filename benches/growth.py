#!/usr/bin/env python3
"""Shows how processor time and memory grow with the number of instances of constraints, on three families of models.

    benches/growth.py [--binary FILE] [--runs N] [--solver NAME]

Each line is the median of some runs of a whole process, from the model to the first solution; the models are easy, so that
nearly all of it is lowering, simplifying and encoding. The last two columns tell what one instance costs beyond an empty
model: they should not grow from line to line. Needs Python 3 and a release build.
"""

import argparse
import tempfile
from pathlib import Path

from measure import binary, median, run

# A name, a model, its sizes, and how many instances of constraints there are for a size.
FAMILIES = [
    (
        "clauses",
        "given n : int(1..)\nfind lit : matrix indexed by [int(1..n)] of bool\n"
        "such that forAll i : int(1..n - 10) . forAll d : int(1..10) . lit[i] \\/ lit[i + d]\n",
        (1_000, 4_000, 16_000, 64_000),
        lambda n: 10 * (n - 10),
    ),
    (
        "comparisons of sums",
        "given n : int(1..)\nfind x : matrix indexed by [int(1..n)] of int(0..20)\n"
        "such that forAll i : int(1..n - 2) . x[i] + x[i + 1] <= x[i + 2] + 12\n",
        (500, 1_000, 2_000, 4_000),
        lambda n: n - 2,
    ),
    (
        "pairs that differ",
        "given n : int(1..)\nfind x : matrix indexed by [int(1..n)] of int(1..12)\n"
        "such that forAll i : int(1..n - 3) . forAll d : int(1..3) . x[i] != x[i + d]\n",
        (1_000, 2_000, 4_000, 8_000),
        lambda n: 3 * (n - 3),
    ),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--binary", type=Path, default=binary())
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--solver", default="z3")
    options = parser.parse_args()
    row = "{:<22} {:>9} {:>11} {:>10} {:>14} {:>14}".format
    print(row("family", "instances", "processor", "memory", "per instance", "per instance"))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.essence"

        def measure(text, *more):
            model.write_text(text)
            command = [options.binary, "solve", "--quiet", f"--solver={options.solver}", model, *more]
            runs = [run(command) for _ in range(options.runs)]
            assert all(one.exit_code == 0 for one in runs), runs[0].errors
            return median(runs, "processor"), median(runs, "memory")

        least = measure("find x : bool\n")
        for name, text, sizes, count in FAMILIES:
            for size in sizes:
                seconds, memory = measure(text, "-D", f"letting n be {size}")
                instances = count(size)
                cells = [f"{seconds * 1e3:.0f} ms", f"{memory:.0f} MB"]
                cells.append(f"{(seconds - least[0]) / instances * 1e6:.1f} us")
                cells.append(f"{(memory - least[1]) / instances * 1024:.2f} kB")
                print(row(name, instances, *cells), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Shows how processor time and memory grow with the number of instances of constraints, on three families of models.

    benches/growth.py [--binary FILE] [--runs N] [--solvers A,B] [--plot FILE]

Each line is the median of some runs of a whole process, from the model to the first solution; the models are easy, so
lowering, simplification and encoding take nearly all of the time. The costs of an instance and of a clause exclude the cost of an
empty model; they should not grow from line to line. The exponents follow each family: time and memory
grow like this power of the number of instances, and 1 is linear. `--plot` draws everything with logarithmic axes, as SVG.
Needs Python 3 and a release build.
"""

import argparse
import math
import re
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measure import binary, median, run

# The name, the model, the sizes, and a function from the size to the number of constraint instances.
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


@dataclass
class Point:
    """The cost of a model of some size beyond an empty one: instances, seconds, megabytes."""

    instances: int
    seconds: float
    memory: float


def exponent(points, figure):
    """The slope of the line through the points on logarithmic axes, by least squares."""
    xs = [math.log(point.instances) for point in points]
    ys = [math.log(max(getattr(point, figure), 1e-6)) for point in points]
    return statistics.linear_regression(xs, ys).slope


WIDTH, HEIGHT, MARGIN = 420, 320, 60
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def ticks(low, high):
    """The powers of ten between two logarithms."""
    return range(math.ceil(low), math.floor(high) + 1)


def panel(left, title, series, figure):
    """A diagram of one figure, as SVG, with the slope 1 as dashes."""
    xs = [math.log10(point.instances) for points in series.values() for point in points]
    ys = [math.log10(max(getattr(point, figure), 1e-6)) for points in series.values() for point in points]
    low_x, high_x = math.floor(min(xs)), math.ceil(max(xs))
    low_y, high_y = math.floor(min(ys)), math.ceil(max(ys))

    def x(value):
        return left + MARGIN + (value - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - (value - low_y) / max(high_y - low_y, 1) * (HEIGHT - 2 * MARGIN)

    parts = [f'<text x="{x((low_x + high_x) / 2)}" y="30" text-anchor="middle" font-weight="bold">{title}</text>']
    for tick in ticks(low_x, high_x):
        parts.append(f'<path d="M{x(tick)} {y(low_y)}V{y(high_y)}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(tick)}" y="{y(low_y) + 18}" text-anchor="middle">{10**tick:,}</text>')
    for tick in ticks(low_y, high_y):
        parts.append(f'<path d="M{x(low_x)} {y(tick)}H{x(high_x)}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(low_x) - 6}" y="{y(tick) + 4}" text-anchor="end">{10.0**tick:g}</text>')
    run_length = min(high_x - low_x, high_y - low_y)
    parts.append(
        f'<path d="M{x(low_x)} {y(low_y)}L{x(low_x + run_length)} {y(low_y + run_length)}" stroke="#888" stroke-dasharray="4 4"/>'
    )
    parts.append(f'<text x="{x((low_x + high_x) / 2)}" y="{HEIGHT - 18}" text-anchor="middle">instances of constraints</text>')
    for colour, points in zip(COLOURS, series.values()):
        places = [(x(math.log10(p.instances)), y(math.log10(max(getattr(p, figure), 1e-6)))) for p in points]
        line = "L".join(f"{one:.1f} {other:.1f}" for one, other in places)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{one:.1f}" cy="{other:.1f}" r="3" fill="{colour}"/>' for one, other in places]
    return parts


def plot(series):
    """All series, by their names, as a picture in SVG."""
    height = HEIGHT + 20 * len(series) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{2 * WIDTH}" height="{height}" fill="white"/>',
        *panel(0, "processor time in seconds", series, "seconds"),
        *panel(WIDTH, "memory in MB", series, "memory"),
    ]
    for row, (colour, name) in enumerate(zip(COLOURS, series)):
        parts.append(f'<rect x="{MARGIN}" y="{HEIGHT + 20 * row}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{MARGIN + 20}" y="{HEIGHT + 20 * row + 10}">{name}</text>')
    parts.append(f'<text x="{WIDTH}" y="{HEIGHT + 10}">dashes: linear growth</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--binary", type=Path, default=binary())
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--solvers", default="z3,cadical", metavar="NAMES", help="one or two of conjure-like's solvers")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write a picture into this file, as SVG")
    options = parser.parse_args()
    row = "{:<8} {:<20} {:>9} {:>9} {:>11} {:>10} {:>14} {:>14} {:>12}".format
    print(row("solver", "family", "instances", "clauses", "processor", "memory", "per instance", "per instance", "per clause"))
    series = {}
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.essence"

        def measure(solver, text, *more):
            """Median seconds and megabytes, and the number of clauses."""
            model.write_text(text)
            command = [options.binary, "solve", "--quiet", "--statistics", f"--solver={solver}", model, *more]
            runs = [run(command) for _ in range(options.runs)]
            assert all(one.exit_code == 0 for one in runs), runs[0].errors
            clauses = re.search(r"\bclauses (\d+)", runs[0].errors)
            # The system's figure for a child includes this script's memory, so the program's own figure is used.
            memory = [float(re.search(r"memory: ([\d.]+) MB", one.errors).group(1)) for one in runs]
            return median(runs, "processor"), statistics.median(memory), int(clauses.group(1))

        for solver in options.solvers.split(","):
            # With two solutions, the solver cannot be skipped.
            least = measure(solver, "find x, y : bool\nsuch that x \\/ y\n")
            for name, text, sizes, count in FAMILIES:
                points = series[f"{solver}, {name}"] = []
                for size in sizes:
                    seconds, memory, clauses = measure(solver, text, "-D", f"letting n be {size}")
                    point = Point(count(size), seconds - least[0], memory - least[1])
                    points.append(point)
                    cells = [f"{seconds * 1e3:.0f} ms", f"{memory:.0f} MB", f"{point.seconds / point.instances * 1e6:.1f} us"]
                    cells.append(f"{point.memory / point.instances * 1000:.2f} kB")
                    cells.append(f"{point.memory * 1e6 / clauses:.0f} bytes")
                    print(row(solver, name, point.instances, clauses, *cells), flush=True)
                time, space = exponent(points, "seconds"), exponent(points, "memory")
                print(f"{'':<8} exponent of time {time:.2f}, of memory {space:.2f}", flush=True)
    if options.plot:
        options.plot.write_text(plot(series))


if __name__ == "__main__":
    main()

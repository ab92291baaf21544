#!/usr/bin/env python3
"""Writes the instances of all problems: PROBLEM/NAME.param for Essence, and the same data as PROBLEM/NAME.json for the others.

What is random has a fixed seed, so that the same files come out each time. The comment `$ solutions:` or `$ optimum:` in
a parameter file says what must be found; how that is known stands above it.

How the sizes of the twenty are chosen stands in benches/README.md. The other instances, which requirements name, have the
comment `$ set: bars`.
"""

import json
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from latin_square import random_latin_square, with_holes  # noqa: E402
from parameters import function, relation, wrapped  # noqa: E402


# The instances beyond the twenty that count.
BARS = """
    futoshiki/9  golomb-ruler/9  job-shop/ft06  knapsack/100  latin-square/35  latin-square/40  n-queens/50
""".split()


def write(problem, name, about, model, outcome, essence, data):
    """`essence` maps names to what stands behind `be`, or a domain to its members' names."""
    bars = ["set: bars"] if f"{problem}/{name}" in BARS else []
    lines = [f"$ {line}" for line in (*about.splitlines(), f"model: {model}", outcome, *bars)] + [""]
    lines += [f"letting {key} be {value}" for key, value in essence.items()]
    (HERE / problem / f"{name}.param").write_text("\n".join(lines) + "\n")
    (HERE / problem / f"{name}.json").write_text(json.dumps(data) + "\n")


def numbered(values):
    return enumerate(values, 1)


def plain(problem, name, about, model, outcome, **data):
    write(problem, name, about, model, outcome, data, data)


def futoshiki(order, about, hints, signs):
    """A hint is (row, column, number), a sign a pair of cells: the first holds the smaller number."""
    write(
        "futoshiki", str(order), about, "futoshiki.essence", "solutions: some",
        {
            "n": order,
            "hints": function((f"({r}, {c})", number) for r, c, number in hints),
            "less_than": relation(signs),
        },
        {"n": order, "hints": hints, "less_than": signs},
    )  # fmt: skip


def futoshiki_hard():
    text = (HERE.parent.parent / "params" / "futoshiki-9-hard.param").read_text()
    hints = [tuple(map(int, m)) for m in re.findall(r"\((\d+), (\d+)\) --> (\d+)", text)]
    signs = [tuple(map(int, m)) for m in re.findall(r"\(\((\d+), (\d+)\), \((\d+), (\d+)\)\)", text)]
    about = "The same puzzle as params/futoshiki-9-hard.param."
    futoshiki(9, about, hints, [((a, b), (c, d)) for a, b, c, d in signs])


def futoshiki_random(order, seed):
    """As many hints and signs, for its size, as the hard one of order 9: 15 of 81 cells, 39 of 144 pairs of neighbours."""
    rng = random.Random(seed)
    square = random_latin_square(order, rng)
    number = {(r, c): square[r - 1][c - 1] + 1 for r in range(1, order + 1) for c in range(1, order + 1)}
    neighbours = [((r, c), other) for r, c in number for other in ((r, c + 1), (r + 1, c)) if other in number]
    hints = [(*cell, number[cell]) for cell in sorted(rng.sample(list(number), round(len(number) * 15 / 81)))]
    signs = [
        tuple(sorted(pair, key=number.get))
        for pair in sorted(rng.sample(neighbours, round(len(neighbours) * 39 / 144)))
    ]
    futoshiki(order, f"Hints and signs of a random Latin square (seed {seed}).", hints, signs)


def magic_square(order, givens, seed):
    """For an odd order that 3 does not divide, numbers of a square that is built from two Latin ones are in place."""
    cells = [(r, c) for r in range(1, order + 1) for c in range(1, order + 1)]
    number = {(r, c): order * ((r + c + order // 2 - 1) % order) + (r + 2 * c) % order + 1 for r, c in cells}
    hints = [(r, c, number[r, c]) for r, c in sorted(random.Random(seed).sample(cells, givens))]
    write(
        "magic-square", f"{order}-{givens}", f"{givens} numbers of a magic square are in place (seed {seed}).",
        "magic-square.essence", "solutions: some",
        {"n": order, "hints": function((f"({r}, {c})", number) for r, c, number in hints)},
        {"n": order, "hints": hints},
    )  # fmt: skip


def latin_square(order, seed):
    hints = with_holes(order, 0.42, seed)
    write(
        "latin-square", str(order), f"42 % of the cells of a random square are empty (seed {seed}).",
        "latin-square.essence", "solutions: some",
        {"n": order, "hints": function((f"({r}, {c})", number) for (r, c), number in hints)},
        {"n": order, "hints": [[r, c, number] for (r, c), number in hints]},
    )  # fmt: skip


def knapsack(items, seed):
    rng = random.Random(seed)
    weight = [rng.randint(20, 100) for _ in range(items)]
    value = [rng.randint(20, 100) for _ in weight]
    capacity = sum(weight) // 3
    best = [0] * (capacity + 1)
    for w, v in zip(weight, value):
        for load in range(capacity, w - 1, -1):
            best[load] = max(best[load], best[load - w] + v)
    names = [f"item_{i}" for i, _ in numbered(weight)]
    write(
        "knapsack", str(items), "Values near the weights (seeded); the optimum was found by dynamic programming.",
        "knapsack.essence", f"optimum: {best[capacity]}",
        {
            "item": "new type enum {\n    " + wrapped(names) + "}",
            "weight": function(zip(names, weight)),
            "value": function(zip(names, value)),
            "capacity": capacity,
        },
        {"weight": weight, "value": value, "capacity": capacity},
    )  # fmt: skip


def job_shop(name, about, jobs, optimum):
    """`jobs` holds (machine, duration) for each step of each job."""
    tasks = [(f"task_{j}_{s}", *step) for j, steps in numbered(jobs) for s, step in numbered(steps)]
    before = [(f"task_{j}_{s}", f"task_{j}_{s + 1}") for j, steps in numbered(jobs) for s in range(1, len(steps))]
    machines = max(machine for steps in jobs for machine, _ in steps)
    write(
        "job-shop", name, about, "job-shop.essence", f"optimum: {optimum}",
        {
            "task": "new type enum {\n    " + wrapped(name for name, _, _ in tasks) + "}",
            "machine": "new type enum {" + ", ".join(f"machine_{m}" for m in range(1, machines + 1)) + "}",
            "duration": function((name, length) for name, _, length in tasks),
            "runs_on": function((name, f"machine_{m}") for name, m, _ in tasks),
            "before": relation(f"({a}, {b})" for a, b in before),
        },
        {
            "duration": [[length for _, length in steps] for steps in jobs],
            "machine": [[m for m, _ in steps] for steps in jobs],
        },
    )  # fmt: skip


def six_by_six():
    text = (HERE.parent / "ft06.param").read_text()
    lengths = re.findall(r"t(\d)_\d --> (\d+)", text)
    machines = re.findall(r"t\d_\d --> m(\d)", text)
    jobs = [[] for _ in range(6)]
    for (job, length), machine in zip(lengths, machines):
        jobs[int(job)].append((int(machine) + 1, int(length)))
    return jobs


def random_jobs(jobs, machines, seed):
    rng = random.Random(seed)
    orders = []
    for _ in range(jobs):
        order = list(range(1, machines + 1))
        rng.shuffle(order)
        orders.append([(machine, rng.randint(1, 10)) for machine in order])
    return orders


def car_sequencing(cars, classes, seed):
    rng = random.Random(seed)
    at_most, out_of = [1, 2, 1, 2, 1], [2, 3, 3, 5, 5]
    demand, needs = [], []
    while True:
        needs = []
        while len(needs) < classes:
            row = [int(rng.random() < 0.4) for _ in at_most]
            if any(row) and row not in needs:
                needs.append(row)
        demand = [1] * classes
        for _ in range(cars - classes):
            demand[rng.randrange(classes)] += 1
        use = [
            sum(d * row[o] for d, row in zip(demand, needs)) * q / (p * cars)
            for o, (p, q) in enumerate(zip(at_most, out_of))
        ]
        if 0.92 < max(use) <= 0.97 and sorted(use)[-2] > 0.85:
            break
    write(
        "car-sequencing", str(cars), "Random demand (seeded) that nearly fills the stations' capacities.",
        "../../constructors/function-to-enum.essence", "solutions: some",
        {
            "class": "new type enum {" + ", ".join(f"class_{c}" for c, _ in numbered(demand)) + "}",
            "option": "new type enum {" + ", ".join(f"option_{o}" for o, _ in numbered(at_most)) + "}",
            "demand": function((f"class_{c}", d) for c, d in numbered(demand)),
            "needs": relation(
                f"(class_{c}, option_{o})" for c, row in numbered(needs) for o, need in numbered(row) if need
            ),
            "at_most": function((f"option_{o}", p) for o, p in numbered(at_most)),
            "out_of": function((f"option_{o}", q) for o, q in numbered(out_of)),
        },
        {"demand": demand, "needs": needs, "at_most": at_most, "out_of": out_of},
    )  # fmt: skip


def colouring(rows, columns, optimum):
    """The queens' graph: squares of a board between which a queen can move."""
    squares = [(r, c) for r in range(rows) for c in range(columns)]
    edges = [
        (i, j)
        for i, (r, c) in numbered(squares)
        for j, (s, d) in numbered(squares)
        if i < j and (r == s or c == d or r + c == s + d or r - c == s - d)
    ]
    most = optimum + 3
    write(
        "colouring", f"queens-{rows}-{columns}", "DIMACS' graph queen5_5 and its kind, and the known chromatic number.",
        "model.essence", f"optimum: {optimum}",
        {"nodes": len(squares), "most": most, "edges": relation(edges)},
        {"nodes": len(squares), "most": most, "edges": edges},
    )  # fmt: skip


def examinations(exams, clashes, days, hours, optimum, seed):
    rng = random.Random(seed)
    seats = [20, 40, 60, 80]
    candidates = [rng.choice([10, 15, 25, 35, 50, 70]) for _ in range(exams)]
    pairs = [(a, b) for a in range(1, exams + 1) for b in range(a + 1, exams + 1)]
    clash = sorted(rng.sample(pairs, clashes))
    write(
        "examinations", str(exams), "Random clashes (seeded); the optimum was found by CP-SAT and Gecode.",
        "../../constructors/record.essence", f"optimum: {optimum}",
        {
            "exam": "new type enum {\n    " + wrapped(f"exam_{e}" for e, _ in numbered(candidates)) + "}",
            "room": "new type enum {" + ", ".join(f"room_{r}" for r, _ in numbered(seats)) + "}",
            "days": days,
            "hours": hours,
            "seats": function((f"room_{r}", s) for r, s in numbered(seats)),
            "candidates": function((f"exam_{e}", c) for e, c in numbered(candidates)),
            "clash": relation(f"(exam_{a}, exam_{b})" for a, b in clash),
        },
        {"days": days, "hours": hours, "seats": seats, "candidates": candidates, "clash": clash},
    )  # fmt: skip


def bin_packing(things, capacity, most, optimum, seed):
    rng = random.Random(seed)
    weight = [rng.randint(20, 60) for _ in range(things)]
    write(
        "bin-packing", str(things), "Random weights (seeded); the optimum was found by CP-SAT.",
        "model.essence", f"optimum: {optimum}",
        {"things": things, "capacity": capacity, "weight": function(numbered(weight)), "most": most},
        {"capacity": capacity, "most": most, "weight": weight},
    )  # fmt: skip


def salesman(towns, optimum, seed):
    rng = random.Random(seed)
    at = [(rng.random() * 100, rng.random() * 100) for _ in range(towns)]
    distance = [[round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in at] for a, b in at]
    pairs = ((f"({i}, {j})", x) for i, row in numbered(distance) for j, x in numbered(row))
    write(
        "salesman", str(towns), "Random places in the plane (seeded); the optimum was found by CP-SAT and Gecode.",
        "model.essence", f"optimum: {optimum}",
        {"towns": towns, "distance": function(pairs)},
        {"distance": distance},
    )  # fmt: skip


if __name__ == "__main__":
    plain("armies", "7", "OEIS A250000.", "model.essence", "optimum: 7", n=7)
    plain(
        "bibd", "19", "A Steiner triple system of 19 points, with lexicographic order against symmetry.",
        "bibd.essence", "solutions: some", v=19, b=57, r=9, k=3, **{"lambda": 1},
    )  # fmt: skip
    bin_packing(48, 150, 18, 13, 1)
    car_sequencing(22, 8, 2)
    colouring(8, 8, 9)
    plain("costas", "11", "All arrays: OEIS A008404.", "model.essence", "solutions: 4368", n=11)
    plain(
        "covering", "9-4-2", "The covering number of 9, 4 and 2 is 8 (La Jolla Covering Repository).",
        "model.essence", "optimum: 8", v=9, k=4, t=2, most=9,
    )  # fmt: skip
    examinations(10, 30, 4, 4, 13, 4)
    futoshiki_hard()
    futoshiki_random(13, 1)
    plain("golomb-ruler", "9", "OEIS A003022.", "golomb-ruler.essence", "optimum: 44", n=9)
    plain("golomb-ruler", "10", "OEIS A003022.", "golomb-ruler.essence", "optimum: 55", n=10)
    job_shop("8-8", "Random jobs (seeded); the optimum was found by Gecode.", random_jobs(8, 8, 1), 76)
    job_shop("ft06", "The same job shop as benches/ft06.param; its optimum is known.", six_by_six(), 55)
    knapsack(34, 1)
    knapsack(100, 1)
    plain(
        "langford", "11", "All arrangements, each with its mirror image: OEIS A014552.",
        "model.essence", "solutions: 35584", n=11,
    )  # fmt: skip
    latin_square(30, 1)
    latin_square(35, 1)
    latin_square(40, 1)
    magic_square(7, 6, 1)
    plain("n-queens", "13", "All solutions: OEIS A000170.", "n-queens.essence", "solutions: 73712", n=13)
    plain("n-queens", "50", "The first solution.", "n-queens.essence", "solutions: some", n=50)
    plain("n-queens", "400", "The first solution.", "n-queens.essence", "solutions: some", n=400)
    plain("quasigroup", "9", "There is none: three systems agree.", "model.essence", "solutions: 0", n=9)
    salesman(20, 413, 1)
    plain(
        "social-golfers", "6-5-3", "Fifteen golfers meet in groups of three for six weeks.",
        "../../constructors/set-of-partitions.essence", "solutions: some", weeks=6, groups=5, size_of_group=3,
    )  # fmt: skip

"""Measures how long it takes to make puzzles, and checks that they are as requested.

Makes puzzles of eleven families in each band, and checks each of them again with the program: one solution by
enumeration with another engine, at least two without any of its clues, as many steps as `hint --all` shows, and an
effort in the band. Prints a line for each family.

    python3 benches/puzzles.py target/release/conjure-like [FAMILY…] [--number 20]
"""

import argparse
import json
import math
import os
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
KILLER = """
letting high be 2 letting wide be 3 letting cages be 15
letting cage be [[1, 1, 2, 2, 3, 3], [4, 1, 5, 5, 6, 3], [4, 7, 7, 8, 6, 9],
    [10, 10, 7, 8, 11, 9], [12, 10, 13, 8, 11, 11], [12, 12, 13, 14, 14, 15]]"""
KAKURO = """
letting height be 5 letting width be 5
letting white be [[false, true, true, false, false], [true, true, true, true, false], [true, true, false, true, true],
    [false, true, true, true, true], [false, false, true, true, false]]"""
STARS = """
letting n be 6
letting region be [[1, 1, 1, 2, 2, 2], [1, 3, 3, 2, 4, 4], [3, 3, 3, 4, 4, 4],
    [5, 3, 5, 5, 4, 6], [5, 5, 5, 6, 6, 6], [5, 5, 6, 6, 6, 6]]"""
# The model, the values that stay, and the parameters for clues, if they are named.
FAMILIES = {
    "latin square": ("models/latin-square.essence", "letting n be 6", None),
    "futoshiki": ("benches/puzzles/futoshiki.essence", "letting n be 5", "hints,across,down"),
    "sudoku": ("benches/puzzles/sudoku.essence", "letting high be 2 letting wide be 3", None),
    "killer": ("benches/puzzles/killer.essence", KILLER, "amounts,hints"),
    "nonogram": ("models/nonogram.essence", "letting height be 6 letting width be 6", None),
    "mathemagrids": ("models/mathemagrids.essence", "letting m be 3", None),
    "knights and knaves": ("benches/puzzles/knights-and-knaves.essence", "", "alike,says,counts"),
    "zebra": ("benches/puzzles/zebra.essence", "", "same,beside,left_of"),
    "battleships": ("benches/puzzles/battleships.essence", "letting n be 6 letting fleet be [3, 2, 1]", None),
    "kakuro": ("benches/puzzles/kakuro.essence", KAKURO, "across,down,hints"),
    "star battle": ("benches/puzzles/star-battle.essence", STARS, None),
}


BANDS = ("easy", "medium", "hard")


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, *arguments):
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def at_depth_zero(text):
    """The positions of the commas outside all brackets, and the end."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield position
    yield len(text)


def without_one(data, clues):
    """The data without any one of the clues: an entry of a collection, or an element of a matrix that becomes 0."""
    for name in clues:
        start, value = re.search(rf"letting {name} be\s+", data).end(), ""
        end = data.find("\nletting ", start) + 1 or len(data)
        value = data[start:end].rstrip()
        if value.startswith("["):
            # The indices after a semicolon are not elements.
            domains = [match.span() for match in re.finditer(r";\s*int\([^)]*\)", value)]
            for match in re.finditer(r"\b[1-9]\d*", value):
                if not any(low <= match.start() < high for low, high in domains):
                    yield data[:start] + value[: match.start()] + "0" + value[match.end() :] + "\n" + data[end:]
            continue
        opening = min(value.find(bracket) for bracket in "({" if bracket in value) + 1
        inside, last = value[opening:-1], 0
        ends = list(at_depth_zero(inside)) if inside.strip() else []
        entries = []
        for position in ends:
            entries.append(inside[last:position])
            last = position + 1
        for left_out in range(len(entries)):
            kept = ",".join(entries[:left_out] + entries[left_out + 1 :])
            yield data[:start] + value[:opening] + kept + value[-1] + "\n" + data[end:]


def solutions(program, model, texts, *options):
    """The numbers of solutions of instances, at most two for each."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, text in enumerate(texts):
            files.append(str(Path(folder) / f"{number:03}.param"))
            Path(files[-1]).write_text(text)
        out = run(program, "solve", model, *files, "--number-of-solutions=2", *options).stdout
        return [part.count("$ Solution:") for part in out.split("$ Instance:")[1:]] if len(files) > 1 else [
            out.count("$ Solution:")]


def steps_and_effort(program, model, file):
    hint = run(program, "hint", model, file, "--all", "--output-format=json")
    steps = json.loads(hint.stdout)["steps"] if hint.returncode == 0 else []
    return len(steps), sum(max(1, len(step["reasons"])) ** 2 for step in steps)


def efforts(said):
    """The minimum and maximum effort in a band, as the program reports them."""
    match = re.search(r"an effort of (\d+)(?: to (\d+)| or (more|less))?", said)
    low, high, side = match.groups() if match else ("0", None, "more")
    if side == "less":
        return 0, int(low)
    return int(low), int(high or low) if side is None else math.inf


def made(program, family, number, folder, *options):
    """Makes puzzles. Returns their files, the processor time of each, and the output of the program."""
    model, fixed, clues = FAMILIES[family]
    arguments = ["puzzle", model, f"--number={number}", f"--output={folder}", *options]
    arguments += ["-D", fixed] if fixed else []
    arguments += [f"--clues={clues}"] if clues else []
    before = processor_time()
    out = run(program, *arguments)
    seconds = processor_time() - before
    files = sorted(Path(folder).glob("*.param"))
    if len(files) < number:
        print("   ", " ".join(out.stderr.split())[-300:], flush=True)
    return files, seconds / max(len(files), 1), out.stderr


def measure(program, family, number, check):
    model = FAMILIES[family][0]
    count = unique = needed = same = inside = 0
    times, steps_said = [], []
    with tempfile.TemporaryDirectory() as folder:
        for position, band in enumerate(BANDS):
            share = number // 3 + (position < number % 3)
            files, each, said = made(program, family, share, f"{folder}/{band}", f"--{band}")
            clues = re.findall(r"`(\w+)`", said.split(":")[0])
            least, most = efforts(said)
            times += [each] * len(files)
            count += len(files)
            for file in files:
                data = file.read_text()
                match = re.search(r"(\d+) steps?", data)
                steps_said.append(int(match[1]) if match else 0)
                if not check:
                    continue
                unique += solutions(program, model, [data], "--solver=z3") == [1]
                fewer = list(without_one(data, clues))
                counts = solutions(program, model, fewer) if fewer else []
                needed += len(counts) == len(fewer) and all(one == 2 for one in counts)
                steps, effort = steps_and_effort(program, model, str(file))
                same += steps == steps_said[-1]
                inside += least <= effort <= most
    middle = statistics.median(steps_said) if steps_said else 0
    time = statistics.median(times) if times else 0
    print(f"| {family:18} | {count:2}/{number} | {unique:2} | {needed:2} | {same:2} | {inside:2} | {middle:4} | {time:5.2f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program, such as target/release/conjure-like")
    parser.add_argument("families", nargs="*", help="the families; all by default")
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--no-check", action="store_true", help="leave the checks out")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    print(f"load {os.getloadavg()[0]:.1f}")
    print("| family | made | unique | no superfluous clue | steps of hint | in band | median steps | s of processor time |")
    print("|---|---|---|---|---|---|---|---|")
    for family in options.families or FAMILIES:
        measure(program, family, options.number, not options.no_check)


if __name__ == "__main__":
    main()

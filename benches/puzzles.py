"""Measures the time that puzzles take, and checks that they are as requested.

Makes puzzles of eleven families in the wanted band, and checks each of them again with the program: one solution by
enumeration, as many steps as `hint --all` shows, and no clue that can be left out. Prints a line for each family.

    python3 benches/puzzles.py target/release/conjure-like [FAMILY…] [--number 20] [--band easy|medium|hard]
"""

import argparse
import json
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


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, *arguments):
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def checked(program, model, file):
    """True if a puzzle has one solution, and the steps that `hint` takes."""
    solved = run(program, "solve", model, file, "--number-of-solutions=2", "--output-format=jsonstream")
    solutions = [line for line in solved.stdout.splitlines() if line.startswith("{")]
    hint = run(program, "hint", model, file, "--all", "--output-format=json")
    steps = json.loads(hint.stdout)["steps"] if hint.returncode == 0 else []
    return len(solutions) == 1 and solved.returncode == 0, len(steps)


def measure(program, family, number, band, check):
    model, fixed, clues = FAMILIES[family]
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["puzzle", model, f"--number={number}", f"--output={folder}"]
        arguments += ["-D", fixed] if fixed else []
        arguments += [f"--clues={clues}"] if clues else []
        arguments += [f"--{band}"] if band else []
        before = processor_time()
        made = run(program, *arguments)
        seconds = processor_time() - before
        files = sorted(Path(folder).glob("*.param"))
        said = [re.search(r"(\d+) steps?", file.read_text()) for file in files]
        said = [int(match[1]) if match else 0 for match in said]
        results = [checked(program, model, str(file)) for file in files] if check else []
    unique = sum(one for one, _ in results)
    same = sum(steps == own for (_, steps), own in zip(results, said))
    each = seconds / max(len(files), 1)
    middle = statistics.median(said) if said else 0
    print(
        f"{family:20} {len(files):3}/{number} made, {unique:3} unique, {same:3} with the steps of hint, "
        f"median {middle:5} steps, {each:6.2f} s of processor time each", flush=True)
    if len(files) < number:
        print("   ", " ".join(made.stderr.split())[-300:], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program, such as target/release/conjure-like")
    parser.add_argument("families", nargs="*", help="the families; all by default")
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--band", choices=["easy", "medium", "hard"])
    parser.add_argument("--no-check", action="store_true", help="leave the checks out")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    for family in options.families or FAMILIES:
        measure(program, family, options.number, options.band, not options.no_check)


if __name__ == "__main__":
    main()

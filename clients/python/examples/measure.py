"""Counts the lines and the seconds of the examples that have counterparts for other libraries.

    python measure.py cpmpy PYTHON_WITH_CPMPY CLONE_OF_CPMPY [NAME …]
    python measure.py beside PYTHON_WITH_CPMPY_AND_ORTOOLS [NAME …]

`cpmpy`: the programs in `cpmpy/`, and CPMpy's own. Two of these load their data from the network; they get the data of our programs. `beside`: the
programs in `beside/`.

Variables (of `beside`): the decision variables of the program; for CPMpy and OR-tools, the variables of the model that CP-SAT gets, which has the auxiliary ones.

Lines: code without blanks, comments, docstrings, imports, data (assignments of literals), printing, the command line and `if __name__`. Seconds: the
whole process, the best of three runs; the programs take turns.
"""

import ast
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Sequence

HERE = Path(__file__).parent

#: Our programs, and the originals.
PAIRS = {
    "bibd": "bibd",
    "chess_recognition": "chess-recognition",
    "template_design": "csplib/prob002_template_design",
    "all_interval": "csplib/prob007_all_interval",
    "social_golfers": "csplib/prob010_social_golfers",
    "progressive_party": "csplib/prob013_progressive_party",
    "langford": "csplib/prob024_langford",
    "word_design": "csplib/prob033_word_design",
    "diamond_free": "csplib/prob050_diamond_free",
    "costas_array": "csplib/prob076_costas_arrays",
    "frietkot": "frietkot",
    "frog": "lpcp21_p1_frog",
    "npuzzle": "npuzzle",
    "palindrome_days": "palindrome_days",
    "psplib": "psplib",
    "sudoku": "sudoku",
    "ratrun": "sudoku_variants/sudoku_ratrun1",
    "schrodingers_rat": "sudoku_variants/sudoku_schrodingers_rat",
    "vrp": "vrp",
    "wolf_goat_cabbage": "wolf_goat_cabbage",
}

#: Code that runs the originals with data.
DRIVERS = {
    "frog": """
import sys; sys.path.insert(0, sys.argv[1])
import numpy as np
from lpcp21_p1_frog import model_frog
grid = np.zeros((4, 4), dtype=int)
for i, j in {(1, 1), (2, 2), (2, 4), (4, 2)}: grid[i - 1, j - 1] = 1
model, frog, free = model_frog(4, 3, 3, grid)
print(model.solve())
""",
    "psplib": """
import sys; sys.path.insert(0, sys.argv[1])
import pandas as pd
from psplib import rcpsp_model
after = {1: [2, 3, 4], 2: [5, 6], 3: [10, 11], 4: [9], 5: [7, 8], 6: [10, 11], 7: [9, 10], 8: [9], 9: [12], 10: [12], 11: [12], 12: []}
jobs = pd.DataFrame({"duration": [0, 3, 2, 5, 4, 2, 3, 4, 2, 4, 6, 0], "R1": [0, 5, 0, 1, 1, 3, 3, 2, 4, 5, 2, 0],
    "R2": [0, 1, 4, 4, 3, 2, 1, 4, 0, 2, 5, 0], "successors": list(after.values())}, index=range(1, 13))
model, (start, end, makespan) = rcpsp_model(jobs, {"R1": 6, "R2": 8})
model.solve()
print("makespan", makespan.value())
""",
}

#: Code that runs a program up to its first search and prints the number of variables. CPMpy's own variables are not
#: all: it adds auxiliary ones.
VARIABLES = """
import runpy, sys
def stop(number):
    print("variables", number)
    sys.exit()
program = sys.argv[1]
if program.endswith("_cpmpy.py"):
    import cpmpy
    from cpmpy.solvers.ortools import CPM_ortools
    cpmpy.Model.solve = cpmpy.Model.solveAll = lambda model, **_: stop(len(CPM_ortools(model).ort_model.proto.variables))
elif program.endswith("_ortools.py"):
    from ortools.sat.python import cp_model
    cp_model.CpSolver.solve = lambda solver, model, *_: stop(len(model.proto.variables))
else:
    import conjure_like
    conjure_like.Builder.solve = conjure_like.Builder.count = lambda model, **_: stop(len(model.find))
    conjure_like.Builder.solutions = conjure_like.Builder.solve
runpy.run_path(program)
"""

LIMIT = 120


def lines(path: Path) -> int:
    """The lines of the model."""
    text = path.read_text()
    source = text.splitlines()
    kept: "set[int]" = set()

    def is_left_out(node: ast.stmt) -> bool:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (
            node.name.startswith(("print", "_", "visu", "get_instance", "PSPLib", "parse_", "replace_value"))
        ):
            return True
        if isinstance(node, ast.Assign) and _is_data(node.value):
            return True
        return "print(" in ast.unparse(node) and not isinstance(node, (ast.FunctionDef, ast.ClassDef))

    def visit(nodes: "list[ast.stmt]") -> None:
        for node in nodes:
            if is_left_out(node):
                continue
            inner = [n for part in ("body", "orelse") for n in getattr(node, part, [])]
            if isinstance(node, (ast.FunctionDef, ast.For, ast.If, ast.While, ast.With)):
                kept.update(range(node.lineno, inner[0].lineno))
                visit(inner)
            else:
                kept.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    visit(ast.parse(text).body)
    return sum(1 for n in kept if source[n - 1].strip() and not source[n - 1].strip().startswith("#"))


def _is_data(value: ast.expr) -> bool:
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("np.array", "pd.DataFrame", "cpm_array"):
        return True
    return not any(isinstance(n, (ast.Call, ast.BinOp, ast.Subscript, ast.Name, ast.comprehension)) for n in ast.walk(value))


def seconds(command: "list[str]", folder: Path) -> float:
    """The seconds of a process; infinite if it fails or takes too long."""
    begin = time.time()
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return float("inf")
    return time.time() - begin if run.returncode == 0 else float("inf")


def variables(command: "list[str]", folder: Path) -> float:
    """The variables of a program."""
    python, program = command
    run = subprocess.run([python, "-c", VARIABLES, program], cwd=folder, capture_output=True, text=True, check=True)
    return float(run.stdout.split("variables ")[1])


def row(name: str, files: "list[Path]", commands: "list[tuple[list[str], Path]]", counted: "Sequence[float]" = ()) -> "list[float]":
    """Prints a row of a table: the lines of the programs, what else has been counted, and the seconds."""
    times = [[seconds(command, folder) for command, folder in commands] for _ in range(3)]
    numbers = [*(float(lines(f)) for f in files), *counted, *(min(t[i] for t in times) for i in range(len(commands)))]
    show(name, numbers, len(commands))
    return numbers


def show(name: str, numbers: "list[float]", programs: int) -> None:
    """Prints a row, whose last numbers are the seconds of the programs."""
    counted, times = numbers[:-programs], numbers[-programs:]
    print(f"| {name} | {' | '.join(f'{c:g}' for c in counted)} | {' | '.join(f'{t:.2f}' for t in times)} |", flush=True)


def cpmpy(python: str, clone: str, *names: str) -> "list[list[float]]":
    """Our programs and CPMpy's own."""
    examples, ours = Path(clone) / "examples", HERE / "cpmpy"
    rows = []
    for name in names or PAIRS:
        original = examples / f"{PAIRS[name]}.py"
        theirs = [python, "-c", DRIVERS[name], str(examples)] if name in DRIVERS else [python, str(original)]
        commands = [([sys.executable, f"{name}.py"], ours), (theirs, original.parent)]
        rows.append(row(name, [ours / f"{name}.py", original], commands))
    return rows


def beside(python: str, *names: str) -> "list[list[float]]":
    """The same problems for three libraries."""
    folder = HERE / "beside"
    rows = []
    for name in names or sorted(p.name.rpartition("_")[0] for p in folder.glob("*_builder.py")):
        files = [folder / f"{name}_{kind}.py" for kind in ("builder", "cpmpy", "ortools")]
        commands = [([sys.executable if f is files[0] else python, f.name], folder) for f in files]
        rows.append(row(name, files, commands, [variables(*command) for command in commands]))
    return rows


def main() -> None:
    """Prints the table, with the medians below."""
    what, *arguments = sys.argv[1:]
    rows = cpmpy(*arguments) if what == "cpmpy" else beside(*arguments)
    show("median", [median(column) for column in zip(*rows)], 2 if what == "cpmpy" else 3)


if __name__ == "__main__":
    main()

"""Runs Conjure's notebooks unchanged, and compares the output of their cells with the stored output.

    python tests/conjure_notebooks.py FOLDER

prints a row for each notebook below the folder: the numbers of Essence cells, of cells that run, and of cells with the
stored solutions. Then it prints each cell that differs. A cell is interrupted after LIMIT seconds, as if by Ctrl-C.
"""

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

LIMIT = 20


def solutions(markdown: str) -> List[str]:
    """Returns the solutions that a cell shows as JSON, sorted."""
    found = re.search(r"```json\n(.*?)\n```", markdown, re.S)
    value = json.loads(found[1]) if found else []
    value = value.get("conjure_solutions", value) if isinstance(value, dict) else value
    return sorted(json.dumps(s, sort_keys=True) for s in (value if isinstance(value, list) else [value]))


def stored(cell: Dict[str, Any]) -> str:
    return "".join("".join(o.get("data", {}).get("text/markdown", "")) for o in cell["outputs"])


def stop(*_: Any) -> None:
    raise KeyboardInterrupt


def run(path: Path) -> Tuple[int, int, int, List[str]]:
    """Returns the numbers of Essence cells, of cells that run and of cells with the stored solutions, and the
    differences.
    """
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    cells, ran, equal, different = 0, 0, 0, []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        # Lines for the system shell install Conjure.
        source = "".join(line for line in "".join(cell["source"]).splitlines(True) if not line.startswith("!"))
        if cell["cell_type"] != "code" or not source.strip():
            continue
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        try:
            with capture_output() as shown:
                result = shell.run_cell(source)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if not re.match(r"\s*%+conjure", source):
            continue
        cells += 1
        error = result.error_in_exec or result.error_before_exec
        ran += error is None
        mine = "".join(o.data.get("text/markdown", "") for o in shown.outputs)
        if error is None and solutions(mine) == solutions(stored(cell)):
            equal += 1
        else:
            different.append(f"{source}\n  stored: {stored(cell)[:300]!r}\n  found:  {str(error or mine or shown.stdout)[:300]!r}")
    return cells, ran, equal, different


def main() -> None:
    signal.signal(signal.SIGALRM, stop)
    rows, details = [], []
    for path in sorted(Path(sys.argv[1]).rglob("*.ipynb")):
        cells, ran, equal, different = run(path)
        rows.append((path.stem, cells, ran, equal))
        details += [f"== {path.stem}\n{text}" for text in different]
    rows.append(("all", *(sum(row[i] for row in rows) for i in (1, 2, 3))))
    print(*details, sep="\n")
    print(f"{'notebook':50} cells  run  equal")
    for name, *numbers in rows:
        print(f"{name:50} {numbers[0]:5} {numbers[1]:4} {numbers[2]:6}")


if __name__ == "__main__":
    main()

"""The Jupyter extension: cells in Essence.

`%load_ext conjure_like` defines these magics:

- `%%essence [OPTIONS]` solves the model in the cell, draws the solution and assigns its values to variables of the
  notebook;
- `%%essence+ [OPTIONS]` adds the cell to the model of the cells before it and solves the whole model;
- `%%conjure` and `%%conjure+` do the same for notebooks written for Conjure's extension: the values are those of
  Conjure's JSON, and are shown as JSON;
- `%essence_print`, `%essence_rollback` and `%essence_clear` show the model, remove its last cell, and clear it;
  `%conjure_print`, `%conjure_rollback` and `%conjure_clear` do the same.

Parameters get their values from notebook variables of the same names. `conjure_solutions` is the list of all solutions.
Cells have the completions of the editors. OPTIONS are those of `conjure-like solve`, and
`--picture=svg|html|text|none`.
"""

import json
import re
import shlex
from typing import Any, Dict, List, Tuple

from IPython.display import Markdown, display

from .completion import completions as completions_at
from .model import Model
from .results import Result, Solution
from .service import SHARED


def register(shell: Any) -> None:
    """Registers the magics with an IPython shell."""
    notebook = _Notebook(shell)
    if _with_body not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(_with_body)
    for name, show in (("essence", _show_values), ("conjure", _show_json)):
        for suffix, extends in (("", False), ("+", True)):
            shell.register_magic_function(notebook.solver(show, extends), "cell", name + suffix)
        for command in (notebook.print, notebook.rollback, notebook.clear, notebook.settings):
            shell.register_magic_function(command, "line", f"{name}_{command.__name__}")
    _complete_cells(shell, notebook)


def _complete_cells(shell: Any, notebook: "_Notebook") -> None:
    """Completes Essence instead of Python in Essence cells. Does nothing before IPython 8.6."""
    try:
        from IPython.core.completer import SimpleCompletion, context_matcher
    except ImportError:
        return

    def matcher(context: Any) -> Any:
        lines = context.full_text.split("\n")
        magic = re.match(r"%%(?:essence|conjure)(\+?)(?:\s|$)", lines[0])
        # The first line is the magic and its options, for which IPython has other completers.
        if not magic or context.cursor_line == 0:
            return {"completions": []}
        before = "\n".join(["", *(notebook.cells if magic[1] else [])])
        text = "\n".join([before, *lines[1:]])
        line, column = before.count("\n") + context.cursor_line, context.cursor_position
        found = completions_at(SHARED, text, line, column)
        start = min((completion.start for completion in found), default=column)
        completions = [SimpleCompletion(completion.text, type=completion.detail) for completion in found]
        fragment = lines[context.cursor_line][start:column]
        return {"completions": completions, "matched_fragment": fragment, "ordered": True, "suppress": True}

    matchers = shell.Completer.custom_matchers
    # `%reload_ext` registers again, and must not leave the completions twice.
    matchers[:] = [known for known in matchers if getattr(known, "matcher_identifier", None) != "conjure_like"]
    matchers.append(context_matcher(identifier="conjure_like", priority=1000.0)(matcher))


def _with_body(lines: List[str]) -> List[str]:
    """Lets a cell with nothing but the line of the magic solve the model so far: IPython requires a second line."""
    alone = len(lines) == 1 and lines[0].startswith(("%%essence+", "%%conjure+"))
    return [lines[0].rstrip("\n") + "\n", "\n"] if alone else lines


class _Notebook:
    """The model of a notebook, as the list of its cells."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.cells: List[str] = []

    def solver(self, show: Any, extends: bool) -> Any:
        def solve(line: str, cell: str) -> None:
            """Solves the Essence model in this cell."""
            cells = self.extended(cell) if extends else [cell]
            picture, options = _options(line)
            # The empty first line replaces the line of the magic, so that line numbers in messages are those of the
            # cell.
            result = self.solve("\n".join(["", *cells, ""]), options)
            self.cells = cells
            self.bind(show(result, picture))

        return solve

    def extended(self, cell: str) -> List[str]:
        """Returns the cells with one more; a cell that is run again is not added again."""
        # A model has one `language` line, at its start, but each cell may have its own.
        cell = re.sub(r"\A\s*language .*", "", cell) if self.cells else cell
        return self.cells if cell in self.cells else [*self.cells, cell]

    def solve(self, text: str, options: List[str]) -> Result:
        model = Model(text)
        # Parameters without a variable are left to the program, which reports them as missing.
        data = {name: self.shell.user_ns[name] for name in model.parameters if name in self.shell.user_ns}
        return model.solve(data, progress=True, options=options)

    def bind(self, solutions: List[Dict[str, Any]]) -> None:
        """Assigns the values of a single solution to variables, and the list of all solutions to
        `conjure_solutions`.
        """
        self.shell.user_ns["conjure_solutions"] = solutions
        if len(solutions) == 1:
            self.shell.user_ns.update(solutions[0])

    def print(self, line: str) -> None:
        """Prints the model of the cells so far."""
        print("\n".join(self.cells))

    def rollback(self, line: str) -> None:
        """Removes the last cell from the model."""
        if self.cells:
            self.cells.pop()

    def clear(self, line: str) -> None:
        """Clears the model."""
        self.cells.clear()

    def settings(self, line: str) -> None:
        """Prints where to write options."""
        print("Options follow on the line of a cell's magic: %%essence --limit-time=10. `conjure-like solve --help` lists them.")


def _options(line: str) -> Tuple[str, List[str]]:
    """Splits the line of a magic into the format of the picture and the options for the program."""
    picture, options = "svg", []
    for option in shlex.split(line):
        if option.startswith("--picture="):
            picture = option.split("=", 1)[1]
        else:
            options.append(option)
    return picture, options


def _show_values(result: Result, picture: str) -> List[Dict[str, Any]]:
    """Draws each solution, or prints its values with `--picture=none`."""
    for solution in result.solutions:
        if picture == "none":
            _print(solution)
        else:
            display(solution.picture(picture))
    _say(result)
    return [dict(s) for s in result.solutions]


def _show_json(result: Result, picture: str) -> List[Dict[str, Any]]:
    """Shows the solutions as Conjure's extension does."""
    found = [s.json for s in result.solutions]
    if found:
        shown = found[0] if len(found) == 1 else found
        display(Markdown(f"```json\n{json.dumps(shown)}\n```"))
    _say(result)
    return found


def _print(solution: Solution) -> None:
    for name, value in solution.items():
        print(f"{name} = {value}")


def _say(result: Result) -> None:
    """Prints what the solutions do not show: that there are none, or that the search ended early."""
    if not result.solutions:
        print("No solutions found.")
    elif not result.status.complete:
        between = result.status.between
        interval = f"; the best value lies between {between[0]} and {between[1]}" if between else ""
        print(f"{result.status}{interval}")

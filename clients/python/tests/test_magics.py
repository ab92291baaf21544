"""The Jupyter magics, in an IPython shell."""

import pytest

pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from conjure_like import EssenceError
from conjure_like.completion import completions as completions_at
from conjure_like.service import Service


@pytest.fixture
def shell():
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "conjure_like")
    yield shell
    InteractiveShell.clear_instance()


def run(shell, cell):
    with capture_output() as captured:
        result = shell.run_cell(cell)
    result.raise_error()
    return captured


def test_a_cell_is_solved_drawn_and_bound(shell):
    shell.user_ns["n"] = 3
    shown = run(shell, "%%essence\ngiven n : int\nfind s : set (size n) of int(1..n)")
    assert shell.user_ns["s"] == frozenset({1, 2, 3})
    assert shown.outputs[0]._repr_svg_().startswith("<svg")
    assert shown.outputs[0].data["text/plain"] == "<a picture in SVG>"


def test_a_cell_without_a_picture(shell):
    assert run(shell, "%%essence --picture=none\nfind x : int(7..7)").stdout == "x = 7\n"


def test_all_solutions(shell):
    run(shell, "%%essence -n all --picture=none\nfind x : int(1..3)")
    assert sorted(s["x"] for s in shell.user_ns["conjure_solutions"]) == [1, 2, 3]
    assert "x" not in shell.user_ns


def test_no_solution(shell):
    assert run(shell, "%%essence\nfind x : int(1..3) such that x > 3").stdout == "No solutions found.\n"


def test_conjure_cells_add_up(shell):
    run(shell, "%%conjure\nletting items be new type enum {a, b}")
    run(shell, "%%conjure+\nfind picked : set of items")
    shown = run(shell, "%%conjure+ --number-of-solutions=1\nsuch that |picked| = 2,")
    assert shell.user_ns["picked"] == ["a", "b"]
    assert '"picked": ["a", "b"]' in shown.outputs[0].data["text/markdown"]
    with pytest.raises(EssenceError):
        run(shell, "%%conjure+\nsuch that nonsense")
    assert run(shell, "%conjure_print").stdout.count("picked") == 2
    run(shell, "%conjure_rollback")
    assert "= 2" not in run(shell, "%essence_print").stdout
    run(shell, "%essence_clear")
    assert run(shell, "%conjure_print").stdout == "\n"


def test_cells_that_add_nothing_solve_the_model_so_far(shell):
    run(shell, "%load_ext conjure")
    run(shell, "%%conjure\nlanguage Essence 1.3\nfind x : int(1..3)")
    for _ in range(2):
        run(shell, "%%conjure+\nlanguage Essence 1.3\nletting two be 2")
    run(shell, "%%conjure+ --number-of-solutions=all")
    assert sorted(s["x"] for s in shell.user_ns["conjure_solutions"]) == [1, 2, 3]


def test_a_mistake_is_shown_below_the_cell(shell):
    with capture_output() as captured:
        result = shell.run_cell("%%essence\nfind x : int(1..3)\nsuch that y = 1")
    assert isinstance(result.error_in_exec, EssenceError)
    assert result.error_in_exec.line == 3
    assert "the name `y` is not declared" in captured.stdout
    assert "Traceback" not in captured.stdout


def test_a_time_limit_is_said(shell):
    from test_models import SHARES

    shown = run(shell, f"%%essence --limit-time=4 --picture=none\n{SHARES}")
    assert "stopped by the time limit" in shown.stdout
    assert "box" in shell.user_ns


def completions(shell, cell):
    """Returns the completions at the `|` in a cell, each with the text that it replaces."""
    from IPython.core.completer import provisionalcompleter

    at = cell.index("|")
    text = cell.replace("|", "", 1)
    with provisionalcompleter():
        found = list(shell.Completer.completions(text, at))
    return {(text[c.start : at], c.text) for c in found}


def test_cells_are_completed(shell):
    offered = completions(shell, "%%essence --picture=none\nfind number : int(1..3)\nsuch that number + nu|")
    assert ("nu", "number") in offered
    assert not any(word in ("print", "numpy") for _, word in offered)
    assert ("allD", "allDiff") in completions(shell, "%%essence\nfind x : int(1..3)\nsuch that allD|")
    assert ("fi", "find x : int(1..9)") in completions(shell, "%%essence\nfi|")
    # Letters of two bytes before the cursor shift its byte offset.
    assert ("ä", "ärger") in completions(shell, "%%essence\nfind ärger : bool\nsuch that ärger = ä|")


def test_cells_know_the_names_of_the_cells_before(shell):
    run(shell, "%%essence\nfind x : int(1..3)")
    run(shell, "%%essence+\nfind earlier : int(1..3)")
    assert ("ea", "earlier") in completions(shell, "%%essence+\nsuch that ea|")
    assert ("ea", "earlier") not in completions(shell, "%%essence\nsuch that ea|")


def test_python_is_completed_as_before(shell):
    shell.user_ns["number"] = 3
    assert ("numb", "number") in completions(shell, "numb|")
    assert not completions(shell, "%%essence -|") & {("-", "find")}


def test_without_a_program_nothing_is_offered(monkeypatch):
    monkeypatch.setenv("CONJURE_LIKE", "no such program")
    assert completions_at(Service(), "fi", 0, 2) == []


def test_a_program_that_has_ended_is_started_again():
    service = Service()
    assert completions_at(service, "fi", 0, 2)
    service._process.kill()
    assert completions_at(service, "fi", 0, 2) == []
    assert completions_at(service, "fi", 0, 2)
    service.close()

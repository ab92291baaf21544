"""The pytest plugin: test cases of models become items, which show the findings of the program."""

from pathlib import Path
from typing import Callable

import pytest

pytest_plugins = ["pytester"]

MODEL = """given n : int(1..9)
find helper : matrix indexed by [int(1..n)] of int(1..3)
such that
    $ Nobody helps on two days in a row.
    forAll day : int(1..n - 1) . helper[day] != helper[day + 1],
    $ Helper 1 is away on the first day.
    helper[1] != 1
minimising sum([helper[day] | day : int(1..n)])
"""

CASES = """$ model: rota.essence
$ solutions: 1
$ with: letting n be 1

$ case: twice in a row
$ with: letting n be 3
$ refuses: letting helper be [2, 2, _]
$ because: Nobody helps on two days in a row

$ case: the first day
$ with: letting n be 3
$ refuses: letting helper be [2, 3, 2]
$ accepts: letting helper be [1, _, _]

$ case: a misspelt word
$ wiht: letting n be 3
$ solutions: 2
"""

#: A function that runs pytest with the plugin.
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    for name, text in {"rota.essence": MODEL, "cases.essence": CASES}.items():
        pytester.path.joinpath(name).write_text(text)
    return lambda *options: pytester.runpytest("-p", "conjure_like.cases", *options)


def test_each_case_is_an_item(run: Run) -> None:
    result = run("--collect-only", "-q")
    result.stdout.fnmatch_lines(
        ["cases.essence::all", "cases.essence::twice in a row", "cases.essence::the first day", "cases.essence::a misspelt word"]
    )
    assert result.ret == 0


def test_a_case_that_fails_shows_its_line_and_what_was_found(run: Run) -> None:
    result = run()
    result.assert_outcomes(passed=2, failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*cases.essence: the first day*",
            "cases.essence:12: expected to be refused, but the model accepts it",
            "letting helper be [[]2, 3, 2; int(1..3)[]]",
            "cases.essence:13: expected to be accepted, but the model refuses it",
            "*1. Helper 1 is away on the first day*",
            "*rota.essence:7:5*",
            "*cases.essence: a misspelt word*",
            "cases.essence:15: this case cannot be read",
            "*did you mean `with`*",
        ]
    )


def test_chosen_cases_run_alone(run: Run) -> None:
    run("-k", "twice").assert_outcomes(passed=1, deselected=3)
    run("cases.essence::twice in a row", "cases.essence::all").assert_outcomes(passed=2)


def test_the_first_failure_ends_the_run(run: Run) -> None:
    run("-x").assert_outcomes(passed=2, failed=1)


def test_each_instance_of_a_file_is_an_item(run: Run, pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("many.json").write_text('[{"n": 1}, {"n": 2}]')
    pytester.path.joinpath("many.essence").write_text("$ model: rota.essence\n$ case: sizes\n$ data: many.json\n$ optimum: 2\n")
    result = run("many.essence", "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["many.essence::sizes (many.json#1) PASSED*", "many.essence::sizes (many.json#2) FAILED*"])


def test_a_model_without_cases_is_not_collected(run: Run) -> None:
    assert run("rota.essence").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_cases_below_the_folder_have_paths_from_there(run: Run, pytester: pytest.Pytester) -> None:
    pytester.mkdir("params").joinpath("three.param").write_text("$ model: rota.essence\n$ optimum: 9\nletting n be 3\n")
    pytester.path.joinpath("models").mkdir()
    pytester.path.joinpath("rota.essence").rename(pytester.path / "models/rota.essence")
    result = run("params")
    result.stdout.fnmatch_lines([f"{Path('params/three.param')}:2: expected the optimum 9, found 5"])


def test_a_program_that_is_missing_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONJURE_LIKE", "no-such-program")
    result = run("cases.essence")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["CONJURE_LIKE is `no-such-program`, but there is no such program"])

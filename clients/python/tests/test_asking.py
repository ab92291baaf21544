"""Questions about several models."""

from pathlib import Path
from typing import List, Optional

import pytest

import conjure_like
from conjure_like import EssenceError, Question

ROTA = "given n : int(1..9) find helper : matrix indexed by [int(1..n)] of int(1..3) such that "
MODELS = [
    ROTA + "forAll day : int(1..n - 1) . helper[day] != helper[day + 1]",
    ROTA + "allDiff(helper)",
    ROTA + "forAll day : int(2..n - 1) . helper[day] != helper[day + 1]",
]


def values(question: Question) -> List[int]:
    """The helpers in a candidate solution."""
    return [int(word) for word in question.solution.split("[")[1].split(";")[0].split(",")]


def test_the_model_that_is_meant_is_left(tmp_path: Path) -> None:
    def allowed(question: Question) -> bool:
        helpers = values(question)
        return all(one != other for one, other in zip(helpers, helpers[1:]))

    file = tmp_path / "second.essence"
    file.write_text(MODELS[1])
    result = conjure_like.ask([MODELS[0], file, MODELS[2]], allowed)
    assert result.left == ["model 1"]
    assert set(result.refuted) == {str(file), "model 3"}
    assert result.cases.count("$ case: ") == result.questions <= 3


def test_an_answer_may_be_open() -> None:
    answers: List[Optional[bool]] = []

    def unknown(question: Question) -> None:
        answers.append(None)

    result = conjure_like.ask(["find x : bool such that x", "find x : bool such that !x"], unknown)
    assert len(result.left) == 2 and len(answers) == result.questions == 2
    assert "They still differ" in result.says


def test_a_word_that_is_not_an_answer_is_an_error() -> None:
    with pytest.raises(EssenceError, match="`perhaps` is not an answer"):
        conjure_like.ask(MODELS, lambda _: "perhaps")


def test_mutants_are_candidates() -> None:
    result = conjure_like.ask(["find x : int(1..3) such that x < 3"], lambda question: question.solution != "letting x be 3\n", mutants=True)
    assert result.left[0] == "model 1"

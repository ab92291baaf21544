"""Asks which of several models is meant."""

import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from .model import names_a_file
from .program import Members, path
from .service import Service


class Question(NamedTuple):
    """A question: an instance and a candidate solution on which models disagree."""

    #: `Is this allowed?` or `Is this a best solution?`
    asks: str
    #: The question for people, with the instance and a picture.
    text: str
    #: The data of the instance in Essence; empty without parameters.
    data: str
    #: The candidate solution in Essence.
    solution: str
    #: The names of the models that say yes, and of those that say no.
    yes: List[str]
    no: List[str]


class Inquiry(NamedTuple):
    """The result of questions."""

    #: The names of the remaining models, and for each other model the number of the answer that refutes it.
    left: List[str]
    refuted: Dict[str, int]
    #: The models that remain, and the extent of the checks.
    says: str
    #: The answers as test cases.
    cases: str
    #: The number of questions.
    questions: int


def ask(
    models: Sequence[Union[str, "os.PathLike[str]"]],
    answer: Callable[[Question], Union[bool, str, None]],
    *,
    mutants: bool = False,
    mapping: Optional[Mapping[str, str]] = None,
    instances: int = 8,
) -> Inquiry:
    """Asks which of several models is meant, with small instances and candidate solutions, until the remaining models agree.

    Each model is a file or a text. `answer` gets a `Question` and returns `True` (allowed), `False`, `"cannot happen"` (the
    instance), or `None` (don't know). With `mutants`, models with one planted mistake in the first model are candidates, too.
    `mapping` gives names of the first model as expressions of another one.

    >>> models = ["find x, y : int(1..2) such that " + constraint for constraint in ["x < y", "x <= y", "x != y"]]
    >>> ask(models, lambda question: question.solution == "letting x be 1\\nletting y be 2\\n").left
    ['model 1']
    """
    texts = [_text(model, f"model {number}") for number, model in enumerate(models, 1)]
    request: Members = {"mutants": mutants, "mapping": dict(mapping or {}), "instances": instances, "answers": []}
    request.update(model=texts[0] if texts else None, candidates=texts[1:])
    service = Service()
    try:
        while True:
            result = service.ask("ask", request)
            asked = result["question"]
            if asked is None:
                break
            data = "\n".join(text["text"] for text in asked["data"])
            question = Question(asked["asks"], asked["text"], data, asked["solution"], asked["yes"], asked["no"])
            given = {"data": asked["data"], "solution": asked["solution"], "best": asked["best"]}
            request["answers"].append({**given, "answer": _word(answer(question))})
    finally:
        service.close()
    refuted = {model["model"]: model["answer"] for model in result["refuted"]}
    return Inquiry(result["left"], refuted, result["says"], result["cases"], len(request["answers"]))


def _text(model: Union[str, "os.PathLike[str]"], name: str) -> Dict[str, str]:
    """The model as the protocol names it."""
    if isinstance(model, str) and not names_a_file(model):
        return {"name": name, "text": model}
    return {"path": path(model)}


def _word(answer: Any) -> str:
    """The answer as the protocol names it."""
    if answer is None:
        return "don't know"
    if isinstance(answer, str):
        return answer
    return "yes" if answer else "no"

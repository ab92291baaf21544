"""Essence models keep their meaning when they are translated to programs for the builder.

The test covers one in four of the repository's fixtures; `FIXTURES=all` covers all. Random models are tried by hand:

    GENERATED=2000 GENERATOR=target/release/deps/conjure_like-… pytest tests/test_builder_translation.py

`GENERATOR` is the test program of the library, which prints models (`tests/generated`).
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from essence_to_builder import Translation, built, tree

from conjure_like import ConjureLikeError, EssenceError, ModellingError
from conjure_like.program import find
from conjure_like.service import SHARED

ROOT = Path(__file__).resolve().parents[3]

FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("*.essence"))

STEP = 1 if os.environ.get("FIXTURES") == "all" else 4


def models(path):
    """Yields the models in a file of fixtures that the parser accepts."""
    parts = re.split(r"^\$ ==== (.*\.essence)$", path.read_text(encoding="utf-8"), flags=re.M)
    for name, text in zip(parts[1::2], parts[2::2]):
        yield name, re.split(r"^\$ ==== ", text, flags=re.M)[0]


def statements(text):
    """Returns the syntax tree with numbered quantified names, or `None` for a syntax error."""
    run = subprocess.run([find(), "pretty", "-", "--normalise-quantified"], input=text, capture_output=True, text=True)
    try:
        return json.dumps(tree(run.stdout)["mStatements"]) if run.returncode == 0 else None
    except subprocess.CalledProcessError:
        return None


def is_same(text, data=()):
    """Returns true if the builder makes a model with the same tree, or at least the same meaning."""
    try:
        made = built(str(Translation(text))).text
    except ModellingError as error:
        # The builder refuses an empty domain as a mistake.
        if "has no values" not in error.message:
            raise
        return True
    if statements(made) == statements(text):
        return True
    request = {"model": {"name": "built", "text": made}, "reference": {"name": "reference", "text": text}, "data": list(data)}
    try:
        return SHARED.ask("compare", {**request, "instances": 2, "limit": 5})["same"]
    except EssenceError as error:
        # Parameters that a `where` rules out, and values that are too large, are refused before the comparison.
        if error.code not in ("E0404", "E0406", "E0501"):
            raise
        return True


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.stem)
def test_the_fixtures_mean_the_same(path):
    wrong = []
    for number, (name, text) in enumerate(models(path)):
        if number % STEP == 0 and statements(text) is not None and not is_same(text):
            wrong.append(name)
    assert wrong == []


#: Messages about a difference that the syntax tree does not show: `m[a..b][c]` is `m[a..b, c]` there, as in Conjure.
UNTOLD = re.compile(r"(this index must be|^an index of|this bound of a slice must be|this is a bug in conjure-like)")


@pytest.mark.skipif("GENERATOR" not in os.environ, reason="GENERATOR does not name the program with the tests of the library")
def test_random_models_mean_the_same():
    wrong, untold = [], 0
    for number in range(int(os.environ.get("GENERATED", "200"))):
        arguments = [os.environ["GENERATOR"], "inside::generated::solver_and_oracle_agree_on_generated_models", "--exact", "--nocapture"]
        run = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, "GENERATED_ONLY": str(number)})
        text, _, parameters = run.stderr.split("\n1 models in")[0].partition("---- parameters\n")
        data = [{"name": "data", "text": parameters}] if parameters.strip() else []
        try:
            if not is_same(text, data):
                wrong.append(number)
        except ConjureLikeError as error:
            if UNTOLD.search(str(error)):
                untold += 1
            else:
                wrong.append(number)
    assert wrong == [] and untold <= number // 100 + 1

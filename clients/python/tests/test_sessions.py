"""Sessions: random sequences of changes have the same answers as fresh searches."""

import asyncio
import random

import pytest

from conjure_like import Model

MODEL = """
    given n : int(1..9)
    find x, y : int(0..n)
    find s : set of int(1..5)
    such that x + y <= n, |s| <= x
    maximising 3 * x + 2 * y + sum(s)
"""

REQUIREMENTS = ["x != y", "x < 3", "y >= 2", "|s| = 2", "!(5 in s)", "x + 2 * y <= 7", "x = 9", "sum(s) % 2 = 1"]


@pytest.mark.parametrize("seed", range(8))
def test_sessions_answer_as_fresh_searches_do(seed: int) -> None:
    chosen = random.Random(seed)
    model = Model(MODEL)
    with model.session(n=6) as session:
        depth = 0
        for _ in range(12):
            step = chosen.random()
            if step < 0.5:
                session.require(*chosen.sample(REQUIREMENTS, chosen.randint(1, 2)))
                depth += 1
            elif step < 0.7:
                session.set(n=chosen.randint(1, 9))
                depth += 1
            elif depth:
                session.undo()
                depth -= 1
            found = session.solve()
            fresh = model.solve(session.data, options=[f"--fix={requirement}" for requirement in session.requirements])
            assert bool(found) == bool(fresh)
            assert not found or found.objective == fresh.objective


def test_the_last_answer_comes_first_if_it_still_holds() -> None:
    with Model("find s : set of int(1..20) such that |s| = 3").session() as session:
        session.require("17 in s")
        first = session.solve()["s"]
        session.require("sum(s) > 0")
        assert session.solve()["s"] == first


def test_only_steps_can_be_taken_back() -> None:
    session = Model("find x : int(1..3)").session()
    session.require("x = 2")
    session.undo()
    with pytest.raises(ValueError):
        session.undo()
    assert asyncio.run(session.solve_async())["x"] in {1, 2, 3}

"""Sessions: random sequences of changes have the same answers as fresh searches."""

import asyncio
import random
import threading
import time

import pytest

from conjure_like import DataError, EssenceError, LimitReached, Model

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


def test_only_parameters_can_be_set() -> None:
    with Model("given n : int find x : int(n..n)").session(n=3) as session:
        with pytest.raises(DataError):
            session.set(m=5)
        session.set(n=4)
        assert session.solve()["x"] == 4


def test_only_steps_can_be_taken_back() -> None:
    with Model("find x : int(1..3)").session() as session:
        session.require("x = 2")
        session.undo()
        with pytest.raises(ValueError):
            session.undo()
        assert asyncio.run(session.solve_async())["x"] in {1, 2, 3}


def test_what_is_refused_changes_nothing() -> None:
    with Model("given n : int(1..9) find x : int(1..n) maximising x").session(n=4) as session:
        with pytest.raises(EssenceError) as wrong:
            session.require("x > y")
        assert wrong.value.code == "E0201"
        with pytest.raises(EssenceError):
            session.set(n=12)
        assert (session.requirements, session.data, session.solve()["x"]) == ([], {"n": 4}, 4)
    with pytest.raises(EssenceError):
        Model("given n : int(1..9) find x : int(1..n)").session(n=12)


def test_members_of_given_types_have_names() -> None:
    model = Model("given staff new type enum given cost : function staff --> int(0..9) find s : set of staff maximising |s|")
    with model.session(staff=["Mia", "Zoë Ø"], cost={"Mia": 3}) as session:
        session.require('!("Zoë Ø" in s)')
        assert session.solve()["s"] == {"Mia"}
        session.set(cost={"Mia": 4})
        assert session.solve()["s"] == {"Mia"}


#: The most points of a grid without a rectangle: no engine proves this soon.
LONG = """
    find m : matrix indexed by [int(1..14), int(1..14)] of int(0..1)
    find w : int(0..196)
    such that w = sum([m[i, j] | i, j : int(1..14)]),
        forAll i1, i2, j1, j2 : int(1..14), i1 < i2 /\\ j1 < j2 . m[i1, j1] + m[i1, j2] + m[i2, j1] + m[i2, j2] <= 3
    maximising w
"""


def test_a_search_is_cancelled_and_the_session_goes_on() -> None:
    with Model(LONG).session() as session:
        threading.Timer(4, session.cancel).start()
        begun = time.monotonic()
        try:
            result = session.solve()
            assert not result.status.complete
        except LimitReached:
            pass
        assert time.monotonic() - begun < 60
        session.require("forAll i, j : int(1..14) . m[i, j] = 0")
        assert session.solve().objective == 0


def test_improvements_come_one_by_one() -> None:
    async def main() -> None:
        with Model("find s : set of int(1..9) such that sum(s) < 30 maximising |s|").session() as session:
            values = [solution.objective_value async for solution in session.improvements()]
            assert values == sorted(values) and values[-1] == 7
            assert (await session.solve_async()).objective == 7
        with Model(LONG).session() as session:
            async for _ in session.improvements():
                break
            session.require("w = 1")
            assert (await session.solve_async()).objective == 1

    asyncio.run(main())

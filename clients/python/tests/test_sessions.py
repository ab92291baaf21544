"""Sessions: random sequences of changes give the same answers as fresh searches."""

import asyncio
import random
import threading
import time

import pytest

import conjure_like as cl
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


def test_a_session_tells_why_there_is_no_solution() -> None:
    with Model("given n : int find x, y : int(1..n) such that x + y = 12").session(n=20) as session:
        session.require("x > y", "y != 3")
        session.require("x < 4")
        assert not session.solve() and session.why().reasons == ["x + y = 12", "x > y", "x < 4"]
        session.undo()
        assert session.why().verdict == "solution" and session.why(forced="x > 6").verdict == "forced"
        session.set(n=5)
        assert session.why().changes == ["change 5 to 7 in the value of `n` (1), (2)", "leave out (3)", "change 12 to 9 in line 1 (3)"]


def test_a_file_of_parameters_is_named_by_its_lines(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parameters.json").write_text('{\n"n": 5\n}', encoding="utf-8")
    model = Model("given n : int find x : int(1..n) such that x > 7")
    assert model.why("parameters.json").changes[0] == "change 5 to 8 in line 2 of parameters.json (1)"
    assert model.why(n=5).changes[0] == "change 5 to 8 in the value of `n` (1)"


def test_a_session_of_a_builder_names_lines_of_python() -> None:
    m = cl.Builder()
    n = m.given("n", cl.Int(1, 20))
    x, y = m.find("x", cl.Int(1, n)), m.find("y", cl.Int(1, n))
    m.require(x + y == 12, name="the sum")
    with m.session(n=20) as session:
        session.require(x > y, y != 3, name="x is more")
        session.require(x < 4)
        m.require(x == 7)
        why = session.why()
        # Requirements that are added to the model later do not belong to the session.
        assert why.names == ["the sum", "x is more", ""]
        lines = [reason["places"][0]["line"] for reason in why.json["reasons"]]
        assert [line - lines[0] for line in lines] == [0, 2, 3] and "test_sessions.py:" in str(why)
        session.undo()
        session.set(n=19)
        session.require(x < 6)
        assert session.why().reasons == ["x + y = 12", "x > y", "x < 6"]
        session.undo(3)
        assert session.why().verdict == "solution" and session.why(forced=x < 12).verdict == "forced"
        for wrong in (lambda: session.require(x + cl.essence("z") > 3), lambda: session.set(n=100)):
            with pytest.raises(cl.PythonError) as told:
                wrong()
            assert str(told.value.file).endswith("test_sessions.py")
        for refused in (lambda: session.require(), lambda: session.require(True), lambda: session.require(x > 3, level=2)):
            with pytest.raises(cl.ModellingError):
                refused()
        assert session.requirements == [] and session.data == {"n": 20}


#: The largest number of points of a grid without a rectangle: no engine proves it soon.
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

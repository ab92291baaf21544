"""Searches in programs with an event loop."""

import asyncio
import time

import pytest

from conjure_like import EssenceError, LimitReached, Model

#: A model with more solutions than a test can enumerate.
MANY = "find x, y, z : int(1..10000)"



def test_searches_run_at_the_same_time_and_the_loop_goes_on():
    turns = 0

    async def count_turns():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    async def main():
        counting = asyncio.ensure_future(count_turns())
        model = Model("given n : int find x : int(0..n) maximising x")
        found = await asyncio.gather(*(model.solve_async(n=n) for n in range(1, 5)))
        counting.cancel()
        return [result.objective for result in found]

    assert asyncio.run(main()) == [1, 2, 3, 4]
    assert turns > 1


def test_a_task_that_is_cancelled_ends_its_search():
    async def main():
        found = []
        searching = asyncio.ensure_future(Model(MANY).solve_async(number=10**9, progress=found.append))
        while not found and not searching.done():
            await asyncio.sleep(0.05)
        since = time.monotonic()
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching
        return time.monotonic() - since

    assert asyncio.run(main()) < 5


def test_a_timeout_ends_a_search():
    async def main():
        await asyncio.wait_for(Model(MANY).solve_async(number=10**9), timeout=1)

    since = time.monotonic()
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main())
    assert time.monotonic() - since < 6


def test_solutions_come_one_by_one():
    async def main():
        found = Model("find x : int(1..9)").solutions_async()
        assert found.status is None
        values = [solution.x async for solution in found]
        async with Model(MANY).solutions_async() as endless:
            async for _ in endless:
                break
        assert not endless.status.complete
        return sorted(values), found.status

    values, status = asyncio.run(main())
    assert values == list(range(1, 10)) and status.complete


def test_mistakes_and_limits_are_exceptions():
    with pytest.raises(EssenceError):
        asyncio.run(Model("given n : int(1..3) find x : int(n..n)").solve_async(n=7))
    with pytest.raises(LimitReached):
        asyncio.run(Model("find x : int(1..9)").solve_async(time_limit=0))

"""The loop in virtual time: order, cancelling, stopping where a callback made something ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from sim.loop import DeadlockError, HeapWorld, run


def test_time_jumps_exactly() -> None:
    world = HeapWorld()

    async def main() -> list[int]:
        times: list[int] = []
        for _ in range(3):
            await asyncio.sleep(0.000_123_457)
            times.append(world.now_ns())
        await asyncio.sleep(86_400)
        times.append(world.now_ns())
        return times

    assert run(world, main()) == [123_457, 246_914, 370_371, 86_400_000_370_371]


def test_events_of_one_time_keep_their_order() -> None:
    world = HeapWorld()
    seen: list[str] = []

    async def waiter(name: str) -> None:
        await asyncio.sleep(0.001)
        seen.append(name)

    async def main() -> None:
        world.at(1_000_000, lambda: seen.append("event"))
        await asyncio.gather(*(waiter(name) for name in "abc"))

    run(world, main())
    assert seen == ["event", "a", "b", "c"]


def test_the_world_stops_where_a_callback_made_something_ready() -> None:
    world = HeapWorld()

    async def main() -> int:
        rang = asyncio.Event()
        world.at(5_000, rang.set)
        world.at(9_000, lambda: None)
        await rang.wait()
        return world.now_ns()

    assert run(world, main()) == 5_000


def test_a_cancelled_timeout_never_moves_the_clock() -> None:
    world = HeapWorld()

    async def main() -> None:
        rang = asyncio.Event()
        world.at(1_000, rang.set)
        await asyncio.wait_for(rang.wait(), 3600)

    run(world, main())
    assert world.advance(None) is False
    assert world.now_ns() == 1_000


def test_cancelled_event_and_past_event() -> None:
    world = HeapWorld()
    seen: list[tuple[str, int]] = []

    def note(name: str) -> Callable[[], None]:
        return lambda: seen.append((name, world.now_ns()))

    def later() -> None:
        world.at(3, note("past"))

    world.at(10, note("cancelled")).cancel()
    world.at(20, later)
    assert world.advance(30) is True
    assert seen == [("past", 20)]
    assert world.now_ns() == 30


def test_deadlock_names_who_waits() -> None:
    async def forgotten() -> None:
        await asyncio.Event().wait()

    with pytest.raises(DeadlockError, match=r"Task-\d+ in .*forgotten"):
        run(HeapWorld(), forgotten())


def test_exceptions_in_events_surface() -> None:
    world = HeapWorld()

    def broken() -> None:
        raise ZeroDivisionError

    async def main() -> None:
        world.at(5, broken)
        await asyncio.sleep(1)

    with pytest.raises(ZeroDivisionError):
        run(world, main())


def test_tasks_left_over_are_cancelled() -> None:
    ended: list[str] = []

    async def left_over() -> None:
        try:
            await asyncio.sleep(1e6)
        finally:
            ended.append("cancelled")

    async def main() -> asyncio.Task[None]:
        task = asyncio.create_task(left_over())
        await asyncio.sleep(0)
        return task

    world = HeapWorld()
    assert run(world, main()).cancelled()
    assert ended == ["cancelled"]
    assert world.now_ns() == 0

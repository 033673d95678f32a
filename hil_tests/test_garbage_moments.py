"""Garbage is collected at moments of its own: no card is between two sensors then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest import mock

from dovetail import garbage  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import Bench
from hil_tests.test_planted import on
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S
from sim.inprocess import InProcess

SEED = 5
FULL = 150_000  # bytes free behind a collection
LOOK = 700  # bytes of garbage for each look at the heap
ROLLERS = ("pick", "feed", "deal")
Collected = list[tuple[float, tuple[str, ...]]]


def littered(whole: InProcess) -> Collected:
    """A heap that fills with each look at it; when it was collected, and which rollers turned."""
    free = FULL
    seen: Collected = []

    def look() -> int:
        nonlocal free
        free = max(free - LOOK, 0)
        return free

    def collect() -> None:
        nonlocal free
        free = FULL
        axes = whole.machine.axes
        turning = tuple(name for name in ROLLERS if axes[name].profile is not None)
        seen.append((whole.world.now_ns() / 1e9, turning))

    whole.hal.free = look  # type: ignore[method-assign]
    whole.hal.collect = collect  # type: ignore[method-assign]
    return seen


def played(change: Callable[[], Any] | None = None) -> Collected:
    """Both lanes at work, and a controller that never stops asking."""
    whole = InProcess(SEED)
    seen: Collected = []

    async def ask(bench: Bench) -> None:
        while True:
            await bench.client.status()
            await asyncio.sleep(0.007)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        found = littered(whole)
        asking = asyncio.create_task(ask(bench))
        since = len(bench.heard.events)
        await bench.shuffle("blue")
        await asyncio.sleep(1.0)
        await bench.whole_round()
        await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=link_pb2.BLUE))
        asking.cancel()
        seen.extend(found)

    if change is None:
        on(whole, story)
    else:
        with change():
            on(whole, story)
    return seen


def test_no_roller_turns_while_garbage_is_collected() -> None:
    seen = played()
    assert len(seen) > 20
    assert [one for one in seen if one[1]] == []


def reckless(machine: Any, least: int = FULL) -> None:
    """At any moment at all."""
    machine.free = machine.hal.free()
    if machine.free < least:
        machine.hal.collect()


def test_without_its_check_it_would_be() -> None:
    """So the test above is one of this check."""
    seen = played(lambda: mock.patch.object(garbage, "tidy", reckless))
    assert any(turning for _, turning in seen)

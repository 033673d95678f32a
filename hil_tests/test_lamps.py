"""In service red and amber are lit in turn, whatever it does; a steady red is a stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import groupby
from typing import Any

import pytest
from dovetail.machine import Machine

from hil_tests.bench import Bench
from hil_tests.blinking import TURN_MS
from hil_tests.inner_state import firmware, standing
from hil_tests.test_calibration import fresh, on, serve, told
from host_tools.link import link_pb2
from host_tools.link.client import Client

LOOK_S = 0.005
IN_TURN = {(True, False), (False, True)}  # red, amber
LONG = link_pb2.Jog(axis="wheel", steps=5000, slow_us=1000)

Doing = Callable[[Client, Bench], Awaitable[object]]
Lit = tuple[bool, ...]


async def at_rest(client: Client, bench: Bench) -> None:
    await asyncio.sleep(4.0)


async def in_a_long_jog(client: Client, bench: Bench) -> None:
    bench.watch.clearing()
    await told(client, "jog", LONG, "jogged")


async def in_a_calibration(client: Client, bench: Bench) -> None:
    bench.watch.clearing()
    bench.watch.bets_closed = True
    await bench.hands.lay()
    assert (await told(client, "calibrate", link_pb2.Calibrate(), "calibrated")).calibrated.passed
    await bench.table.dealer.take()


async def in_a_self_test(client: Client, bench: Bench) -> None:
    bench.watch.clearing()
    await told(client, "self_test", link_pb2.SelfTest(), "self_tested")


async def seen(
    bench: Bench, names: tuple[str, ...], doing: Awaitable[object]
) -> list[tuple[Lit, int, bool]]:
    """While something is done: which lamps are lit, for how many ms, and whether they are tried."""
    machine = bench.rig.machine
    assert machine is not None
    looks: list[tuple[Lit, bool]] = []

    async def look() -> None:
        while True:
            looks.append((tuple(machine.lamps[name] for name in names), firmware().lamps_tried))
            await asyncio.sleep(LOOK_S)

    looking = asyncio.create_task(look())
    await doing
    looking.cancel()
    rows = [(key, len(list(row))) for key, row in groupby(looks)]
    return [(lit, round(n * LOOK_S * 1000), tried) for (lit, tried), n in rows]


def in_service(story: Doing) -> None:
    """A machine in service."""

    async def body(bench: Bench) -> None:
        client = await serve(bench)
        await asyncio.sleep(1.0)
        await story(client, bench)
        await client.leave()

    on(fresh(calibrated=True), body)


@pytest.mark.parametrize("doing", [at_rest, in_a_long_jog, in_a_calibration])
def test_in_service_red_and_amber_are_lit_in_turn(doing: Doing) -> None:
    async def story(client: Client, bench: Bench) -> None:
        rows = await seen(bench, ("red", "amber", "green"), doing(client, bench))
        assert {lit[:2] for lit, _, _ in rows} == IN_TURN
        assert not any(lit[2] for lit, _, _ in rows)
        assert max(ms for _, ms, _ in rows) <= TURN_MS
        assert len(rows) > sum(ms for _, ms, _ in rows) / TURN_MS

    in_service(story)


def test_the_self_test_has_the_lamps_only_while_it_tries_them() -> None:
    """Then one after the other; before and after that they blink."""

    async def story(client: Client, bench: Bench) -> None:
        names = ("green", "amber", "red", "buzzer")
        rows = await seen(bench, names, in_a_self_test(client, bench))
        tried = [(lit, ms) for lit, ms, tried in rows if tried and any(lit)]
        assert [lit.index(True) for lit, _ in tried] == [0, 1, 2, 3]
        assert all(sum(lit) == 1 and ms >= 150 for lit, ms in tried)
        others = [(lit, ms) for lit, ms, tried in rows if not tried]
        assert {(lit[2], lit[1]) for lit, _ in others} == IN_TURN
        assert max(ms for _, ms in others) <= TURN_MS

    in_service(story)


@pytest.mark.parametrize("doing", [at_rest, in_a_long_jog])
def test_a_steady_red_is_seen(doing: Doing, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the watch, and by who compares how the machine stands before and after."""

    def steady(self: Any) -> None:
        self.hal.lamp("red", True)
        self.hal.lamp("amber", False)

    async def story(client: Client, bench: Bench) -> None:
        before = standing(bench.rig)["lamps"]
        with monkeypatch.context() as patched:
            patched.setattr(Machine, "show", steady)
            await doing(client, bench)
        assert standing(bench.rig)["lamps"] != before
        assert any("steady" in one for one in bench.watch.broken)
        bench.watch.broken.clear()

    in_service(story)

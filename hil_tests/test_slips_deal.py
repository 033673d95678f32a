"""Slips in the lane of the shoe: what it does beside the cards is listened to at its parts."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from dovetail import garbage, start
from dovetail.calibration import DEAL, THICKNESS_OUT
from dovetail.faults import Fault

from hil_tests.bench import Bench
from hil_tests.test_rules_kept import at_the_machine
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S, STACK_S

TRAY_FULL = 501  # docs/faults.md


def test_a_free_beam_tells_its_sensors_what_nothing_looks_like() -> None:
    """EL-2 (in-process): before each stack, while no card stands in the deal beam."""
    looked: list[bool] = []

    async def body(bench: Bench) -> None:
        machine: Any = start.machine
        empty = machine.sensors.empty

        def seen(sensors: tuple[int, ...]) -> None:
            if sensors == (DEAL, THICKNESS_OUT):
                looked.append(bool(machine.shoe.beam.dark()))
            empty(sensors)

        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        machine.sensors.empty = seen
        await bench.deal(1)
        await bench.take(1)

    at_the_machine(body)
    assert looked == [False]


def test_a_remainder_is_told_when_its_last_card_has_arrived() -> None:
    """CT-6 I-3 (in-process): the machine waits for the tray, as it does for a stack."""
    waited: list[int] = []

    async def body(bench: Bench) -> None:
        machine: Any = start.machine
        arrived = machine.tray.arrived

        async def seen(since_ms: int) -> None:
            waited.append(since_ms)
            await arrived(since_ms)

        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        for position in range(1, bench.table.stacks + 1):
            await bench.deal(position)
            await bench.take(position)
        machine.tray.arrived = seen
        await bench.rest()
        assert (await bench.client.status()).round == bench.round  # it is not closed yet

    at_the_machine(body)
    assert len(waited) == 1


def test_a_stack_that_never_began_is_cut_short_and_counted() -> None:
    """DS-8 I-3 (in-process): no card has left the shoe, so no count of it is in doubt."""

    async def body(bench: Bench) -> None:
        machine: Any = start.machine

        def full() -> None:
            raise Fault(TRAY_FULL)

        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        since = len(bench.heard.events)
        machine.tray.empty = full
        await bench.client.deal(bench.round, 1)
        stack = (await bench.heard.wait("stack", since, STACK_S)).stack
        assert (stack.verdict, stack.delivered) == (link_pb2.CUT_SHORT, 0)

    at_the_machine(body)


def test_garbage_is_collected_early_while_something_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """EL-2 (in-process): the link asks for it after an answer; at rest it can wait for longer."""
    asked: set[tuple[bool, bool]] = set()
    tidy = cast(Any, garbage).tidy

    def seen(machine: Any, free: int) -> None:
        asked.add((bool(machine.motors.moving()), free == garbage.EARLY))
        tidy(machine, free)

    monkeypatch.setattr(garbage, "tidy", seen)

    async def body(bench: Bench) -> None:
        await bench.shuffle("red")
        for _ in range(8):
            await asyncio.sleep(0.3)
            await bench.client.status()
        await bench.heard.wait("ready", 0, SHUFFLE_S)
        await asyncio.sleep(1.0)
        await bench.client.status()

    at_the_machine(body)
    assert (True, True) in asked  # others ask as well, and never early
    assert (False, True) not in asked

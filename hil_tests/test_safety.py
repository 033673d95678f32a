"""Outputs come to their safe state; a motor supply that sags is a stop, a record and the truth."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.requests.handlers import HANDLERS  # pyright: ignore[reportUnknownVariableType]
from dovetail.safe import safe  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.power import records_of
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from sim.block import Block
from sim.inprocess import InProcess
from sim.loop import run

STORE_BYTES = 256 * 1024
LOGIC_MS = 60  # docs/hardware.md: so much longer than the motors the logic lives
CALL_S = 1.0


async def shuffling(rig: InProcess, client: Client, heard: Heard) -> None:
    """A deck on its way into the wheel."""
    rig.hands.load("red")
    await client.load(link_pb2.RED)
    await client.shuffle(link_pb2.RED)


async def emptying(rig: InProcess, client: Client, heard: Heard) -> None:
    """The same on its way out of it."""
    await shuffling(rig, client, heard)
    await heard.wait("shuffle_done", 0, 60)


async def dealing(rig: InProcess, client: Client, heard: Heard) -> None:
    """A stack on its way."""
    await emptying(rig, client, heard)
    await heard.wait("ready", 0, 60)
    await client.open_round(1, 2)
    await client.no_more_bets(1)
    await client.deal(1, 1)


async def at_the_line(rig: InProcess) -> tuple[Client, Heard, asyncio.Task[None]]:
    """The power is on, a controller has said hello."""
    firmware = asyncio.create_task(rig.start())
    client = bench_client(rig.transport, keys=of_seed(1), provision=True)
    heard = Heard(client)
    await client.hello()
    return client, heard, firmware


@pytest.mark.parametrize("after_ms", [60, 150, 240])
@pytest.mark.parametrize("story", [shuffling, emptying, dealing])
def test_brown_out(story: Any, after_ms: int) -> None:
    """Still, and on flash, before the logic goes too; afterwards the machine says what it was."""
    block = Block(STORE_BYTES)
    rig = InProcess(1, store=block)

    async def until_the_power_goes() -> None:
        client, heard, firmware = await at_the_line(rig)
        await story(rig, client, heard)
        while not rig.machine.moving():
            await asyncio.sleep(0.001)
        await asyncio.sleep(after_ms / 1000)
        while not rig.machine.moving():
            await asyncio.sleep(0.001)
        rig.machine.supply(False)
        await asyncio.sleep(LOGIC_MS / 1000)
        assert not any(axis.steps() for n, axis in rig.machine.axes.items() if n != "wheel")
        firmware.cancel()

    run(rig.world, until_the_power_goes())
    faults = [one for one in records_of(bytes(block.cells)) if one.kind == "fault"]
    assert [one.fields["fault"] for one in faults] == [704]
    again = InProcess(1, store=Block(STORE_BYTES, bytes(block.cells)))

    async def after_it() -> None:
        client, heard, firmware = await at_the_line(again)
        started = (await heard.wait("started", 0, 5)).started
        assert (started.last_fault, started.may_be_inside) == (704, True)
        status = await client.status()
        assert (status.state, status.fault) == (link_pb2.STOPPED, 706)
        with pytest.raises(Refused, match="EL-2"):
            await client.shuffle(link_pb2.RED)
        firmware.cancel()

    run(again.world, after_it())


def test_a_stop_calls_and_is_silent_again() -> None:
    """Red alone is lit; the buzzer sounds, and not for long."""
    rig = InProcess(1)

    async def story() -> None:
        client, heard, firmware = await at_the_line(rig)
        await shuffling(rig, client, heard)
        await asyncio.sleep(3)
        rig.hands.switch("lid", False)
        await asyncio.sleep(0.1)
        assert rig.machine.lamps == {"green": False, "amber": False, "red": True, "buzzer": True}
        await asyncio.sleep(CALL_S)
        assert rig.machine.lamps == {"green": False, "amber": False, "red": True, "buzzer": False}
        assert not rig.machine.enabled
        firmware.cancel()

    run(rig.world, story())


def test_every_output_has_its_safe_state() -> None:
    rig = InProcess(1)
    for name in ("green", "amber", "red"):
        rig.hal.lamp(name, True)
    rig.hal.buzzer(True)
    rig.hal.enable(True)
    safe(rig.hal)
    assert rig.machine.lamps == {"green": False, "amber": False, "red": True, "buzzer": False}
    assert not rig.machine.enabled


@pytest.mark.parametrize("phase", [1, 60, 150, 250, 399])
def test_a_rod_that_the_power_left_in_a_slot_is_drawn_out_first(phase: int) -> None:
    """Nobody has counted its steps: its sensor tells, before the wheel turns."""
    rig = InProcess(1)
    rig.machine.wheel.start = 700  # a slot stands there, or the rod would not be in it
    rig.machine.wheel.moved()
    rig.machine.axes["eject"].position = phase
    rig.machine.outfeed.moved()

    async def story() -> None:
        client, heard, firmware = await at_the_line(rig)
        await shuffling(rig, client, heard)
        await heard.wait("ready", 0, 60)
        firmware.cancel()

    run(rig.world, story())
    assert not rig.machine.wheel.torn


def test_a_request_within_a_jolt_stops_nothing() -> None:
    """The lid's switch opens for 2 ms, orders come just then: not now, and the shuffle goes on."""
    rig = InProcess(1)

    async def story() -> None:
        client, heard, firmware = await at_the_line(rig)
        await shuffling(rig, client, heard)
        machine, handlers = cast(Any, start.machine), cast(dict[str, Any], HANDLERS)
        for name in ("cleared", "open_round", "no_more_bets", "shuffle"):
            await asyncio.sleep(1.0)
            rig.machine.switch("lid", False)
            said = handlers[name](machine, {"round": 1, "players": 2, "back": 2})
            assert (said["outcome"], said["text"][:8]) == (link_pb2.NOT_NOW, "lid open")
            await asyncio.sleep(0.002)
            rig.machine.switch("lid", True)
        await heard.wait("ready", 0, 60)
        assert heard.all("fault") == []
        firmware.cancel()

    run(rig.world, story())

"""Noise that is bad at start, and how long a failure lasts: to a power-on whose tests pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from dovetail import faults, start  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.chance import kat

from hil_tests import memory
from hil_tests.bad_noise import NOISE, unavailable_with
from hil_tests.bench import Bench
from hil_tests.checkup import checked
from hil_tests.open_board import OpenBoard
from hil_tests.service import at_the_table, of_role
from hil_tests.twin import Twin
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.play.table import SHUFFLE_S
from sim.emulated.noise import Noise, alternating, biased, good, stuck, vanishing
from sim.emulated.raw import END, INTERRUPT, SECOND_NS
from sim.inprocess import InProcess
from sim.loop import run

INSIDE = 706
START_UP = 64 + 1024  # samples that are tested before any is used
WATCHDOG_LOAD = 0x4005_8004

BAD: dict[str, Callable[[], Noise]] = {
    "stuck": lambda: stuck(0),
    "alternating": alternating,
    "biased": lambda: biased(1, 0.1),
    "vanishing": lambda: vanishing(1, 700),
}


async def unavailable(bench: Bench) -> None:
    """The machine says why, and begins nothing."""
    await bench.client.hello()
    status = await bench.client.status()
    assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, NOISE)
    back = link_pb2.RED
    await bench.refused(bench.client.load(back), "EL-2", NOISE)
    await bench.refused(bench.client.shuffle(back), "EL-2", NOISE)
    await bench.refused(bench.client.cleared(), "EL-2", NOISE)


async def cards_may_be_inside(bench: Bench) -> None:
    """Randomness is trusted again; what is asked for is the deck whose shuffle had begun."""
    await bench.client.hello()
    status = await bench.client.status()
    assert (status.state, status.fault) == (link_pb2.STOPPED, INSIDE)
    assert status.may_be_inside


@pytest.mark.parametrize("kind", list(BAD))
def test_at_start_in_process(kind: str) -> None:
    whole = InProcess(1)
    whole.hal.noise.use(BAD[kind]())
    rig = rigs.Rig("in-process", whole.transport, None, None)

    async def story() -> None:
        bench = Bench(rig)
        await unavailable(bench)
        await bench.close()

    run(whole.world, rigs.beside(whole.start(), story()))


@pytest.mark.parametrize("kind", list(BAD))
def test_at_start_emulated(kind: str) -> None:
    board = OpenBoard(1, BAD[kind]())
    board.play(unavailable)
    assert len(board.samples) <= START_UP
    board.spoil(good(2))
    board.play(unavailable, board.chip.chip.reset)
    assert len(board.samples) <= START_UP  # not even tried


def test_only_a_power_on_ends_a_failure_in_play() -> None:
    board = OpenBoard(1)
    mcu = board.chip.chip.mcu
    causes: list[str] = []

    async def fails(bench: Bench) -> None:
        identity = await bench.client.hello()
        twin = Twin(identity.serial, identity.boots)
        twin.start(board.samples)
        assert memory.find_bytes(board.ram(), twin.live())
        await unavailable_with(bench, vanishing(1, 100))
        assert not memory.find_bytes(board.ram(), twin.secrets)  # keys and all

    async def still_unavailable(bench: Bench) -> None:
        read = len(board.samples)
        await unavailable(bench)
        causes.append(bench.heard.all("started")[-1].started.cause)
        assert len(board.samples) == read

    board.play(fails)
    board.spoil(good(3))
    board.play(still_unavailable, lambda: mcu.write_uint32(WATCHDOG_LOAD, 1))  # runs out at once
    board.play(still_unavailable, board.chip.chip.reset)
    board.play(still_unavailable, lambda: mcu.write_uint32(WATCHDOG_LOAD, 1))
    assert causes == ["watchdog", "reset", "watchdog"]
    board.spoil(stuck(1))
    board.play(unavailable)
    board.spoil(good(4))
    board.play(cards_may_be_inside)


def test_a_soft_reset_on_the_bench_is_no_power_on() -> None:
    board = OpenBoard(1, stuck(0), "bench")
    causes: list[str] = []

    async def fails(bench: Bench) -> None:
        await unavailable(bench)
        causes.append(bench.heard.all("started")[-1].started.cause)

    def soft_reset() -> None:
        chip = board.chip
        said = bytearray()
        chip.prompt.on_bytes = said.extend
        for keys, answer in ((INTERRUPT, b"\n>>> "), (END, b"soft reboot")):
            chip.prompt.write(keys)
            end = chip.now_ns() + SECOND_NS
            while answer not in said:
                assert chip.now_ns() < end, bytes(said)
                chip.advance(chip.now_ns() + 1_000_000)

    board.play(fails)
    read = len(board.samples)
    assert read
    board.spoil(good(2))
    board.play(fails, soft_reset)
    assert len(board.samples) == read  # not even tried
    assert causes == ["power", "reset"]


def wrong(_: object) -> bool:
    """A known answer that never comes out."""
    return False


def firmware() -> Any:
    """The firmware's own machine."""
    return start.machine


async def is_unavailable(client: Client) -> None:
    """For want of randomness, whatever else is wrong."""
    status = await client.status()
    assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, NOISE)


@pytest.mark.parametrize("before", [0, faults.MISFEED])
def test_a_known_answer_that_is_wrong_in_the_self_test(
    before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EL-4: asked for by service, and what else is wrong does not hide it."""

    async def story(rig: rigs.Rig) -> None:
        bench = Bench(rig)
        await bench.client.hello()
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        if before:
            firmware().stop(before)
            await asyncio.sleep(1.0)
        monkeypatch.setattr(kat, "passes", wrong)
        checks, _ = await checked(bench, service)
        assert checks["randomness"] == "chance: kat"
        monkeypatch.undo()
        assert firmware().state.down  # on flash: only a power-on ends it
        await service.leave()
        async with at_the_table(bench) as table:
            await is_unavailable(table.client)

    rigs.in_process(rigs.Wanted(6), story)


def test_the_first_card_does_not_hide_that_noise_has_failed() -> None:
    """EL-4: the card that is staged meanwhile never comes."""

    async def story(rig: rigs.Rig) -> None:
        bench = Bench(rig)
        await bench.client.hello()
        assert rig.spoil is not None
        rig.spoil(stuck(1))
        since = len(bench.heard.events)
        await bench.shuffle()
        await bench.fault(since, "chance", "randomness failed its test", SHUFFLE_S)
        await is_unavailable(bench.client)
        await bench.close()

    rigs.in_process(rigs.Wanted(7, faults={"infeed.stuck": {1}}), story)

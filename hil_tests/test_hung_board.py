"""The image that is flashed, its processor hung in play: nothing goes further than planned."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from dovetail import faults

from hil_tests.bench import Bench
from hil_tests.open_board import OpenBoard
from host_tools.evidence.drawn import drawn
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S
from sim.axis import Axis

SEED = 4
MOMENTS = 2  # of a share
LOOP_AT = 0x20040000  # the second core's stack, which nobody uses
LOOP = 0xE7FE_E7FE  # a jump to itself
WATCHDOG_S = 2.0
LONGEST_S = 0.3  # no planned move takes so long
Story = Callable[[Bench], Awaitable[None]]


def hang(board: OpenBoard, deaf: bool) -> None:
    """Nothing but this jump is executed any more; deaf: nor any interrupt."""
    mcu = board.chip.chip.mcu
    mcu.write_uint32(LOOP_AT, LOOP)
    mcu.core.pc = LOOP_AT
    mcu.core.waiting = False
    mcu.core.pm = deaf


async def filling(bench: Bench) -> None:
    """Cards on their way into the wheel."""
    await bench.shuffle("red")
    await asyncio.sleep(3.0)


async def emptying(bench: Bench) -> None:
    """And out of it."""
    await bench.shuffle("red")
    await bench.heard.wait("shuffle_done", 0, SHUFFLE_S)
    await asyncio.sleep(0.5)


async def dealing(bench: Bench) -> None:
    """A stack on its way."""
    await bench.ready("red")
    await bench.open()
    await bench.no_more_bets()
    await bench.client.deal(bench.round, 1)
    await asyncio.sleep(0.1)


HUNG = (
    (filling, 0, True),
    (filling, 60, False),
    (filling, 130, True),
    (emptying, 0, False),
    (emptying, 45, True),
    (dealing, 20, True),
)


@pytest.mark.slow
@pytest.mark.proof(name="hung_board")
@pytest.mark.parametrize(("at_work", "after_ms", "deaf"), drawn("hung board", HUNG, MOMENTS))
def test_a_board_that_hangs_in_play(at_work: Story, after_ms: int, deaf: bool) -> None:
    """Every axis ends its move; the watchdog lets the drivers go; cards are said to be inside."""
    board = OpenBoard(seed=SEED)
    machine = board.machine
    drove: list[tuple[float, bool]] = []
    enable = machine.enable

    def noted(on: bool) -> None:
        drove.append((board.chip.now_ns() / 1e9, on))
        enable(on)

    setattr(machine, "enable", noted)  # noqa: B010

    async def story(bench: Bench) -> None:
        await bench.client.hello()
        await at_work(bench)
        await asyncio.sleep(after_ms / 1000)
        hung_s = board.chip.now_ns() / 1e9
        hang(board, deaf)
        await asyncio.sleep(LONGEST_S)
        where = places(machine.axes)
        await asyncio.sleep(WATCHDOG_S - LONGEST_S - 0.3)
        assert places(machine.axes) == where
        assert not machine.infeed.crashed
        assert not machine.wheel.torn
        await asyncio.sleep(1.5)
        off_s = [at for at, on in drove if at > hung_s and not on]
        assert off_s
        assert off_s[0] - hung_s <= WATCHDOG_S + 0.01
        assert not any(on for at, on in drove if at > hung_s)
        bench.watch.clearing()
        status = await again(bench)
        assert (status.fault, status.may_be_inside) == (faults.INSIDE, True)
        assert status.state == link_pb2.STOPPED

    board.play(story)


def places(axes: dict[str, Axis]) -> dict[str, int]:
    """In steps."""
    return {name: axis.position for name, axis in axes.items()}


async def again(bench: Bench) -> link_pb2.Status:
    """A new session with a machine that has begun anew."""
    await bench.client.close()
    client = bench.rig.client()
    try:
        await client.hello()
        return await client.status()
    finally:
        await client.close()

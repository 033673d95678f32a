"""Two cards that come one close behind the other, by any offset: never dealt or counted as one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import cast
from unittest import mock

import pytest
from dovetail.motion.axis import Axis

from boards import mechanics as M
from host_tools.campaign.draw import DEALING, FILLING, Trouble
from host_tools.campaign.met import Met
from host_tools.campaign.sessions import Standing
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.plants import deal
from sim.plants.catalogue import SIZES
from sim.plants.record import Size

SEED = 3
NOT_COUNTED = 6  # verdict of a stack: more may lie in the tray
SPREAD = (0, -1, 1)  # times the spread of a new deck's thickness
CLOSE = range(200, 5000, 300)
ALL = (*CLOSE, *range(5000, 63500, 1500), 27400, 27600, 59400, 59600, 63400)
SOME = (500, 2500, 4500, 8500, 12000, 16000, 20000, 24000, 28000, 34000, 42000, 58000)


def of_size(plant: str, um: int) -> AbstractContextManager[object]:
    """What is planted is so large, also where a campaign draws none like it."""
    return mock.patch.dict(SIZES, {plant: Size("um", um, um, um)})


def at_work(nth: int) -> Standing:
    """With cards as thick, or as thin, as those of a new deck may be."""
    standing = Standing(SEED)
    for deck in standing.whole.hands.decks.values():
        for card in deck:
            card.layer = M.THICKNESS_CARD * (20 + SPREAD[nth % 3]) // 20
    return standing


def dealt(
    um: int, nth: int, *others: str, late_ms: int = 0
) -> tuple[Met, list[tuple[int, int, int]]]:
    """One card of a stack, so far before the next: counted, the verdict, and what is there."""
    standing = at_work(um // 100)
    there, stacks = standing.player.machine.deal, list[tuple[int, int, int]]()
    finish = cast(Callable[[Axis], Awaitable[None]], Axis.finish)  # pyright: ignore[reportUnknownMemberType]

    async def late(self: Axis) -> None:
        two = there.behind is not None and cast(str, self.name) == "deal"
        await finish(self)
        if two:
            await asyncio.sleep(late_ms / 1000)

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "stack":
            true = len(there.tray) + len(there.chute)
            stacks.append((event.stack.delivered, event.stack.verdict, true))

    standing.player.client.on_event.append(hear)
    at = 1 + nth % 3
    plants = tuple((name, at) for name in ("deal.overlap", *others))
    with of_size("deal.overlap", um), mock.patch.object(Axis, "finish", late):
        met = standing.meet(Trouble(DEALING, plants))
        standing.end()
    return met, stacks


def proved(stacks: list[tuple[int, int, int]], *case: object) -> None:
    """What is told of a stack is what lies there; where it was not counted, as much at least."""
    assert stacks, case
    for counted, verdict, true in stacks:
        assert counted <= true, (case, stacks)
        assert counted == true or verdict == NOT_COUNTED, (case, stacks)


def test_at_the_shoe() -> None:
    """I-3: both have gone, and count; or the second stands in the beam; or out too far."""
    met = {um: dealt(um, nth) for nth, um in enumerate(ALL)}
    for um, (_, stacks) in met.items():
        proved(stacks, um)
    assert all(met[um][0].fault == 0 for um in CLOSE if um < M.STAGE_UM)
    assert {met[um][0].fault for um in ALL if M.STAGE_UM < um < 59_500} == {402, 407}


@pytest.mark.parametrize("slip_um", [2000, 3000, 3900, 4100, 6000, 8000, 12000])
def test_at_the_shoe_when_the_first_one_slips(slip_um: int) -> None:
    """It is late, and helped on; the second one comes along."""
    with of_size("deal.slip", slip_um):
        for nth, um in enumerate(SOME):
            proved(dealt(um, nth, "deal.slip")[1], slip_um, um)


@pytest.mark.parametrize("missed_um", [30000, 40000, 50000, 60000])
def test_at_the_shoe_when_the_first_one_stands_out(missed_um: int) -> None:
    """Nobody knows how far: the roller turns on when it has gone, and takes the second along."""
    with mock.patch.object(deal, "_MISSED_UM", missed_um):
        for nth, um in enumerate(SOME):
            proved(dealt(um, nth, "deal.misfeed")[1], missed_um, um)


@pytest.mark.parametrize("late_ms", [30, 60, 66, 70, 74, 78, 90, 150])
def test_at_the_shoe_when_python_is_late(late_ms: int) -> None:
    """The first has slid out of the sensor, and the second not yet: that reading is none."""
    for nth, um in enumerate((*CLOSE, 10000)):
        proved(dealt(um, nth, late_ms=late_ms)[1], late_ms, um)
    with of_size("deal.slip", 3000):  # and the second one is helped on
        proved(dealt(10000, 1, "deal.slip", late_ms=late_ms)[1], late_ms)


@pytest.mark.parametrize("at", [1, 20, 50])
def test_at_the_count_station(at: int) -> None:
    """By thickness, by length, or by the beam that stays dark: before it counts."""
    for um in (*ALL[::3], 60500, 62000, 63400, 64000):
        standing = at_work(um // 100)
        with of_size("infeed.overlap", um):
            met = standing.meet(Trouble(FILLING, (("infeed.overlap", at),)))
            assert standing.end() == []
        assert met.struck == ("infeed.overlap",)
        assert met.wrong == []
        assert met.fault in (102, 103, 104, 106), um

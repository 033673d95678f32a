"""A move that never comes to its end: told in time, whichever axis, and whoever waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from dovetail import faults, start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import Bench
from host_tools import rigs
from host_tools.play.table import SHUFFLE_S
from host_tools.rigs import Rig
from sim.axis import Profile
from sim.hal import Stepper

REPORT_S = 0.25  # I-4


class Hung:
    """Stops the steps of one move of an axis on its way, and its end with them."""

    def __init__(self, rig: Rig, axis: str, nth: int, part: float) -> None:
        assert rig.machine is not None
        self.due_s = 0.0  # when it would have ended
        self._left, self._part = nth, part
        self._stepper = stepper_of(axis)
        self._axis = rig.machine.axes[axis]
        self._begin = self._axis.begin
        self._now_s = rig.now_s
        setattr(self._axis, "begin", self._began)  # noqa: B010

    def _began(self, profile: Profile, reverse: bool, on_end: Callable[[], None]) -> None:
        self._begin(profile, reverse, on_end)
        self._left -= 1
        if self._left == 0:
            now, whole_ns = self._now_s(), profile.sum_us(profile.total) * 1000
            assert now is not None
            self.due_s = now + whole_ns / 1e9
            world = self._axis.world
            world.at(world.now_ns() + round(whole_ns * self._part), self._hang)

    def _hang(self) -> None:
        before = self._axis.overrun
        self._stepper.hang()
        self._axis.overrun = before  # I-6: it was not the firmware that stopped the wheel dead


def stepper_of(axis: str) -> Stepper:
    """The firmware's own."""
    machine: Any = start.machine
    of = {
        "pick": lambda: machine.feeder.pick,
        "feed": lambda: machine.feeder.feed,
        "wheel": lambda: machine.wheel.axis,
        "eject": lambda: machine.ejector.axis,
        "deal": lambda: machine.shoe.roller,
    }
    found: Stepper = of[axis]().stepper
    return found


def live(axis: str, nth: int, part: float, during: str) -> None:
    """The nth move of this axis, counted from there, hangs when so much of its time is over."""

    async def body(rig: Rig) -> None:
        bench = Bench(rig)
        try:
            await bench.prepare()
            if during == "dealing":
                await bench.ready("red")
                await bench.open()
                await bench.no_more_bets()
            elif during == "clearing":
                await lid(bench)
            since = len(bench.heard.events)
            hung = Hung(rig, axis, nth, part)
            if during == "dealing":
                await bench.step(bench.client.deal(bench.round, 1))
            elif during == "clearing":
                await bench.step(bench.table.ask(bench.client.cleared, "cleared"))
            else:
                await bench.shuffle("red")
            event = await bench.fault(since, "motion", "move not finished in time", SHUFFLE_S)
            now = rig.now_s()
            assert now is not None
            assert event.fault.fault == faults.MOVE_LATE
            assert 0 < hung.due_s <= now <= hung.due_s + REPORT_S
            await asyncio.sleep(0.3)
            assert rig.machine is not None
            assert not rig.machine.enabled
            assert not any(one.profile for one in rig.machine.axes.values())
            await bench.hands.clear()
            await bench.cleared()  # the axis moves again
            await bench.ready("blue")
            bench.watch.check()
        finally:
            await bench.close()

    rigs.in_process(rigs.Wanted(seed=6), body)


async def lid(bench: Bench) -> None:
    """A shuffle that was interrupted, all of it taken out."""
    await bench.shuffle("red")
    await asyncio.sleep(3.0)
    since = len(bench.heard.events)
    await bench.hands.switch("lid", False)
    await bench.fault(since, "interlock", "lid open", 2.0)
    await bench.hands.switch("lid", True)
    await bench.hands.clear()
    bench.watch.clearing()


MOVES = (
    ("pick", 1, "shuffling"),
    ("pick", 9, "shuffling"),
    ("feed", 1, "shuffling"),
    ("feed", 9, "shuffling"),
    ("wheel", 3, "shuffling"),  # across its home mark
    ("wheel", 12, "shuffling"),
    ("eject", 5, "shuffling"),
    ("deal", 1, "dealing"),
    ("deal", 3, "dealing"),
    ("wheel", 9, "clearing"),
    ("eject", 9, "clearing"),
)
# Towards the home mark: the move is planned for a whole turn and ends at the mark.
TO_HOME = (("wheel", 1, "shuffling"), ("wheel", 1, "clearing"))


@pytest.mark.parametrize("part", [0.05, 0.5, 0.97])
@pytest.mark.parametrize(("axis", "nth", "during"), MOVES)
def test_a_move_that_never_ends_is_told(axis: str, nth: int, during: str, part: float) -> None:
    live(axis, nth, part, during)


@pytest.mark.parametrize("part", [0.01, 0.05])
@pytest.mark.parametrize(("axis", "nth", "during"), TO_HOME)
def test_so_is_a_wheel_that_never_meets_its_mark(
    axis: str, nth: int, during: str, part: float
) -> None:
    live(axis, nth, part, during)

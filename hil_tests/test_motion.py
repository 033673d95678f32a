"""What the axes must not do unnoticed: each fault is found by the check that is meant to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from dovetail.faults import row  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.feeder import Feeder  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.wheel import Wheel  # pyright: ignore[reportUnknownVariableType]

from boards import mechanics as M
from host_tools.link import link_pb2
from host_tools.link.client import bench_client
from host_tools.link.keys import of_seed
from sim.inprocess import InProcess
from sim.loop import run
from sim.parts import Input

FULL_STEP = 4  # steps of the driver: a motor loses no less
AT_CARD = 9  # by then the wheel has turned far, and cards lie in it


def shuffled(plant: Callable[[InProcess], None], seed: int = 4) -> tuple[InProcess, str]:
    """A shuffle in which something is planted; `station: name` of what is told first, or ready."""
    rig = InProcess(seed)
    plant(rig)

    async def play() -> str:
        firmware = asyncio.create_task(rig.start())
        client = bench_client(rig.transport, keys=of_seed(seed), provision=True)
        await client.hello()
        rig.hands.load("red")
        await client.load(link_pb2.RED)
        await client.shuffle(link_pb2.RED)
        event = await client.wait_for("trying", "ready", "fault", timeout_s=60)
        firmware.cancel()
        number = event.trying.fault or event.fault.fault
        return "{2}: {1}".format(*row(number)) if number else "ready"

    return rig, run(rig.world, play())


def in_a_turn(rig: InProcess, do: Callable[[int], None]) -> None:
    """Once, early in a long turn after the ninth card; told is the way the wheel turns, 1 or -1."""
    wheel = rig.machine.wheel
    done = False
    last = 0

    def ticked(dark: bool) -> None:
        nonlocal done, last
        way = 1 if wheel.axis.position > last else -1
        last = wheel.axis.position
        profile = wheel.axis.profile
        if not done and profile is not None and len(wheel.seated) >= AT_CARD:
            done = profile.total >= 12 * M.SLOT_STEPS and wheel.axis.steps() > 3 * M.SLOT_STEPS
            if done:
                do(way)

    rig.machine.inputs["tick"].listeners.append(ticked)


def slip(times: int) -> Callable[[InProcess], None]:
    """The wheel loses a full step so many times, one soon after the other."""

    def plant(rig: InProcess) -> None:
        world, wheel = rig.world, rig.machine.wheel

        def lose(left: int, way: int) -> None:
            wheel.start -= way * FULL_STEP
            wheel.moved()
            if left > 1:
                world.at(world.now_ns() + 1_000_000, lambda: lose(left - 1, way))

        in_a_turn(rig, lambda way: lose(times, way))

    return plant


class Veiled(Input):
    """A mark whose wire shows something else than what is there."""

    def __init__(self, seen: Input, shows: Callable[[bool], bool]) -> None:
        super().__init__(seen.name)
        self.seen, self.shows = seen, shows

    def set(self, dark: bool) -> None:
        """What the wire then shows."""
        self.seen.set(self.shows(dark))


def veil(rig: InProcess, name: str, shows: Callable[[bool], bool]) -> None:
    """Home mark or tick."""
    setattr(rig.machine.wheel, name, Veiled(rig.machine.inputs[name], shows))


def no_tick(rig: InProcess) -> None:
    """The ticks are not seen any more from the ninth card on."""
    seated = rig.machine.wheel.seated
    veil(rig, "tick", lambda dark: dark and len(seated) < AT_CARD)


def no_home(rig: InProcess) -> None:
    """The home mark is never seen."""
    veil(rig, "home", lambda dark: False)


def narrow_home(rig: InProcess) -> None:
    """Something as narrow as a tick is taken for the home mark."""
    wheel = rig.machine.wheel

    def shows(dark: bool) -> bool:
        return dark and (wheel.angle() + M.TICK_HALF_STEPS) % M.WHEEL_STEPS_REV <= M.SLOT_STEPS // 2

    veil(rig, "home", shows)


def second_index(rig: InProcess) -> None:
    """From the ninth card on there is a second mark, between two slots."""
    wheel = rig.machine.wheel

    def shows(dark: bool) -> bool:
        between = M.TICK_HALF_STEPS < wheel.angle() - 5 * M.SLOT_STEPS < M.SLOT_STEPS // 2
        return dark or (between and len(wheel.seated) >= AT_CARD)

    veil(rig, "home", shows)


def stuck(rig: InProcess) -> None:
    """A staged card sticks where it lies."""

    def stick(way: int) -> None:
        for passenger in rig.machine.infeed.path:
            passenger.limit = max(passenger.x, M.STAGED_UM)

    in_a_turn(rig, stick)


@dataclass(frozen=True)
class Case:
    """What is planted, what must be said, and the check that finds it."""

    plant: Callable[[InProcess], None]
    told: str
    owner: type
    check: str


def _nothing(*_: object) -> None:
    """A check that was removed."""


CASES = {
    "a lag of two full steps": Case(slip(2), "wheel: lost steps", Wheel, "_ticks"),
    "a lag of a slot": Case(slip(25), "wheel: lost steps", Wheel, "_ticks"),
    "no tick": Case(no_tick, "wheel: lost steps", Wheel, "_ticks"),
    "a second index": Case(second_index, "wheel: position lost", Wheel, "_index"),
    "no home mark": Case(no_home, "wheel: no home mark", Wheel, "_marked"),
    "a false home mark": Case(narrow_home, "wheel: no home mark", Wheel, "_marked"),
    "a staged card sticks": Case(stuck, "feeder: jam", Feeder, "_gone"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fault_of_motion_is_found(name: str) -> None:
    case = CASES[name]
    rig, told = shuffled(case.plant)
    assert told == case.told
    assert rig.machine.infeed.crashed == rig.machine.wheel.torn == 0


@pytest.mark.parametrize("name", CASES)
def test_without_its_check_it_is_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test above is a test of this check."""
    case = CASES[name]
    monkeypatch.setattr(case.owner, case.check, _nothing)
    _, told = shuffled(case.plant)
    assert told != case.told

"""What wear and load do to the machine, and which check of the firmware stands between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from dovetail import faults
from dovetail.stations.shoe import Shoe  # pyright: ignore[reportUnknownVariableType]

from hil_tests.bench import Bench
from hil_tests.test_planted import on
from host_tools.link.errors import Faulted
from host_tools.play.table import BACKS, SHUFFLE_S
from sim.inprocess import InProcess
from sim.plants import supply

SEED = 5
STRUCK = 8  # the card of the shoe that is torn
TORN_UM = 10000  # as little as is surely found with a chute that is off by a twentieth
NICKED_UM = 2000


def first_fault(plant: Callable[[InProcess], None]) -> tuple[int, int]:
    """Its number and card, of a shuffle and a round; 0 and 0 when there was none."""
    whole = InProcess(SEED)
    found = [(0, 0)]

    async def story(bench: Bench) -> None:
        since = len(bench.heard.events)
        try:
            plant(whole)
            back = await bench.shuffle("red")
            await bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS[back])
            await bench.whole_round()
        except Faulted as error:
            found[0] = (error.event.fault.fault, error.event.fault.card)

    on(whole, story)
    return found[0]


# -- the shoe: how long each card is, by when its end leaves the beam ------------------------------


def torn(um: int, chute: float) -> Callable[[InProcess], None]:
    """The eighth card into the shoe loses so much of its end there; a chute so quick."""

    def plant(whole: InProcess) -> None:
        deal = whole.machine.deal
        deal.chute_um_s = round(deal.chute_um_s * chute)
        drop, dropped = deal.drop, 0

        def fallen(cards: list[Any]) -> None:
            nonlocal dropped
            dropped += 1
            if dropped == STRUCK and um:
                cards[0].spoil(longer_um=-um)
            drop(cards)

        setattr(deal, "drop", fallen)  # noqa: B010

    return plant


@pytest.mark.parametrize("chute", [0.95, 1.0, 1.05])
@pytest.mark.parametrize(
    ("um", "told"), [(0, (0, 0)), (NICKED_UM, (0, 0)), (TORN_UM, (faults.DEAL_LENGTH, STRUCK))]
)
def test_a_torn_card_is_told_at_the_shoe(um: int, told: tuple[int, int], chute: float) -> None:
    """And no whole one, with any chute that the mechanics may have."""
    assert first_fault(torn(um, chute)) == told


def never(*_: object) -> bool:
    """A check that was removed."""
    return False


def test_without_its_check_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next card is drawn too far out with it, and blamed."""
    monkeypatch.setattr(Shoe, "_short", never)
    assert first_fault(torn(TORN_UM, 1.0)) == (faults.DEAL_SLIP, STRUCK + 1)


# -- the motor supply: it sags by what the axes draw -----------------------------------------------


def weak(ohm: float) -> Callable[[InProcess], None]:
    """A source of so much resistance, from power-on."""
    return lambda whole: whole.machine.motor_supply.load(ohm)


def test_a_weak_supply_is_told_before_steps_are_lost() -> None:
    """It is under its threshold only while axes swing: that is when it is looked at."""
    for ohm in (supply.WEAK_OHM, supply.SPENT_OHM):
        assert first_fault(weak(ohm))[0] == faults.SUPPLY_LOST


def test_a_tired_one_does_no_harm() -> None:
    """Down to 20 V the motors have their torque, and the threshold lies under that."""
    whole: list[InProcess] = []

    def plant(one: InProcess) -> None:
        weak(0.5)(one)
        whole.append(one)

    assert first_fault(plant) == (0, 0)
    machine = whole[0].machine
    assert machine.motor_supply.least_v < 23.0
    assert not any(axis.lost for axis in machine.axes.values())


FELL = {faults.LOST_STEPS, faults.WHEEL_HOME, faults.WHEEL_LOST, faults.FEED_JAM}


@pytest.mark.parametrize(("ohm", "told"), [(1.7, FELL), (3.2, {faults.MISFEED})])
def test_where_nobody_looks_at_the_supply_the_sensors_tell(ohm: float, told: set[int]) -> None:
    """Steps are lost then, and no card goes astray: the second line of defence.

    First they fall out at full speed; with still less torque the pick roller does not even start.
    """
    whole: list[InProcess] = []

    def plant(one: InProcess) -> None:
        weak(ohm)(one)
        whole.append(one)
        level = one.hal.level

        def blind(channel: str) -> int:
            return 3200 if channel == "supply" else level(channel)

        setattr(one.hal, "level", blind)  # noqa: B010
        # Nor does the watch: what moves on a supply that nobody looks at is not still in time.
        setattr(one.machine.motor_supply, "_note_low", lambda: None)  # noqa: B010

    number, _ = first_fault(plant)
    machine = whole[0].machine
    assert number in told
    assert sum(axis.lost for axis in machine.axes.values()) > 0
    assert machine.infeed.crashed == machine.wheel.torn == 0


# -- the motors: a ramp that is steeper than the mechanics stand -----------------------------------


@pytest.mark.parametrize(
    ("name", "told"), [("feed", faults.FEED_JAM), ("wheel", faults.WHEEL_HOME)]
)
def test_a_ramp_twice_as_steep_is_not_followed(name: str, told: int) -> None:
    whole: list[InProcess] = []

    def steep(one: InProcess) -> None:
        whole.append(one)
        axis = one.machine.axes[name]
        axis.pull_s /= 2  # what the mechanics stand, by what the firmware asks

    assert first_fault(steep)[0] == told
    assert whole[0].machine.axes[name].lost > 0


# -- a wire to a driver that is broken ------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "number"),
    [
        (["pick"], faults.MISFEED),
        (["pick", "feed", "wheel", "eject", "deal"], faults.MISFEED),  # ENABLE's
        (["feed"], faults.FEED_JAM),
        (["wheel"], faults.WHEEL_HOME),
        (["eject"], faults.SLOT_EMPTY),
        (["deal"], faults.DEAL_MISFEED),
    ],
)
def test_a_motor_that_does_not_turn(axes: list[str], number: int) -> None:
    """I-4: as docs/hardware.md says of its wire."""

    def block(whole: InProcess) -> None:
        for axis in axes:
            whole.machine.axes[axis].block(True)

    assert first_fault(block)[0] == number

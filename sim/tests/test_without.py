"""When a plant shows: the first sensor that says something else than without it, and no sooner."""

from __future__ import annotations

from random import Random
from unittest import mock

import pytest

from boards import mechanics as M
from sim.card import new_deck
from sim.faults import Faults, Shown
from sim.hands import Hands
from sim.loop import HeapWorld
from sim.machine import Machine
from sim.profile import Profile
from sim.without import Without, follow, followers, leave, sync

STEP_US = 1000  # slow enough for every motor
STEP_MM = 1000 / M.ROLLER_STEPS_M
LENGTH_MM = M.CARD_LENGTH_UM / 1000
BEAM_MM = M.DEAL_BEAM_UM / 1000
CHUTE_MM_S = M.CHUTE_UM_S / 1000


class Rig:
    """A machine with three cards in the shoe, and these plants, each at its first passage."""

    def __init__(self, *plants: str) -> None:
        self.world = HeapWorld()
        self.machine = Machine(self.world, faults=Faults())
        self.hands = Hands(self.machine, ("red",))
        self.machine.enable(True)
        self.machine.deal.drop(new_deck("red", 3, Random(1)))
        for plant in plants:
            self.faults.plant(plant, {1})
        follow(self.machine, self.hands, list(plants))
        self.machine.lay()

    @property
    def faults(self) -> Faults:
        """What is planted."""
        return self.machine.faults

    def turn(self, mm: float) -> None:
        """Turn the deal roller so far, at one speed, and wait until everything lies still."""
        steps = round(mm / STEP_MM)
        self.machine.axes["deal"].begin(Profile([0], [0], 0, steps, STEP_US), False, lambda: None)
        self.wait(steps * STEP_US / 1e6 + 1)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.world.advance(self.world.now_ns() + round(seconds * 1e9))

    def shown(self) -> dict[str, Shown]:
        """When each has shown."""
        sync(self.machine)
        assert self.faults.astray == []
        return {one.name: shown for one, shown in self.faults.shown.items()}


def after(mm: float, chute_mm: float = 0.0) -> object:
    """When the roller has turned so far, and a card has slid so far down the chute."""
    seconds = mm / STEP_MM * STEP_US / 1e6 + chute_mm / CHUTE_MM_S
    return pytest.approx(seconds * 1e9, abs=2 * STEP_US * 1000)


@pytest.mark.parametrize(
    ("plant", "at"),
    [
        ("deal.slip", after(BEAM_MM)),  # the card ought to be there
        ("deal.slip@500", after(BEAM_MM)),
        ("deal.ahead", after(BEAM_MM - 6)),  # it is there already
        ("deal.stuck", after(BEAM_MM)),
        ("deal.jam@50000", after(LENGTH_MM, BEAM_MM)),  # it ought to have left the beam
        ("deal.dark", after(LENGTH_MM, BEAM_MM)),
        ("deal.blind", after(BEAM_MM)),
        ("deal.flicker", after(BEAM_MM)),
        ("deal.torn@12000", after(LENGTH_MM - 12, BEAM_MM)),  # it leaves the beam too soon
        ("deal.lost@200", after(BEAM_MM)),
    ],
)
def test_a_plant_shows_at_the_first_edge_that_differs(plant: str, at: object) -> None:
    rig = Rig(plant)
    rig.turn(LENGTH_MM + M.STAGE_UM / 1000)
    shown = rig.shown()[plant.partition("@")[0]]
    assert shown.ns == at
    assert not shown.read


def test_nothing_shows_of_what_has_not_struck() -> None:
    rig = Rig("exit.jam")
    rig.turn(LENGTH_MM)
    assert rig.shown() == {}
    assert len(followers(rig.machine)) == 1


def test_what_the_firmware_never_reads_does_not_show() -> None:
    """A dead sensor of the shoe says so when it is read, and no sooner."""
    rig = Rig("shoe.dead")
    rig.turn(10)
    assert rig.shown() == {}
    before = rig.world.now_ns()
    rig.machine.level("shoe")
    assert rig.shown()["shoe.dead"] == Shown(before, True)


@pytest.mark.parametrize(("bent", "shows"), [(False, False), (True, True)])
def test_a_reading_shows_what_can_be_made_of_it(bent: bool, shows: bool) -> None:
    """A quarter too much of one card is one card; of a card bent by a third it is not."""
    rig = Rig("thickness_out.drift")
    if bent:
        for deal in (rig.machine.deal, *(one.other.deal for one in followers(rig.machine))):
            deal.held[0].spoil(bend_um=300)
    rig.turn(BEAM_MM + 5)
    rig.machine.level("thickness_out")
    assert bool(rig.shown()) == shows


@pytest.mark.parametrize("plant", ["deal.double_feed", "deal.bent_pair", "deal.triple_feed"])
def test_what_lies_before_a_sensor_shows_also_when_nobody_reads_it(plant: str) -> None:
    """Edge on edge they make the edges of one card: the roller stands, and two could be read."""
    rig = Rig(plant)
    rig.turn(BEAM_MM + 5)
    shown = rig.shown()[plant]
    assert shown.ns == after(BEAM_MM + 5)


def test_an_empty_tray_tells_nothing_until_a_card_has_come() -> None:
    """A hand may have taken what lay there."""
    rig = Rig()
    rig.turn(LENGTH_MM + 1)
    rig.machine.level("tray")
    rig.faults.plant("tray.dead", {1})
    follow(rig.machine, rig.hands, ["tray.dead"])
    rig.machine.level("tray")
    assert [one.name for one in rig.faults.struck] == ["tray.dead"]
    assert rig.shown() == {}
    rig.turn(LENGTH_MM + 1)
    rig.machine.level("tray")
    _, lies_there = rig.machine.deal.arrivals[-1]
    assert rig.shown()["tray.dead"] == Shown(lies_there, True)


def test_an_empty_infeed_tells_nothing_until_the_pick_has_brought_a_card() -> None:
    """Somebody may bring cards late."""
    rig = Rig("infeed.dead")

    def turn(mm: float) -> None:
        steps = round(mm / STEP_MM)
        rig.machine.axes["pick"].begin(Profile([0], [0], 0, steps, STEP_US), False, lambda: None)
        rig.wait(steps * STEP_US / 1e6 + 1)

    rig.hands.load("red")
    turn(5)
    assert [one.name for one in rig.faults.struck] == ["infeed.dead"]
    rig.machine.level("infeed")
    assert rig.shown() == {}
    began = rig.world.now_ns()
    turn(M.ENTRY_BEAM_UM / 1000)
    more_mm = M.ENTRY_BEAM_UM / 1000 - 5
    assert rig.shown()["infeed.dead"].ns - began == after(more_mm)


def test_each_of_two_shows_by_itself() -> None:
    """A machine without one of them has the other all the same."""
    rig = Rig("deal.slip", "deal.dark")
    rig.turn(LENGTH_MM + M.STAGE_UM / 1000 + 8)
    shown = rig.shown()
    assert shown["deal.slip"].ns == after(BEAM_MM)
    assert shown["deal.dark"].ns == after(LENGTH_MM + 8, BEAM_MM)


def test_two_that_hide_each_other_show_together() -> None:
    """A card that the roller misses does not come; without that it is stuck all the same."""
    rig = Rig("deal.misfeed", "deal.stuck")
    rig.turn(LENGTH_MM - 5)
    assert rig.shown() == {}
    together = {one.name: shown.ns for one, shown in rig.faults.together.items()}
    assert together == dict.fromkeys(("deal.misfeed", "deal.stuck"), after(BEAM_MM))


def test_a_machine_is_copied_in_the_middle_of_a_move() -> None:
    """A card in the chute slides on, and the move goes on."""
    for mm in (1.0, 20.0, BEAM_MM, LENGTH_MM + 1, LENGTH_MM + 7):
        rig = Rig()
        steps = round(80 / STEP_MM)
        rig.machine.axes["deal"].begin(Profile([0], [0], 0, steps, STEP_US), False, lambda: None)
        rig.wait(mm / STEP_MM * STEP_US / 1e6)
        rig.faults.plant("exit.jam", {1})
        follow(rig.machine, rig.hands, ["exit.jam"])
        rig.wait(2.0)
        assert rig.shown() == {}
        (one,) = followers(rig.machine)
        assert len(one.other.deal.tray) == len(rig.machine.deal.tray) == 1
        assert one.other.axes["deal"].position == rig.machine.axes["deal"].position


def test_what_is_done_to_one_is_not_done_to_the_other() -> None:
    rig = Rig("exit.jam")
    (one,) = followers(rig.machine)
    card = rig.machine.deal.held[0]
    card.spoil(bend_um=900)
    rig.machine.beams["exit"].cover()
    assert one.other.deal.held[0].bend_um == 0
    assert not one.other.beams["exit"].dark
    leave(rig.machine)
    assert followers(rig.machine) == []
    assert rig.hands.followers == []


def test_a_machine_that_is_not_told_the_same_is_found() -> None:
    with mock.patch.object(Without, "do"):
        rig = Rig("exit.jam")
        rig.turn(LENGTH_MM)
        sync(rig.machine)
    assert [name for name, _ in rig.faults.astray] == ["exit.jam"]

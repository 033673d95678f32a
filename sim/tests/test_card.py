"""What a card is like shows where the machine meets it, and stays with the card."""

from __future__ import annotations

from random import Random

import pytest

from boards import mechanics as M
from sim.card import APART_MN, GRIP_MM_S2, Card, new_deck
from sim.faults import Faults
from sim.loop import HeapWorld
from sim.machine import Machine
from sim.plants.card import WRONG
from sim.plants.catalogue import NAMES


def card(**now: int) -> Card:
    """One, spoilt."""
    one = Card("red", 0, M.THICKNESS_CARD)
    one.spoil(**now)
    return one


def test_friction_is_how_far_a_roller_slides() -> None:
    """By the roller's own ramp, of 17.65 mm: at half its push the card needs twice that."""
    speed, accel = (each / M.ROLLER_STEPS_M for each in M.AXES["pick"])
    ramp_mm = 1000 * speed**2 / (2 * accel)
    assert card(grip_mm_s2=int(accel * 500)).slides_um("pick") == pytest.approx(1000 * ramp_mm, 1)
    assert card().slides_um("pick") == card(grip_mm_s2=40_000).slides_um("deal") == 0
    slides = [card(grip_mm_s2=grip).slides_um("deal") for grip in range(GRIP_MM_S2, 5000, -5000)]
    assert slides == sorted(slides)


def test_a_bend_is_thickness_and_a_bow_is_length() -> None:
    layer = M.THICKNESS_CARD
    assert card(bend_um=300).layer == layer + layer // 3
    assert card(bend_um=900).layer == 2 * layer
    assert card(warp_um=6000).length_um == M.CARD_LENGTH_UM - 1511  # the chord, 8h²/3L less
    assert not card(warp_um=2000).catches()
    assert card(warp_um=6000).catches()


@pytest.mark.parametrize("name", WRONG)
def test_what_strikes_a_card_twice_is_there_once(name: str) -> None:
    now = WRONG[name][1]
    once, twice = card(**now), card(**now)
    twice.spoil(**now)
    assert Card.__slots__
    for part in Card.__slots__:
        assert getattr(once, part) == getattr(twice, part), part


def test_a_bent_card_that_is_creased_is_creased() -> None:
    one = card(bend_um=300)
    for um in (900, 300):
        one.spoil(bend_um=um)
        assert (one.bend_um, one.layer) == (900, 2 * M.THICKNESS_CARD)
    one.spoil(warp_um=2000)
    one.spoil(warp_um=6000)
    assert one.length_um == card(warp_um=6000).length_um


def test_it_stays_with_the_card() -> None:
    """A deck of one greasy card slips at the first roller and at the last."""
    machine = Machine(HeapWorld())
    one = card(grip_mm_s2=30_000)
    machine.infeed.stack = [one]
    machine.infeed.loaded()
    assert machine.infeed.path[0].floor == 0.0  # it stands while the roller turns
    machine.infeed.path.clear()
    machine.deal.drop([one])
    axis = machine.axes["deal"]
    axis.position += 100
    machine.deal.moved()
    assert machine.deal.x == 0.0


def test_a_sticky_card_takes_the_next_along() -> None:
    for tack, together in ((APART_MN, 1), (APART_MN + 1, 2)):
        machine = Machine(HeapWorld())
        deck = new_deck("red", 5, Random(1))
        deck[-1].spoil(tack_mn=tack)
        machine.infeed.stack = deck
        machine.infeed.loaded()
        assert len(machine.infeed.path) == together


def test_each_can_be_planted_on_one_card_and_on_a_deck() -> None:
    assert set(WRONG) < set(NAMES)
    for name, (_, now) in WRONG.items():
        machine = Machine(HeapWorld(), faults=Faults({name: {1}}))
        deck = new_deck("red", 2, Random(1))
        top = deck[-1]
        plain = Card(top.back, top.face, top.layer)
        machine.infeed.stack = deck
        machine.infeed.loaded()
        assert as_made(top) != as_made(plain), name
        plain.spoil(**now)
        assert as_made(top) == as_made(plain)
        if machine.infeed.stack:
            assert as_made(deck[0])[3:] == as_made(Card("red", 0, 0))[3:]


def as_made(one: Card) -> tuple[object, ...]:
    """All that it is like."""
    return (
        one.layer,
        one.back,
        one.face_up,
        one.length_um,
        one.warp_um,
        one.bend_um,
        one.grip_mm_s2,
        one.tack_mn,
    )


def test_the_roller_lets_a_torn_card_go_earlier() -> None:
    """And the next one comes as much further with it."""
    taken: list[float] = []
    for longer in (0, -10_000):
        machine = Machine(HeapWorld())
        machine.enable(True)
        first, second = new_deck("red", 2, Random(1))
        first.spoil(longer_um=longer)
        machine.deal.drop([first, second])
        axis = machine.axes["deal"]
        axis.least_us = 0.0  # no time passes here
        while machine.deal.held == [first] and axis.position < M.REACH["deal"]:
            axis.pulse(False)
        taken.append(axis.position)
    assert taken[0] - taken[1] == pytest.approx(10 * M.ROLLER_STEPS_M / 1000, abs=1.5)

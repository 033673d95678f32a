"""Where every card is, as a fault tells it, against where they lie."""

from __future__ import annotations

import re

import pytest

from host_tools.campaign.draw import DEALING, FILLING, Trouble
from host_tools.campaign.sessions import Standing
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from sim.points import CARDS

SEED = 3
ANY = 20
TROUBLES = (
    *((FILLING, f"exit.{wrong}") for wrong in ("jam", "torn", "drag", "dark", "blind")),
    *((FILLING, plant) for plant in ("eject.lost", "card.long", "card.skewed", "card.short")),
    *((FILLING, plant) for plant in ("count.dark", "path.jam_at:slot", "path.jam_at:mouth")),
    *((DEALING, plant) for plant in ("deal.torn", "deal.blind", "deal.ahead", "deal.stuck")),
)


def told(
    phase: str, plant: str, at: int, lid_ms: int = 0
) -> tuple[link_pb2.FaultRaised, dict[str, int]]:
    """The first fault, and what was where just then."""
    plants = ((plant, at),) if plant else ()
    trouble = Trouble(phase, plants, "lid" if lid_ms else "", lid_ms)
    standing = Standing(SEED)
    machine = standing.player.machine
    said: list[tuple[link_pb2.FaultRaised, dict[str, int]]] = []

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "fault":
            there = {place: len(cards) for place, cards in machine.cards().items()}
            said.append((event.fault, there))

    standing.player.client.on_event.append(hear)
    assert standing.meet(trouble).wrong == []
    assert standing.end() == []
    return said[0]


def spans(cards: str, place: str) -> tuple[int, int]:
    """The least and the most that are told of it, all decks together."""
    found = re.findall(rf"(?:(\d+|up) to )?(\d+) in the {place}", cards)
    least = sum(0 if least == "up" else int(least or most) for least, most in found)
    return least, sum(int(most) for _, most in found)


@pytest.mark.parametrize("at", [2, 3, ANY])
@pytest.mark.parametrize(("phase", "plant"), TROUBLES)
def test_what_is_told_is_what_is_there(phase: str, plant: str, at: int) -> None:
    """One card may be between two places, then both are told; a door, or the tray, for each."""
    fault, there = told(phase, plant, at)
    for place in ("wheel", "shoe"):
        least, most = spans(fault.cards, place)
        assert most - least <= 1 or f"up to {most} in the {place}" in fault.cards, fault
        assert least <= there[place] <= most, fault
    in_tray = bool(there["tray"] + there["chute"])
    # what nobody has seen go may lie there: then it is to be looked at
    assert ("tray" in fault.remove) == (in_tray or "or more" in fault.cards), fault
    at_exit = "between wheel and shoe" in fault.remove
    assert at_exit == bool(there["exit"]) or "perhaps between wheel and shoe" in fault.remove, fault


def test_what_was_counted_before_is_no_word_on_what_is_there() -> None:
    """706: what the machine has seen just now, and no halves that contradict each other."""
    standing = Standing(SEED)
    faults: list[link_pb2.FaultRaised] = []

    def hear(event: link_pb2.Event) -> None:
        if kind_of(event) == "fault" and event.fault.fault == 706:
            faults.append(event.fault)

    standing.player.client.on_event.append(hear)
    standing.meet(Trouble(FILLING, (("hands.forget", 1),), "lid", 3000))
    standing.end()
    assert faults
    assert {fault.cards for fault in faults} == {""}


def test_a_misdeal_names_the_card() -> None:
    """603: the last one dealt of the deck, not of the stack."""
    fault, there = told(DEALING, "deal.triple_feed", 6)
    assert (fault.fault, fault.card) == (603, there["tray"] + there["chute"] + 3)
    assert fault.card < CARDS


@pytest.mark.parametrize("after_ms", range(11500, 12100, 12))
def test_at_any_moment_of_a_stop(after_ms: int) -> None:
    """A card that has gone on, and is not counted yet, is in the wheel or before it."""
    fault, there = told(FILLING, "", 0, after_ms)
    least, most = spans(fault.cards, "wheel")
    assert least <= there["wheel"] <= most <= least + 1, fault


@pytest.mark.parametrize("after_ms", range(300, 900, 24))
def test_at_any_moment_of_a_stack(after_ms: int) -> None:
    """A card on its way out of the shoe is in it or not: the number is the most there may be."""
    fault, there = told(DEALING, "", 0, after_ms)
    least, most = spans(fault.cards, "shoe")
    assert least <= there["shoe"] <= most, fault


@pytest.mark.parametrize(("plant", "at"), [("shoe.robbed", 30), ("shoe.lost", 7)])
def test_an_empty_shoe_is_not_said_to_hold_cards(plant: str, at: int) -> None:
    fault, there = told(DEALING, plant, at)
    assert not there["shoe"]
    assert spans(fault.cards, "shoe")[0] == 0
    assert re.search(r"\bup to \d+ in the shoe", fault.remove), fault


def test_a_lock_out_names_the_deck_and_the_first_card_the_whole() -> None:
    """CT-3: which of two is to be taken off the table; all cards are told of before one counts."""
    fault, _ = told(DEALING, "shoe.lost", 30)
    assert fault.fault == 601
    assert re.match(r"(red|blue), the wrong deck: .* 51 dealt", fault.cards), fault.cards
    fault, _ = told(FILLING, "path.jam_at:entry", 1)
    assert f"0 dealt, {CARDS} not counted" in fault.cards

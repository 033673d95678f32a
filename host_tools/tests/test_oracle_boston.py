"""The oracle on the deal of Boston 5: who gets how many cards, in which order, and when."""

from __future__ import annotations

from dataclasses import replace

from host_tools.oracle.facts import DeviceRemoved, Fact
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import (
    Dealt,
    Decided,
    NoMoreBets,
    RemainderOut,
    RoundClosed,
    RoundOpened,
)
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_HAND,
    boston_deal,
    cites,
    names,
    opened,
    shuffled,
)

BOSTON_START: list[Fact] = [BOSTON, opened(), *shuffled()]


def test_no_stack_before_no_more_bets() -> None:
    """24.9(b)2, 24.9(c): the dealer announces, then delivers the first stack."""
    wagers = [*BOSTON_START, RoundOpened(1, "red", (1, 2))]
    first = Dealt(1, names("red", 3), 1)
    (found,) = permits(wagers, first)
    assert found.cite == "24.9(b)2"
    assert permits([*wagers, NoMoreBets(1)], first) == []


def test_the_first_stack_goes_to_the_farthest_left() -> None:
    """24.9(c): the player farthest to the left who has placed a wager, then clockwise."""
    wagers = [*BOSTON_START, RoundOpened(1, "red", (2, 3)), NoMoreBets(1)]
    assert permits(wagers, Dealt(1, names("red", 3), 2)) == []
    for to in (3, 1, "dealer"):
        (found,) = permits(wagers, Dealt(1, names("red", 3), to))
        assert found.cite == "24.9(c)"


def test_the_dealer_is_last() -> None:
    """24.9(c): the dealer shall then deliver a stack to the area of the dealer's hand."""
    early = boston_deal(stacks=((1, 3), ("dealer", 3), (2, 3)))
    assert "24.9(c)" in cites([*BOSTON_START, *early])


def test_a_stack_of_boston_has_three_cards() -> None:
    """24.9(a): an automated dealing shoe which dispenses cards in stacks of three cards."""
    two = boston_deal(stacks=((1, 3), (2, 2), ("dealer", 3)))
    four = boston_deal(stacks=((1, 3), (2, 4), ("dealer", 3)))
    assert "24.9(c)" in cites([*BOSTON_START, *two])
    assert "24.9(c)" in cites([*BOSTON_START, *four])


def test_a_stack_may_come_in_parts() -> None:
    """24.9(c) asks for three cards, whether they come at once or not."""
    parts = boston_deal(stacks=((1, 1), (1, 2), (2, 3), ("dealer", 3)))
    assert cites([*BOSTON_START, *parts, RoundClosed(1)]) == []


def test_the_last_two_cards_wait_for_the_decisions() -> None:
    """24.9(d): after all second wagers have been placed."""
    deal = boston_deal()
    early = [fact for fact in deal if not isinstance(fact, Decided)]
    assert "24.9(d)" in cites([*BOSTON_START, *early])
    assert cites([*BOSTON_START, *deal]) == []


def test_the_last_two_cards_come_from_the_hand() -> None:
    """24.9(d): removes the remaining cards from the shoe and deals the final two from the hand."""
    deal = [replace(f, by_hand=False) if isinstance(f, Dealt) else f for f in boston_deal()]
    assert set(cites([*BOSTON_START, *deal])) == {"24.9(d)"}


def test_the_first_stacks_come_from_the_shoe_while_it_is_there() -> None:
    """24.12(g): the shoe is removed before any other method of dealing."""
    wagers = [RoundOpened(1, "red", (1,)), NoMoreBets(1)]
    hand = Dealt(1, names("red", 3), 1, by_hand=True)
    (found,) = permits([*BOSTON_START, *wagers], hand)
    assert found.cite == "24.12(g)"
    assert permits([*BOSTON_START, DeviceRemoved(), *wagers], hand) == []


def test_a_player_who_folded_gets_no_more_cards() -> None:
    """24.10(d)1: two cards to each player who has placed a second wager."""
    stacks = boston_deal(by_hand=())[:-1]
    folded = [*BOSTON_START, *stacks, Decided(1, 1, (2,))]
    assert permits(folded, Dealt(1, ("red9", "red10"), 2, by_hand=True)) == []
    (found,) = permits(folded, Dealt(1, ("red9", "red10"), 1, by_hand=True))
    assert found.cite == "24.10(d)"


def test_no_card_after_the_last() -> None:
    """24.10(d): two cards to each player and two to the dealer end the deal."""
    late = [*BOSTON_START, *boston_deal()]
    (found,) = permits(late, Dealt(1, ("red20",), 1, by_hand=True))
    assert found.cite == "24.10(d)"


def test_the_remainder_waits_for_the_decisions() -> None:
    """24.9(d): after all second wagers, the dealer shall remove the remaining cards."""
    stacks = [*BOSTON_START, *boston_deal(by_hand=())[:-1]]
    (found,) = permits(stacks, RemainderOut(1, ()))
    assert found.cite == "24.9(d)"
    assert permits([*stacks, Decided(1, 1, (1, 2))], RemainderOut(1, ())) == []


def test_cards_lie_face_down() -> None:
    """24.9(c): face down to the player."""
    wagers = [*BOSTON_START, RoundOpened(1, "red", (1,)), NoMoreBets(1)]
    (found,) = permits(wagers, Dealt(1, names("red", 3), 1, face_up=True))
    assert found.cite == "24.9(c)"
    assert permits(wagers, Dealt(1, names("red", 3), 1, face_up=False)) == []


def test_boston_from_the_hand_keeps_the_same_order() -> None:
    """24.8(c): three consecutive cards to each player, then to the dealer."""
    start: list[Fact] = [BOSTON_HAND, opened(), *shuffled()]
    assert cites([*start, *boston_deal(), RoundClosed(1)]) == []
    mixed = boston_deal(stacks=((1, 1), (2, 1), ("dealer", 1)))
    assert "24.8(c)" in cites([*start, *mixed])

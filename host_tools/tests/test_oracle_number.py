"""The oracle on numbers: cards of a deck, counts, jokers, positions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import (
    DeviceCounted,
    Fact,
    Game,
    Opened,
    Removed,
    Shuffled,
    StubCounted,
)
from host_tools.oracle.round_facts import Dealt, NoMoreBets, RoundOpened
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_HAND,
    DOUBLE_DOWN,
    DRAW,
    POKER,
    boston_deal,
    boston_round,
    cites,
    double_down_round,
    names,
    opened,
    shuffled,
    uncounted,
)

RED, BLUE = opened("red"), opened("blue")


def test_a_history_without_a_game_is_refused() -> None:
    """The judge must know which texts bind."""
    with pytest.raises(ValueError, match="must begin with a Game"):
        cites([RED])


def test_a_deck_that_the_device_counted_wrong_is_not_played() -> None:
    """24.9(f): the device reveals an incorrect number, so the deck is removed from the table."""
    short = [BOSTON, RED, *shuffled(number=51)]
    assert cites([*short, *boston_round()]) == ["24.9(f)"]
    renewed = [*short, Removed("red"), BLUE, *shuffled("blue"), *boston_round(1, "blue")]
    assert cites(renewed) == []


def test_the_device_tells_the_number_that_is_there() -> None:
    """24.9(f): it indicates whether 52 cards are still present."""
    cards = names("red", 51)
    lie = [BOSTON, RED, Shuffled(cards, cards, "device"), DeviceCounted("red", 52)]
    assert cites([*lie, *boston_round()]) == ["24.9(f)", "24.9(f)"]
    doubt = replace(DeviceCounted("red", 52), trusted=False)
    assert cites([*lie[:3], doubt, *boston_round()]) == []


def test_no_wrong_number_is_objected_to_where_the_text_has_no_count() -> None:
    """17.1 to 17.11 neither count the stub nor let the device count."""
    assert cites([DOUBLE_DOWN, RED, *shuffled(number=51), *double_down_round()]) == []


def five_rounds() -> list[Fact]:
    """Play five rounds of Boston 5 that nobody counts."""
    rounds = [[*uncounted(), *boston_round(number)] for number in range(1, 6)]
    return [BOSTON, RED, *(fact for part in rounds for fact in part)]


def test_the_stub_is_counted_every_five_rounds() -> None:
    """24.9(e): at least once every five rounds of play."""
    five = five_rounds()
    assert cites(five) == []
    assert cites([*five, *uncounted(), *boston_round(6)]) == ["24.9(e)"]
    counted = [*five, StubCounted("red", 37, 15), *uncounted(), *boston_round(6)]
    assert cites(counted) == []


def test_a_count_by_the_device_replaces_the_stub() -> None:
    """24.9(f): the counting of the stub shall not be required."""
    assert cites([*five_rounds(), *shuffled(), *boston_round(6)]) == []


def test_a_single_stack_of_boston_is_counted_though_the_device_counts() -> None:
    """24.8(e) sends to 24.7, and the excuse stands in 24.9(f) alone."""
    rounds: list[Fact] = [BOSTON_HAND, RED]
    for number in range(1, 7):
        rounds += [*shuffled(), *boston_round(number)]
    assert cites(rounds) == ["24.8(e)"]


def test_a_stub_that_shows_a_wrong_number_ends_the_deck() -> None:
    """24.7(f)2: not misdealt, so the entire deck shall be removed from the table."""
    start = [BOSTON, RED, *uncounted(), *boston_deal(), StubCounted("red", 36, 15)]
    assert "24.7(f)2" in cites([*start, *shuffled(), *boston_round(2)])
    good = [BOSTON, RED, *uncounted(), *boston_deal(), StubCounted("red", 37, 15)]
    assert cites([*good, *shuffled(), *boston_round(2)]) == []


def test_jokers_stay_out_of_boston() -> None:
    """13:69E-1.17(h): jokers shall not be used in any game other than the named ones."""
    assert cites([BOSTON, opened(jokers=1), *shuffled(), *boston_round()]) == ["13:69E-1.17(h)"]


def test_double_draw_has_two_jokers() -> None:
    """42.2(a): one standard deck including two joker cards."""
    for jokers, found in ((2, []), (1, ["42.2(a)"])):
        start: list[Fact] = [DRAW, opened(number=54, jokers=jokers), *shuffled(number=54)]
        start += [RoundOpened(1, "red", (1,)), NoMoreBets(1), Dealt(1, names("red", 5), 1)]
        assert cites(start) == found


def test_a_refused_way_of_delivery_is_objected_to() -> None:
    """14.6(e)1: in poker the dealer holds the cards in the hand."""
    assert cites([Game("poker", "automated_shoe")]) == ["14.6(e)1"]
    assert cites([Game("poker", "single_stack")]) == []
    assert cites([Game("blackjack", "single_stack")]) == ["2.6(a)"]
    assert cites([Game("blackjack", "continuous")]) == []


def test_a_table_has_no_more_positions_than_allowed() -> None:
    """13:69E-1.13Y(a): six positions; 14.6(b): two to eleven players."""
    assert cites([replace(DRAW, seats=7)]) == ["13:69E-1.13Y(a)"]
    assert cites([DRAW]) == []
    deck: list[Fact] = [POKER, Opened("red", frozenset(names("red")), "red")]
    assert cites([*deck, RoundOpened(1, "red", tuple(range(1, 13)))]) == ["14.6(b)"]
    assert cites([*deck, RoundOpened(1, "red", (1,))]) == ["14.6(b)"]
    assert cites([*deck, RoundOpened(1, "red", (1, 2))]) == []

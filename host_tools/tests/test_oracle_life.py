"""The oracle on time: how long a deck may be used, and by which clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import (
    Cut,
    Fact,
    Game,
    SuitOrdered,
)
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import Dealt, NoMoreBets, RoundOpened
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_HAND,
    DOUBLE_DOWN,
    DOUBLE_DOWN_HAND,
    POKER,
    RIDE,
    RIDE_HAND,
    cites,
    double_down_round,
    names,
    opened,
    poker_round,
    shuffled,
)

HOUR = 3600
RED, BLUE = opened("red"), opened("blue")


@pytest.mark.parametrize(
    ("game", "hours", "cite"),
    [
        (BOSTON, 8, "13:69E-1.18(g)2"),
        (BOSTON_HAND, 4, "13:69E-1.18(g)3"),
        (RIDE, 8, "18.4(e)"),
        (RIDE_HAND, 4, "18.4(e)"),
        (DOUBLE_DOWN_HAND, 8, "17.3(e)"),
        (Game("caribbean_stud", "automated_shoe"), 8, "16.3(e)"),
        (Game("caribbean_stud", "single_stack"), 4, "13:69E-1.18(g)3"),
        (Game("three_card_poker", "automated_shoe"), 8, "13:69E-1.18(g)2"),
        (POKER, 4, "14.2(b)"),
    ],
)
def test_a_deck_is_changed_in_time(game: Game, hours: int, cite: str) -> None:
    """13:69E-1.18(g), 14.2(b), 16.3(e), 17.3(e), 18.4(e): by game and way of delivery."""
    for late in (0, 1):
        start: list[Fact] = [game, opened(at_s=HOUR), *shuffled(), Cut("red", 20)]
        start += [RoundOpened(1, "red", (1, 2), at_s=HOUR * (1 + hours) + late), NoMoreBets(1)]
        found = permits(start, Dealt(1, ("red0",), 1))
        assert (cite in [objection.cite for objection in found]) is bool(late)


def test_no_text_sets_the_life_of_double_down_cards_in_an_automated_shoe() -> None:
    """17.3(e) names the manual shoe and the hand; 13:69E-1.18(g)2 names the hand."""
    history = [DOUBLE_DOWN, RED, *shuffled()]
    a_day_later = [replace(fact, at_s=86399.0) for fact in double_down_round()]
    assert cites([*history, *a_day_later]) == []


def test_the_clock_runs_over_midnight() -> None:
    """18.4(e): eight hours from 20:00 end at 4:00."""
    start: list[Fact] = [RIDE, opened(at_s=20 * HOUR), *shuffled(), RoundOpened(1, "red", (1,))]
    assert permits(start, Dealt(1, names("red", 3), 1, at_s=4 * HOUR)) == []
    (found,) = permits(start, Dealt(1, names("red", 3), 1, at_s=4 * HOUR + 1))
    assert found.cite == "18.4(e)"


def test_a_poker_deck_lies_in_suit_and_sequence_every_two_hours() -> None:
    """14.2(b): no deck is used for more than two hours without being put in suit and sequence."""
    used = [POKER, RED, *poker_round(1, at_s=0), *poker_round(2, at_s=2 * HOUR)]
    assert cites(used) == []
    late = poker_round(3, at_s=2 * HOUR + 1)
    assert cites([*used, *late]) == ["14.2(b)"]
    assert cites([*used, SuitOrdered("red"), *late]) == []


def test_a_poker_deck_that_rests_is_not_in_use() -> None:
    """14.2(b): decks may be rotated, and the two hours are hours of use."""
    early = [POKER, RED, BLUE, *poker_round(1, "red", at_s=0), *poker_round(2, "blue", at_s=HOUR)]
    assert cites([*early, *poker_round(3, "red", at_s=2 * HOUR + 60)]) == []

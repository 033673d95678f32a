"""The oracle on two decks: their turns, their backs, the rack, and cards that are mixed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import (
    Cut,
    Fact,
    Game,
    PutIn,
    Racked,
    Removed,
    Shuffled,
)
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import Dealt, NoMoreBets, RoundOpened, RoundVoided
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_TWO,
    CARIBBEAN,
    DOUBLE_DOWN,
    DRAW,
    POKER,
    RIDE,
    boston_round,
    cites,
    fresh_deck,
    names,
    opened,
    ready,
    shuffled,
    start,
)

RED, BLUE = opened("red"), opened("blue")


def test_two_decks_alternate() -> None:
    """24.2(b)4: each deck is used for every other round of play."""
    start = [BOSTON_TWO, RED, BLUE, *shuffled("red"), *shuffled("blue"), *boston_round(1, "red")]
    assert cites([*start, *boston_round(2, "blue")]) == []
    assert cites([*start, *shuffled("red"), *boston_round(2, "red")]) == ["24.2(b)4"]


def test_a_void_round_breaks_no_turn_of_two_decks() -> None:
    """24.1: a round of play is one complete cycle, so 24.2(b)4 may leave a void round out."""
    start = [BOSTON_TWO, RED, BLUE, *shuffled("red"), *shuffled("blue")]
    void = [*start, *boston_round(1, "red")[:-1], RoundVoided(1)]
    assert cites([*void, *boston_round(2, "blue")]) == []
    assert cites([*void, *shuffled("red"), *boston_round(2, "red")]) == []


def test_one_deck_goes_on_alone_after_the_other_was_removed() -> None:
    """24.2(b) lets a second deck be used; 24.2(a) is content with one."""
    start = [BOSTON_TWO, RED, BLUE, *shuffled("red"), *boston_round(1, "red"), Removed("blue")]
    assert cites([*start, *shuffled("red"), *boston_round(2, "red")]) == []


def test_a_game_of_one_deck_does_not_use_two() -> None:
    """24.2(a): the game shall be played with one deck, except as provided in (b)."""
    start = [BOSTON, RED, BLUE, *shuffled("red"), *shuffled("blue"), *boston_round(1, "red")]
    assert cites([*start, *boston_round(2, "blue")]) == ["24.2(a)"]


def test_no_third_deck() -> None:
    """24.2(b): a second deck is permitted, and no more."""
    start: list[Fact] = [BOSTON_TWO, RED, BLUE, opened("green"), *shuffled("red")]
    assert cites([*start, *boston_round()]) == ["24.2(b)"]


def test_two_decks_want_the_device() -> None:
    """16.2(b)3: one deck is being shuffled by the device while the other is in play."""
    two: list[Fact] = [Game("caribbean_stud", "automated_shoe", two_decks=True), RED, BLUE]
    assert cites([*two, *shuffled(by="hand")]) == ["16.2(b)3"]
    assert cites([*two, *shuffled()]) == []


def test_no_card_of_the_other_deck_in_a_hand() -> None:
    """24.2(a): one deck of cards."""
    start: list[Fact] = [BOSTON_TWO, RED, BLUE, *shuffled(), RoundOpened(1, "red", (1,))]
    start += [NoMoreBets(1)]
    (found,) = permits(start, Dealt(1, ("red0", "red1", "blue2"), 1))
    assert found.cite == "24.2(a)"


def test_the_backs_of_two_decks_differ() -> None:
    """24.2(b)2: the backs of the cards in the two decks are of different color."""
    alike: list[Fact] = [BOSTON_TWO, RED, replace(BLUE, back="red"), *shuffled("red")]
    assert cites([*alike, *boston_round()]) == ["24.2(b)2"]


def test_the_discard_rack_holds_one_deck() -> None:
    """24.2(b)5: the cards from only one deck in the discard rack at any given time."""
    racked: list[Fact] = [BOSTON_TWO, RED, BLUE, Racked(frozenset(names("red")))]
    (found,) = permits(racked, Racked(frozenset(names("blue", 1))))
    assert found.cite == "24.2(b)5"
    emptied = [*racked, PutIn(frozenset(names("red")))]
    assert permits(emptied, Racked(frozenset(names("blue", 1)))) == []


def test_no_card_of_another_deck_in_the_stack() -> None:
    """24.2(a): one deck of cards with backs of the same color."""
    mixed = (*names("red")[:51], "blue0")
    history = [BOSTON_TWO, RED, BLUE, Shuffled(mixed, mixed, "device"), *boston_round()]
    assert cites(history) == ["24.2(a)"]


def test_a_stray_card_in_a_shuffle_shuffles_no_other_deck() -> None:
    """24.4(a): the cards of the blue deck, not one of them."""
    mixed = (*names("red"), "blue0")
    history = [BOSTON_TWO, RED, BLUE, Shuffled(mixed, mixed, "device"), *boston_round(1, "blue")]
    assert "24.4(a)" in cites(history)


@pytest.mark.parametrize(
    ("game", "cite"), [(RIDE, "18.2"), (DOUBLE_DOWN, "17.2"), (CARIBBEAN, "16.2"), (DRAW, "42.2")]
)
def test_each_game_of_two_decks_has_the_same_conditions(game: Game, cite: str) -> None:
    """(a) one deck, (b) two: other backs, every other round, one deck in the rack."""
    two = replace(game, two_decks=True)
    number = len(fresh_deck(game).cards)
    blue = [fresh_deck(game, "blue"), *shuffled("blue", number)]
    first = [*blue, *start(game), RoundVoided(1)]
    played = [*first[:-1], *start(game, 2, "blue")]
    assert cites([*ready(two), *played]) == []
    assert cites([*ready(game), *played]) == [f"{cite}(a)"]
    red_again = [*first[:-1], *shuffled("red", number), *start(game, 2)]
    assert cites([*ready(two), *red_again]) == [f"{cite}(b)4"]
    racked: list[Fact] = [Racked(frozenset(names("red", 3)))]
    (found,) = permits([*ready(two), *blue, *racked], Racked(frozenset({"blue0"})))
    assert found.cite == f"{cite}(b)5"


def test_poker_rotates_its_decks_in_any_order() -> None:
    """14.2(b): each deck may be rotated in and out of play."""
    both = [*ready(POKER), fresh_deck(POKER, "blue"), *shuffled("blue"), Cut("blue", 20)]
    assert cites([*both, *start(POKER), RoundVoided(1), *start(POKER, 2, "blue")]) == []


def test_no_card_of_the_other_poker_deck_in_the_stack() -> None:
    """14.2(a): poker shall be played with one deck."""
    mixed = (*names("red")[:51], "blue0")
    both: list[Fact] = [*ready(POKER), opened("blue"), Shuffled(mixed, mixed, "device")]
    assert cites([*both, Cut("red", 20), *start(POKER)]) == ["14.2(a)"]

"""The oracle on decks, game by game: the paragraph of each game, read from the texts by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import By, Cut, Game, Idle, Jammed, Recut
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import RoundVoided
from host_tools.tests.oracle_table import (
    BLACKJACK,
    BOSTON,
    BOSTON_HAND,
    CARIBBEAN,
    CARIBBEAN_HAND,
    DOUBLE_DOWN,
    DOUBLE_DOWN_HAND,
    DRAW,
    DRAW_HAND,
    MINIBACCARAT,
    PAI_GOW,
    PAI_GOW_HAND,
    POKER,
    RED_DOG,
    RIDE,
    RIDE_HAND,
    THREE_CARD,
    THREE_CARD_HAND,
    cites,
    fresh_deck,
    ready,
    shuffled,
    start,
)

SHUFFLE = [
    (BOSTON, "24.4(a)"),
    (BOSTON_HAND, "24.4(a)"),
    (RIDE, "18.5(a)"),
    (RIDE_HAND, "18.5(a)"),
    (DOUBLE_DOWN, "17.4(a)"),
    (DOUBLE_DOWN_HAND, "17.4(a)"),
    (CARIBBEAN, "16.4(a)"),
    (CARIBBEAN_HAND, "16.4(a)"),
    (DRAW, "42.4(a)"),
    (DRAW_HAND, "42.4(a)"),
    (PAI_GOW, "11.6(a)"),
    (PAI_GOW_HAND, "11.6(a)"),
    (POKER, "14.5(a)"),
]
SHOES = [(BLACKJACK, "2.5(a)"), (RED_DOG, "6.3(a)"), (MINIBACCARAT, "7.5(a)")]
CUTS: list[tuple[Game, By, str | None]] = [
    (BOSTON, "hand", None),
    (BOSTON_HAND, "device", None),
    (RIDE, "device", None),
    (RIDE, "hand", "18.5(b)2"),
    (RIDE_HAND, "device", None),
    (RIDE_HAND, "hand", "18.5(b)2"),
    (DOUBLE_DOWN, "hand", "17.4(b)2"),
    (DOUBLE_DOWN_HAND, "hand", "17.4(b)2"),
    (CARIBBEAN, "device", None),
    (CARIBBEAN, "hand", "16.4(b)2"),
    (CARIBBEAN_HAND, "hand", "16.4(b)2"),
    (DRAW, "device", None),
    (DRAW, "hand", "42.4(b)2"),
    (DRAW_HAND, "hand", "42.4(b)2"),
    (PAI_GOW, "device", None),
    (PAI_GOW, "hand", "11.6(b)2"),
    (PAI_GOW_HAND, "hand", "11.6(b)2"),
    (POKER, "hand", "14.5(b)"),
    (BLACKJACK, "device", "2.5(b)"),
    (BLACKJACK, "hand", "2.5(b)"),
    (RED_DOG, "device", "6.3(b)"),
    (RED_DOG, "hand", "6.3(b)"),
    (MINIBACCARAT, "device", "7.5(b)"),
    (MINIBACCARAT, "hand", "7.5(b)"),
]


@pytest.mark.parametrize(("game", "cite"), [*SHUFFLE, *SHOES])
def test_the_first_round_wants_a_shuffle(game: Game, cite: str) -> None:
    """Immediately prior to the commencement of play: the same words in each game."""
    assert cite in cites([game, fresh_deck(game), Cut("red", 20), *start(game)])
    assert cites([*ready(game), *start(game)]) == []


@pytest.mark.parametrize(("game", "cite"), SHUFFLE)
def test_every_round_wants_its_own_shuffle(game: Game, cite: str) -> None:
    """After each round of play has been completed."""
    history = [*ready(game), *start(game), RoundVoided(1)]
    assert cites([*history, *start(game, 2)]) == [cite]


@pytest.mark.parametrize("game", [BLACKJACK, RED_DOG, MINIBACCARAT])
def test_a_shoe_lasts_for_several_rounds(game: Game) -> None:
    """2.5(a), 6.3(a), 7.5(a): after each shoe of cards is dealt."""
    assert cites([*ready(game), *start(game), RoundVoided(1), *start(game, 2)]) == []


@pytest.mark.parametrize("game", [THREE_CARD, THREE_CARD_HAND])
def test_three_card_poker_has_no_text_about_shuffles(game: Game) -> None:
    """19:47-20 is a list of titles."""
    history = [game, fresh_deck(game), *start(game), RoundVoided(1), *start(game, 2)]
    assert cites(history) == []


@pytest.mark.parametrize(
    ("game", "cite"),
    [
        (RIDE, "18.5(d)"),
        (DOUBLE_DOWN, "17.4(g)"),
        (CARIBBEAN, "16.4(d)"),
        (DRAW, "42.4(e)"),
        (PAI_GOW, "11.6(f)"),
        (POKER, "14.5(c)"),
    ],
)
def test_cards_that_lay_idle_are_shuffled(game: Game, cite: str) -> None:
    """Whenever there is no gaming activity, the cards are spread, and mixed again."""
    assert cites([*ready(game), Idle(), *start(game)]) == [cite]


@pytest.mark.parametrize(("game", "by", "cite"), CUTS)
def test_a_cut_is_wanted_by_game_and_by_who_shuffled(game: Game, by: By, cite: str | None) -> None:
    """By hand in most games; always in poker and with a shoe; never in Boston 5."""
    uncut = ready(game, by)[:-1]
    first = start(game)
    found = [objection.cite for objection in permits([*uncut, *first[:-1]], first[-1])]
    assert found == ([cite] if cite else [])


@pytest.mark.parametrize("game", [DRAW, DRAW_HAND])
def test_a_preshuffled_deck_of_double_draw_is_cut(game: Game) -> None:
    """42.4(b)2: if the cards were pre-shuffled, cut the cards."""
    deck = replace(fresh_deck(game), preshuffled=True)
    assert cites([game, deck, *start(game)]) == ["42.4(b)2"]
    assert cites([game, deck, Cut("red", 20), *start(game)]) == []


@pytest.mark.parametrize(
    ("game", "cite", "both"),
    [
        (RIDE, "18.5(c)", False),
        (CARIBBEAN, "16.4(c)", False),
        (DRAW, "42.4(c)1", False),
        (PAI_GOW, "11.6(e)", True),
        (POKER, "14.5(b)", False),
        (BLACKJACK, "2.5(c)", True),
        (RED_DOG, "6.3(c)", True),
        (MINIBACCARAT, "7.5(c)", True),
    ],
)
def test_a_cut_keeps_ten_cards(game: Game, cite: str, both: bool) -> None:
    """At least 10 cards from the top of the deck, or from either end."""
    whole = ready(game)
    number = len(fresh_deck(game).cards)
    assert permits(whole, Cut("red", 10)) == []
    assert [o.cite for o in permits(whole, Cut("red", 9))] == [cite]
    assert permits(whole, Cut("red", number - 10)) == []
    assert [o.cite for o in permits(whole, Cut("red", number - 9))] == ([cite] if both else [])


def test_double_draw_is_recut_before_the_first_card_alone() -> None:
    """42.4(d): after the cards have been cut and before any cards have been dealt."""
    assert permits(ready(DRAW), Recut("red", 20)) == []
    (found,) = permits([*ready(DRAW), *start(DRAW)], Recut("red", 20))
    assert found.cite == "42.4(d)"


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (BOSTON_HAND, {"24.4(a)", "24.12(g)"}),
        (RIDE, set[str]()),
        (RIDE_HAND, {"18.8(b)1"}),
        (DRAW, {"42.12(f)"}),
        (DRAW_HAND, {"42.8(b)1", "42.12(f)"}),
        (PAI_GOW, set[str]()),
    ],
)
def test_a_shuffle_by_hand_is_barred_where_the_text_bars_it(game: Game, expected: set[str]) -> None:
    """18.8(b)1, 24.4(a), 42.8(b)1 want the device; 24.12(g), 42.12(f) want it gone first."""
    assert set(cites(ready(game, "hand"))) == expected


@pytest.mark.parametrize(("game", "cite"), [(DOUBLE_DOWN, "17.11(e)"), (DRAW, "42.12(d)")])
def test_a_jam_in_a_shuffle_wants_a_reshuffle(game: Game, cite: str) -> None:
    """If the device jams, stops or fails to complete, the cards shall be reshuffled."""
    jam = Jammed("shuffle", "red")
    number = len(fresh_deck(game).cards)
    assert cites([*ready(game), jam, *start(game)]) == [cite]
    assert cites([*ready(game), jam, *shuffled(number=number), *start(game)]) == []

"""The oracle on first cards, game by game: the paragraphs, read from the texts by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import Fact, Game, Name
from host_tools.oracle.judge import permits, standing
from host_tools.oracle.objection import Standing
from host_tools.oracle.round_facts import (
    Dealt,
    DrawnInError,
    FaceUpFound,
)
from host_tools.tests.oracle_table import (
    BLACKJACK,
    BOSTON_HAND,
    CARIBBEAN,
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
    start,
)


@pytest.mark.parametrize(
    ("game", "cite"),
    [
        (BOSTON_HAND, "24.8(b)4"),
        (RIDE, None),
        (RIDE_HAND, "18.8(b)3"),
        (DOUBLE_DOWN, "17.8(a)"),
        (DOUBLE_DOWN_HAND, "17.8(a)2"),
        (CARIBBEAN, None),
        (DRAW, "42.9(b)2"),
        (DRAW_HAND, "42.8(b)3"),
        (PAI_GOW, None),
        (PAI_GOW_HAND, "11.8A(b)2"),
        (THREE_CARD, None),
        (POKER, None),
        (BLACKJACK, None),
        (RED_DOG, None),
        (MINIBACCARAT, "7.7(b)"),
    ],
)
def test_no_card_before_no_more_bets(game: Game, cite: str | None) -> None:
    """Prior to dealing any cards, wherever the text of the deal is there."""
    opened, _, stack = start(game)
    found = [objection.cite for objection in permits([*ready(game), opened], stack)]
    assert found == ([cite] if cite else [])


@pytest.mark.parametrize(
    ("game", "cite", "up"),
    [
        (BOSTON_HAND, "24.8(c)", False),
        (RIDE_HAND, "18.8(c)", False),
        (DOUBLE_DOWN, "17.8(b)", True),
        (DOUBLE_DOWN_HAND, "17.8(b)", True),
        (DRAW, "42.10(a)", False),
        (DRAW_HAND, "42.10(a)", False),
        (PAI_GOW_HAND, "11.8A(b)2", False),
    ],
)
def test_the_first_card_lies_with_the_right_side_up(game: Game, cite: str, up: bool) -> None:
    """Face down, except to the players of double down stud."""
    *before, stack = [*ready(game), *start(game)]
    assert isinstance(stack, Dealt)
    assert permits(before, replace(stack, face_up=up)) == []
    assert [o.cite for o in permits(before, replace(stack, face_up=not up))] == [cite]


@pytest.mark.parametrize(
    ("game", "cite", "voids"),
    [
        (DOUBLE_DOWN, "17.11(b)", True),
        (DRAW, "42.12(a)", True),
        (RED_DOG, "6.7(a)", False),
        (RIDE, None, False),
    ],
)
def test_a_face_up_card_is_not_used(game: Game, cite: str | None, voids: bool) -> None:
    """Not used and put in the rack; more than one voids all hands, but not in red dog."""
    opened, bets, stack = start(game)
    assert isinstance(stack, Dealt)
    found = [*ready(game), opened, bets, FaceUpFound(1, stack.cards[0])]
    assert [o.cite for o in permits(found, stack)] == ([cite] if cite else [])
    two = standing([*found, FaceUpFound(1, "red30")], 1)
    assert (two[1].standing is Standing.VOID) is voids


@pytest.mark.parametrize(
    ("game", "cite"),
    [(DOUBLE_DOWN, "17.11(c)"), (DRAW, "42.12(b)"), (RED_DOG, "6.7(b)"), (RIDE, None)],
)
def test_a_card_drawn_in_error_comes_next(game: Game, cite: str | None) -> None:
    """It shall be used as though it was the next card, unless its face was exposed."""
    opened, bets, stack = start(game)
    before: list[Fact] = [*ready(game), opened, bets]
    skipped = permits([*before, DrawnInError(1, "red30", exposed=False)], stack)
    assert [o.cite for o in skipped] == ([cite] if cite else [])
    assert permits([*before, DrawnInError(1, "red30", exposed=True)], stack) == []


@pytest.mark.parametrize(
    ("game", "hours", "cite"),
    [
        (DRAW, 8, "13:69E-1.18(g)2"),
        (DRAW_HAND, 4, "13:69E-1.18(g)3"),
        (PAI_GOW, 8, "13:69E-1.18(g)2"),
        (PAI_GOW_HAND, 4, "13:69E-1.18(g)3"),
        (THREE_CARD, 8, "13:69E-1.18(g)2"),
        (THREE_CARD_HAND, 4, "13:69E-1.18(g)3"),
    ],
)
def test_the_life_of_the_other_decks(game: Game, hours: int, cite: str) -> None:
    """13:69E-1.18(g): eight hours from a shoe, four from the dealer's hand."""
    opened, bets, stack = start(game)
    before: list[Fact] = [*ready(game), opened, bets]
    assert permits(before, replace(stack, at_s=hours * 3600)) == []
    assert [o.cite for o in permits(before, replace(stack, at_s=hours * 3600 + 1))] == [cite]


@pytest.mark.parametrize(
    ("name", "cite"),
    [
        ("boston_5", "24.4(a)"),
        ("let_it_ride", "18.5(a)"),
        ("double_down_stud", "17.4(a)"),
        ("caribbean_stud", "16.4(a)"),
        ("double_draw", "42.4(a)"),
        ("pai_gow_poker", "11.6(a)"),
        ("poker", "14.6(e)1"),
    ],
)
def test_a_continuous_shoe_is_for_games_of_a_shoe(name: Name, cite: str) -> None:
    """2.20, 6.9 and 7.12 alone know it; the others shuffle the whole deck after each round."""
    assert cites([Game(name, "continuous")]) == [cite]


@pytest.mark.parametrize(("game", "cite"), [(RED_DOG, "6.1(c)"), (MINIBACCARAT, "7.6(a)")])
def test_a_game_of_a_shoe_is_not_dealt_from_the_hand(game: Game, cite: str) -> None:
    """All cards shall be dealt from a dealing shoe."""
    assert cites([replace(game, delivery="single_stack")]) == [cite]
    assert cites([game]) == []


@pytest.mark.parametrize(
    "game", [RIDE, DOUBLE_DOWN, CARIBBEAN, THREE_CARD, POKER, BLACKJACK, RED_DOG, MINIBACCARAT]
)
def test_no_joker_in_the_other_games(game: Game) -> None:
    """13:69E-1.17(h): of these games, only pai gow poker and double draw may use a joker."""
    joker = replace(fresh_deck(game), jokers=frozenset({"red51"}))
    *_, stack = history = [game, joker, *ready(game)[2:], *start(game)]
    assert [o.cite for o in permits(history[:-1], stack)] == ["13:69E-1.17(h)"]
    assert cites([PAI_GOW, joker, *ready(PAI_GOW)[2:], *start(PAI_GOW)]) == []

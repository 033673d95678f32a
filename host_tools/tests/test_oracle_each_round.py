"""The oracle on whole rounds, game by game: stub counts, misdeals and draws."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import DeviceRemoved, Fact, Game, StubCounted
from host_tools.oracle.judge import owed, permits, standing
from host_tools.oracle.objection import Owed, Standing, What
from host_tools.oracle.round_facts import (
    Dealt,
    Decided,
    Discarded,
    NoMoreBets,
    RoundClosed,
    RoundOpened,
)
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_HAND,
    DOUBLE_DOWN_HAND,
    DRAW,
    DRAW_HAND,
    MINIBACCARAT,
    PAI_GOW_HAND,
    RED_DOG,
    RIDE,
    RIDE_HAND,
    Shoe,
    boston_deal,
    cites,
    fresh_deck,
    ready,
    shuffled,
    start,
    uncounted,
)


def good_round(game: Game, number: int) -> list[Fact]:
    """Play a round of double draw, or of let it ride from the hand, for one player."""
    shoe = Shoe(round_number=number)
    begin: list[Fact] = [RoundOpened(number, "red", (1,)), NoMoreBets(number)]
    if game.name == "double_draw":
        return [*begin, shoe.deal(1, 5), RoundClosed(number)]
    pairs = [shoe.deal(to, 1) for _ in range(3) for to in (1, "community")]
    return [*begin, *pairs, RoundClosed(number)]


@pytest.mark.parametrize(
    ("game", "cite", "known"), [(DRAW, "42.9(d)", "42.9(e)"), (RIDE_HAND, "18.8(e)", "18.7(f)")]
)
def test_the_stub_of_the_other_games(game: Game, cite: str, known: str) -> None:
    """At least once every five rounds, unless the device counts after each shuffle."""
    number = len(fresh_deck(game).cards)
    five = [game, fresh_deck(game)]
    for turn in range(1, 6):
        five += [*uncounted("red", number), *good_round(game, turn)]
    sixth = good_round(game, 6)
    assert cites([*five, *uncounted("red", number), *sixth]) == [cite]
    assert cites([*five, *shuffled("red", number), *sixth]) == []
    short = [*five, *shuffled("red", number - 1), *sixth]
    assert cites(short) == [known]


@pytest.mark.parametrize("game", [DRAW_HAND, RIDE])
def test_no_stub_count_where_the_text_has_none(game: Game) -> None:
    """42.8 has no count; 18.9 ends before it would have one."""
    number = len(fresh_deck(game).cards)
    history = [game, fresh_deck(game)]
    for turn in range(1, 8):
        history += [*uncounted("red", number), RoundOpened(turn, "red", (1,))]
        shoe = Shoe(round_number=turn)
        history += [NoMoreBets(turn), shoe.deal(1, 3 if game is RIDE else 5), RoundClosed(turn)]
    assert cites(history) == []


@pytest.mark.parametrize(
    ("game", "cite"), [(DOUBLE_DOWN_HAND, "17.11(d)"), (DRAW_HAND, "42.12(c)")]
)
def test_a_misdeal_from_the_hand_voids_all(game: Game, cite: str) -> None:
    """17.11(d), 42.12(c): whichever way the cards are dealt."""
    opened, bets, _ = start(game)
    found = standing([*ready(game), opened, bets, Shoe().deal(1, 6)], 1)
    assert found[1].standing is found[2].standing is Standing.VOID
    assert found[2].cites == (cite,)


def test_a_misdeal_of_boston_from_the_hand_is_void_alone() -> None:
    """24.12(d): that player's hand; the dealer with four cards takes another."""
    over = boston_deal(by_hand=((1, 3), (2, 2), ("dealer", 1)))
    found = standing([*ready(BOSTON_HAND), *over], 1)
    assert found[1].standing is Standing.VOID_ALONE
    assert found[1].cites == ("24.12(d)",)
    assert found[2].standing is found["dealer"].standing is Standing.STANDS
    closed = cites([*ready(BOSTON_HAND), *over, RoundClosed(1, void=(1,))])
    assert closed == ["24.10(d)", "24.10(d)", "24.12(d)"]


def test_the_second_draw_is_bound_as_the_first() -> None:
    """42.10(f) to (i): decisions, "No more bets", one card, face down, clockwise."""
    for game, order in ((DRAW, "42.9(c)"), (DRAW_HAND, "42.8(c)")):
        shoe = Shoe()
        history: list[Fact] = [*ready(game), *start(game)[:2], shoe.deal(1, 5), shoe.deal(2, 5)]
        history += [Decided(1, 1, (1, 2)), NoMoreBets(1, 1), Discarded(1, 1, 1), shoe.deal(1, 1)]
        wagers, bets = Decided(1, 2, (1, 2)), NoMoreBets(1, 2)
        card = Dealt(1, ("red40",), 1, face_up=False)
        asked = Discarded(1, 1, 1)
        assert cites([*history, wagers, bets, asked, card]) == []
        assert cites([*history, wagers, asked, card]) == ["42.10(g)"]
        assert cites([*history, bets, asked, card]) == ["42.10(f)"]
        up = replace(card, face_up=True)
        assert cites([*history, wagers, bets, asked, up]) == ["42.10(i)"]
        late = [Discarded(1, 2, 1), Dealt(1, ("red41",), 2)]
        assert cites([*history, wagers, bets, *late, asked, card]) == [order]
        more = permits([*history, wagers, bets], Discarded(1, 1, 2))
        assert [objection.cite for objection in more] == ["42.10(h)"]


def test_the_first_stacks_of_double_draw_come_from_the_shoe() -> None:
    """42.12(f): the shoe is removed before any other method of dealing."""
    *before, stack = [*ready(DRAW), *start(DRAW)]
    assert isinstance(stack, Dealt)
    assert [o.cite for o in permits(before, replace(stack, by_hand=True))] == ["42.12(f)"]
    assert permits([*before, DeviceRemoved()], replace(stack, by_hand=True)) == []


def test_the_last_two_cards_of_boston_from_the_hand_are_bound_as_well() -> None:
    """24.10(d): second wagers first, then two cards face down."""
    deal = boston_deal()
    early = [fact for fact in deal if not isinstance(fact, Decided)]
    assert "24.10(d)" in cites([*ready(BOSTON_HAND), *early])
    for game in (BOSTON, BOSTON_HAND):
        before = [*ready(game), *deal[:-1]]
        card = deal[-1]
        assert isinstance(card, Dealt)
        assert permits(before, replace(card, face_up=False)) == []
        assert [o.cite for o in permits(before, replace(card, face_up=True))] == ["24.10(d)"]


@pytest.mark.parametrize(
    ("game", "cite"), [(DRAW, "42.7(f)2"), (RIDE_HAND, "18.7(e)2"), (BOSTON_HAND, "24.7(f)2")]
)
def test_a_wrong_stub_voids_all_and_ends_the_deck(game: Game, cite: str) -> None:
    """Not misdealt, so all hands are void and the entire deck shall be removed."""
    number = len(fresh_deck(game).cards)
    cards = boston_deal() if game is BOSTON_HAND else good_round(game, 1)[:-1]
    held = sum(len(fact.cards) for fact in cards if isinstance(fact, Dealt))
    good = [*ready(game)[:2], *uncounted("red", number), *cards]
    assert permits([*good, StubCounted("red", number - held, held)], RoundClosed(1)) == []
    wrong = [*good, StubCounted("red", number - held - 1, held)]
    assert [o.cite for o in permits(wrong, RoundClosed(1))] == [cite]
    assert Owed(What.REMOVAL, "red", cite) in owed(wrong)


def test_the_contradiction_of_boston_holds_for_the_hand_as_well() -> None:
    """24.7(f)2 by way of 24.8(e), and 24.12(d)."""
    over = boston_deal(by_hand=((1, 3), (2, 2), ("dealer", 2)))
    found = standing([*ready(BOSTON_HAND), *over, StubCounted("red", 36, 16)], 1)
    assert found[2].standing is Standing.DISPUTED
    assert found[2].cites == ("24.7(f)2", "24.12(d)")


def test_a_wrong_stack_of_pai_gow_voids_the_round() -> None:
    """11.8A(d)2: a stack has more or less than seven cards, so the round is void."""
    deal = [Shoe().deal(1, 8)]
    found = standing([*ready(PAI_GOW_HAND), *start(PAI_GOW_HAND)[:2], *deal], 1)
    assert found[1].standing is found[2].standing is Standing.VOID
    assert found[2].cites == ("11.8A(d)2",)


def test_the_draws_from_the_hand_have_the_same_limits() -> None:
    """42.10(b) to (e), 42.8(c): from the hand as from the shoe."""
    shoe = Shoe()
    dealt: list[Fact] = [*ready(DRAW_HAND), *start(DRAW_HAND)[:2], shoe.deal(1, 5), shoe.deal(2, 5)]
    wagers, bets = Decided(1, 1, (1, 2)), NoMoreBets(1, 1)
    asked = [Discarded(1, 1, 1), Discarded(1, 2, 1)]
    first, second = Dealt(1, ("red40",), 1, face_up=False), Dealt(1, ("red41",), 2)
    assert cites([*dealt, wagers, bets, *asked, first, second]) == []
    assert cites([*dealt, wagers, *asked, first, second]) == ["42.10(c)"]
    assert cites([*dealt, bets, *asked, first, second]) == ["42.10(b)"]
    assert cites([*dealt, wagers, bets, *asked, second, first]) == ["42.8(c)"]
    up = replace(first, face_up=True)
    assert cites([*dealt, wagers, bets, *asked, up, second]) == ["42.10(e)"]
    assert permits([*dealt, wagers, bets], Discarded(1, 1, 3)) == []
    more = permits([*dealt, wagers, bets], Discarded(1, 1, 4))
    assert [objection.cite for objection in more] == ["42.10(d)"]


def test_the_shoe_games_end_no_round_before_the_first_cards() -> None:
    """6.5(c): two cards; 7.7(c): two cards a hand, four in all."""
    shoe, other = Shoe(), Shoe()
    begin = [RoundOpened(1, "red", (1,)), NoMoreBets(1)]
    two = [*ready(RED_DOG), *begin, shoe.deal("community", 1), shoe.deal("community", 1)]
    assert cites([*two, RoundClosed(1)]) == []
    assert cites([*two[:-1], RoundClosed(1)]) == ["6.5(c)"]
    hands = [other.deal(to, 1) for to in ("player", "banker", "player", "banker")]
    assert cites([*ready(MINIBACCARAT), *begin, *hands, RoundClosed(1)]) == []
    assert cites([*ready(MINIBACCARAT), *begin, *hands[:-1], RoundClosed(1)]) == ["7.7(c)"]

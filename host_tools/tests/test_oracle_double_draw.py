"""The oracle on the deal and the draws of double draw poker."""

from __future__ import annotations

from host_tools.oracle.facts import Fact, Game, Recipient
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import (
    Dealt,
    Decided,
    Discarded,
    NoMoreBets,
    RoundClosed,
    RoundOpened,
)
from host_tools.tests.oracle_table import (
    DRAW,
    Shoe,
    cites,
    opened,
    shuffled,
)

DRAW_START: list[Fact] = [DRAW, opened(number=54, jokers=2), *shuffled(number=54)]


def test_no_replaced_card_before_a_decision() -> None:
    """42.10(b): each player places a First Draw Wager or folds, and then the draw begins."""
    early = [f for f in draw_round() if f not in (Decided(1, 1, (1,)), NoMoreBets(1, 1))]
    assert cites([*DRAW_START, *early]) == ["42.10(c)", "42.10(b)"]


def test_double_draw_gives_five_cards_at_one_time() -> None:
    """42.10(a): all five cards are dispensed to the player prior to moving to the next."""
    shoe = Shoe()
    wagers: list[Fact] = [RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    good = [*DRAW_START, *wagers, shoe.deal(1, 5), shoe.deal(2, 5)]
    assert cites(good) == []
    single = [*DRAW_START, *wagers, Dealt(1, ("red0",), 1), Dealt(1, ("red1",), 2)]
    assert cites(single) == ["42.10(a)"]


def test_double_draw_from_the_hand_may_go_card_by_card() -> None:
    """42.10(a), 42.8(b)4: one card at a time, or five at one time; not a mixture."""
    start: list[Fact] = [Game("double_draw", "single_stack"), *DRAW_START[1:]]
    start += [RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    rows: list[tuple[Recipient, int]] = [(1, 1), (2, 1)] * 5
    shoe, other = Shoe(), Shoe()
    assert cites([*start, *(shoe.deal(to, n) for to, n in rows)]) == []
    assert cites([*start, other.deal(1, 1), other.deal(2, 5)]) == ["42.10(a)"]


def draw_round(first: int = 3, drawn: int = 3, second: int = 1) -> list[Fact]:
    """Play double draw for one player who replaces cards twice."""
    shoe = Shoe()
    return [
        RoundOpened(1, "red", (1,)),
        NoMoreBets(1),
        shoe.deal(1, 5),
        Decided(1, 1, (1,)),
        NoMoreBets(1, 1),
        Discarded(1, 1, first),
        shoe.deal(1, drawn),
        Decided(1, 2, (1,)),
        NoMoreBets(1, 2),
        Discarded(1, 1, second),
        shoe.deal(1, second),
        RoundClosed(1),
    ]


def test_a_player_replaces_three_cards_and_then_one() -> None:
    """42.10(d): up to three cards; 42.10(h): up to one card."""
    assert cites([*DRAW_START, *draw_round()]) == []
    assert cites([*DRAW_START, *draw_round(4, 4)]) == ["42.10(d)"]
    assert cites([*DRAW_START, *draw_round(second=2)]) == ["42.10(h)"]


def test_a_draw_ends_with_five_cards_in_the_hand() -> None:
    """42.10(e): until the player holds five cards; 42.12(c) voids another number."""
    assert cites([*DRAW_START, *draw_round(3, 4)]) == ["42.10(e)", "42.12(c)"]
    assert cites([*DRAW_START, *draw_round(3, 2)]) == ["42.10(e)", "42.12(c)"]


def test_no_replaced_card_before_no_more_bets() -> None:
    """42.10(c), (d): the dealer announces, and the First Draw Phase begins."""
    early = [fact for fact in draw_round() if fact != NoMoreBets(1, 1)]
    assert cites([*DRAW_START, *early]) == ["42.10(c)"]


def test_cards_are_replaced_clockwise() -> None:
    """42.9(c): starting with the player farthest to the left, in a clockwise manner."""
    shoe = Shoe()
    start: list[Fact] = [*DRAW_START, RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    start += [shoe.deal(1, 5), shoe.deal(2, 5), Decided(1, 1, (1, 2)), NoMoreBets(1, 1)]
    start += [Discarded(1, 1, 1), Discarded(1, 2, 1)]
    first, second = shoe.take(1), shoe.take(1)
    good = [*start, Dealt(1, first, 1), Dealt(1, second, 2)]
    bad = [*start, Dealt(1, first, 2), Dealt(1, second, 1)]
    assert cites(good) == []
    assert cites(bad) == ["42.9(c)"]


def test_a_player_who_folded_replaces_nothing() -> None:
    """42.10(d): if a player places a First Draw Wager."""
    shoe = Shoe()
    start: list[Fact] = [*DRAW_START, RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    start += [shoe.deal(1, 5), shoe.deal(2, 5), Decided(1, 1, (2,)), NoMoreBets(1, 1)]
    assert permits(start, Discarded(1, 2, 1)) == []
    (found,) = permits(start, Discarded(1, 1, 1))
    assert found.cite == "42.10(d)"

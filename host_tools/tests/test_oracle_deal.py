"""The oracle on the deal of the other games, and on cards that came out wrong."""

from __future__ import annotations

from host_tools.oracle.facts import Cut, Fact, Game, Recipient
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import (
    Dealt,
    DrawnInError,
    FaceUpFound,
    NoMoreBets,
    RemainderOut,
    RoundClosed,
    RoundOpened,
    StartDrawn,
)
from host_tools.tests.oracle_table import (
    BOSTON,
    DOUBLE_DOWN,
    PAI_GOW_HAND,
    RIDE,
    RIDE_HAND,
    Shoe,
    cites,
    double_down_round,
    names,
    opened,
    shuffled,
)

BOSTON_START: list[Fact] = [BOSTON, opened(), *shuffled()]


def test_no_card_after_the_hole_card_was_turned() -> None:
    """17.8(b), (d): all cards are dealt when the dealer announces a second time."""
    whole = [DOUBLE_DOWN, opened(), *shuffled(), *double_down_round()[:-1]]
    (found,) = permits(whole, Dealt(1, ("red20",), 1))
    assert found.cite == "17.8(b)"


def test_a_short_stack_is_seen_at_the_end_of_the_round() -> None:
    """18.9(a): stacks of three cards."""
    start: list[Fact] = [RIDE, opened(), *shuffled(), RoundOpened(1, "red", (1,))]
    assert cites([*start, Dealt(1, names("red", 2), 1), RoundClosed(1)]) == ["18.9(a)"]


def test_double_down_gives_one_card_each_and_four_to_all() -> None:
    """17.8(b): one card to each player, one face down and three face up to the area."""
    start: list[Fact] = [DOUBLE_DOWN, opened(), *shuffled()]
    assert cites([*start, *double_down_round()]) == []
    wagers: list[Fact] = [RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    assert cites([*start, *wagers, Dealt(1, names("red", 2), 1)]) == ["17.8(b)"]


def test_a_stack_of_let_it_ride_has_three_cards_in_whatever_order() -> None:
    """18.9(a): stacks of three cards; the text ends before it names an order."""
    start: list[Fact] = [RIDE, opened(), *shuffled(), RoundOpened(1, "red", (1, 2))]
    shoe, short = Shoe(), Shoe()
    assert cites([*start, shoe.deal("community", 3), shoe.deal(2, 3), shoe.deal(1, 3)]) == []
    assert cites([*start, short.deal(1, 2), short.deal(2, 3)]) == ["18.9(a)"]
    assert cites([*start, Dealt(1, names("red", 4), 1)]) == ["18.9(a)"]


def test_let_it_ride_from_the_hand_goes_card_by_card() -> None:
    """18.8(c): one card to each player, one to the community cards, three times."""
    start: list[Fact] = [RIDE_HAND, opened(), *shuffled()]
    start += [RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    row: list[Recipient] = [1, 2, "community"]
    shoe, other = Shoe(), Shoe()
    assert cites([*start, *(shoe.deal(to, 1) for to in row * 3), RoundClosed(1)]) == []
    assert cites([*start, other.deal(1, 1), other.deal("community", 1)]) == ["18.8(c)"]


def test_pai_gow_from_the_hand_makes_seven_stacks_and_leaves_four_cards() -> None:
    """11.8A(c), (d): left to right and back in turn; exactly four cards are left."""
    shoe = Shoe()
    rows = [*range(1, 8), *range(7, 0, -1)] * 3 + [*range(1, 8)]
    start: list[Fact] = [PAI_GOW_HAND, opened(number=53, jokers=1), *shuffled(number=53)]
    start += [RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    dealt = [*start, *(shoe.deal(stack, 1) for stack in rows)]
    good = [*dealt, RemainderOut(1, shoe.take(4)), StartDrawn(1, 3), RoundClosed(1)]
    assert cites(good) == []
    short = [*dealt, RemainderOut(1, ("a", "b", "c")), RoundClosed(1)]
    assert cites(short) == ["11.8A(d)2"]
    assert cites([*start, StartDrawn(1, 3)]) == ["11.8A(e)"]


def test_a_face_up_card_is_not_used() -> None:
    """24.12(b): a card found face up shall not be used in the game."""
    wagers = [*BOSTON_START, RoundOpened(1, "red", (1,)), NoMoreBets(1), FaceUpFound(1, "red0")]
    (found,) = permits(wagers, Dealt(1, names("red", 3), 1))
    assert found.cite == "24.12(b)"
    assert permits(wagers, Dealt(1, names("red", 4)[1:], 1)) == []


def test_a_card_drawn_in_error_is_the_next_card() -> None:
    """24.12(c): without its face being exposed, it is used as the next card from the shoe."""
    wagers = [*BOSTON_START, RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    drawn = [*wagers, Dealt(1, names("red", 3), 1), DrawnInError(1, "red3", exposed=False)]
    assert permits(drawn, Dealt(1, ("red3", "red4", "red5"), 2)) == []
    (found,) = permits(drawn, Dealt(1, ("red4", "red5", "red6"), 2))
    assert found.cite == "24.12(c)"


def test_blackjack_deals_one_card_each_then_itself_then_one_each() -> None:
    """2.6(e): each box, the dealer, each box again; more cards may follow, 2.6(g)."""
    start: list[Fact] = [Game("blackjack", "automated_shoe"), opened(), *shuffled(), Cut("red", 20)]
    start += [RoundOpened(1, "red", (1, 2))]
    row: list[Recipient] = [1, 2, "dealer", 1, 2, 2, "dealer"]
    shoe, other = Shoe(), Shoe()
    assert cites([*start, *(shoe.deal(to, 1) for to in row)]) == []
    assert cites([*start, other.deal("dealer", 1)]) == ["2.6(e)"]


def test_a_shoe_of_blackjack_lasts_for_several_rounds() -> None:
    """2.5(a): after each shoe of cards is dealt, and after a round if the licensee likes."""
    shoe, later = Shoe(), Shoe(round_number=2)
    later.next = 3
    row: list[Recipient] = [1, "dealer", 1]
    start: list[Fact] = [Game("blackjack", "automated_shoe"), opened(), *shuffled(), Cut("red", 20)]
    first = [RoundOpened(1, "red", (1,)), *(shoe.deal(to, 1) for to in row), RoundClosed(1)]
    second = [RoundOpened(2, "red", (1,)), *(later.deal(to, 1) for to in row)]
    assert cites([*start, *first, *second]) == []


def test_a_continuous_shoe_is_bound_by_no_shuffle_and_no_cut() -> None:
    """2.20: in lieu of the dealing and shuffling requirements of 2.5 and 2.6."""
    start: list[Fact] = [Game("blackjack", "continuous"), opened()]
    assert cites([*start, RoundOpened(1, "red", (1,)), Dealt(1, ("red9",), "dealer")]) == []


def test_a_minibaccarat_shoe_gives_player_and_banker_in_turn() -> None:
    """7.7(b), (c): "No more bets", then player, banker, player, banker."""
    start: list[Fact] = [Game("minibaccarat", "automated_shoe"), opened(), *shuffled()]
    start += [Cut("red", 20), RoundOpened(1, "red", (1,))]
    row: list[Recipient] = ["player", "banker", "player", "banker"]
    shoe, other = Shoe(), Shoe()
    assert cites([*start, NoMoreBets(1), *(shoe.deal(to, 1) for to in row)]) == []
    assert cites([*start, other.deal("player", 1)]) == ["7.7(b)"]
    assert cites([*start, NoMoreBets(1), Dealt(1, ("red0",), "banker")]) == ["7.7(c)"]

"""The oracle on irregularities: which hands stand, and which are void."""

from __future__ import annotations

from host_tools.oracle.facts import Fact, Game, Jammed, StubCounted
from host_tools.oracle.judge import permits, standing
from host_tools.oracle.objection import Standing
from host_tools.oracle.round_facts import (
    Decided,
    Exposed,
    FaceUpFound,
    NoMoreBets,
    RemainderOut,
    RoundClosed,
    RoundOpened,
    RoundVoided,
)
from host_tools.tests.oracle_table import (
    BOSTON,
    DOUBLE_DOWN,
    DRAW,
    RIDE_HAND,
    Shoe,
    boston_deal,
    boston_round,
    cites,
    double_down_round,
    opened,
    shuffled,
    uncounted,
)

START: list[Fact] = [BOSTON, opened(), *shuffled()]
FIRST_STACKS = [*START, *boston_deal(by_hand=())[:-1]]
ALL = (1, 2, "dealer")
QUALIFYING = {1: Standing.IF_QUALIFYING, 2: Standing.IF_QUALIFYING, "dealer": Standing.VOID}


def stand(history: list[Fact]) -> dict[int | str, Standing]:
    """Return the standing of the hands of round 1 without the paragraphs."""
    return {hand: ruling.standing for hand, ruling in standing(history, 1).items()}


def test_every_hand_of_a_good_round_stands() -> None:
    """24.12 names no irregularity here."""
    assert stand([*START, *boston_round()]) == dict.fromkeys(ALL, Standing.STANDS)


def test_a_wrong_hand_of_a_boston_player_is_void_alone() -> None:
    """24.12(d): if a player is dealt an incorrect number of cards, that player's hand is void."""
    history = [*START, *boston_deal(stacks=((1, 3), (2, 2), ("dealer", 3)))]
    assert stand(history) == {1: Standing.STANDS, 2: Standing.VOID_ALONE, "dealer": Standing.STANDS}
    assert standing(history, 1)[2].cites == ("24.12(d)",)
    assert "24.12(d)" in cites([*history, RoundClosed(1)])
    assert "24.12(d)" not in cites([*history, RoundClosed(1, void=(2,))])


def test_a_boston_dealer_with_four_cards_takes_another() -> None:
    """24.12(d): if the dealer is dealt four cards, an additional card completes the hand."""
    short = [*START, *boston_deal(by_hand=((1, 2), (2, 2), ("dealer", 1)))]
    assert stand(short) == dict.fromkeys(ALL, Standing.STANDS)
    assert "24.12(d)" in cites([*short, RoundClosed(1)])
    whole = boston_deal(by_hand=((1, 2), (2, 2), ("dealer", 1), ("dealer", 1)))
    assert cites([*START, *whole, RoundClosed(1)]) == []


def test_any_other_misdeal_to_a_boston_dealer_voids_all() -> None:
    """24.12(d): any other misdeal to the dealer shall result in all hands being void."""
    for cards in (0, 3):
        last = boston_deal(by_hand=((1, 2), (2, 2), ("dealer", cards)))
        history = [*START, *last, RoundClosed(1)]
        assert set(stand(history).values()) == {Standing.VOID}
        assert "24.12(d)" in cites(history)


def test_an_exposed_card_of_the_dealer_spares_hands_that_qualify() -> None:
    """24.12(a): void, except three-card hands that qualify for a payout."""
    shown = [*FIRST_STACKS, Exposed(1, "dealer")]
    assert stand(shown) == QUALIFYING
    (found,) = permits(shown, RoundClosed(1))
    assert found.cite == "24.12(a)"
    assert permits(shown, RoundVoided(1)) == []


def test_the_dealer_may_show_the_cards_after_the_decisions() -> None:
    """24.12(a): prior to each player having either folded or placed a second wager."""
    shown = [*FIRST_STACKS, Decided(1, 1, (1, 2)), Exposed(1, "dealer")]
    assert set(stand(shown).values()) == {Standing.STANDS}


def test_a_jam_of_the_shoe_voids_boston_except_what_qualifies() -> None:
    """24.12(f): after the first three cards are dealt to a player."""
    jammed = [*FIRST_STACKS, Jammed("deal", round=1)]
    assert stand(jammed) == QUALIFYING
    assert cites([*jammed, RoundClosed(1)]) == ["24.12(f)"]
    assert cites([*jammed, RoundVoided(1)]) == []


def test_a_hand_without_three_cards_qualifies_for_nothing() -> None:
    """24.12(f): those three-card hands that qualify for a payout."""
    shoe = Shoe()
    history: list[Fact] = [*START, RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    history += [shoe.deal(1, 3), shoe.deal(2, 2), Jammed("deal", round=1)]
    assert stand(history) == {1: Standing.IF_QUALIFYING, 2: Standing.VOID}


def test_a_jam_before_the_first_hand_is_in_dispute() -> None:
    """24.12(f): the words "after the first three cards" bind the last case or all three."""
    early: list[Fact] = [*START, RoundOpened(1, "red", (1, 2)), NoMoreBets(1)]
    jammed = [*early, Jammed("deal", round=1)]
    assert set(stand(jammed).values()) == {Standing.DISPUTED}


def test_a_jam_after_the_shoe_was_emptied_voids_nothing() -> None:
    """24.12(f): an automated dealing shoe is being used; 24.9(d) took the cards out of it."""
    late = [*FIRST_STACKS, Decided(1, 1, (1, 2)), RemainderOut(1, ()), Jammed("deal", round=1)]
    assert set(stand(late).values()) == {Standing.STANDS}


def test_a_jam_voids_every_hand_of_double_draw() -> None:
    """42.12(e): jams, stops or fails to deal all cards: the round of play shall be void."""
    shoe = Shoe()
    history: list[Fact] = [DRAW, opened(number=54, jokers=2), *shuffled(number=54)]
    history += [RoundOpened(1, "red", (1, 2)), NoMoreBets(1), shoe.deal(1, 5)]
    history += [Jammed("deal", round=1)]
    assert set(stand(history).values()) == {Standing.VOID}
    assert "42.12(e)" in cites([*history, RoundClosed(1)])


def test_one_card_face_up_voids_nothing_and_two_void_all() -> None:
    """24.12(b): if more than one card is found face up, all hands shall be void."""
    one = [*FIRST_STACKS, FaceUpFound(1, "red20")]
    assert set(stand(one).values()) == {Standing.STANDS}
    two = [*one, FaceUpFound(1, "red21")]
    assert set(stand(two).values()) == {Standing.VOID}
    assert "24.12(b)" in cites([*two, RoundClosed(1)])


def test_a_misdeal_voids_every_hand_of_double_down() -> None:
    """17.11(d): if any player or the dealer is dealt an incorrect number of cards."""
    shoe = Shoe()
    history: list[Fact] = [DOUBLE_DOWN, opened(), *shuffled(), RoundOpened(1, "red", (1, 2))]
    history += [NoMoreBets(1), shoe.deal(1, 1), shoe.deal(2, 2), shoe.deal("community", 4)]
    assert set(stand(history).values()) == {Standing.VOID}
    assert "17.11(d)" in cites([*history, RoundClosed(1)])


def test_an_early_look_at_the_hole_card_voids_double_down() -> None:
    """17.11(a): exposed prior to the "No more bets" of 17.8(d)."""
    start: list[Fact] = [DOUBLE_DOWN, opened(), *shuffled()]
    early = [*start, *double_down_round(1, Exposed(1, "community"))]
    assert cites(early) == ["17.11(a)"]
    late = [*start, *double_down_round()[:-1], Exposed(1, "community"), RoundClosed(1)]
    assert cites(late) == []


def test_a_stub_that_does_not_add_up_voids_all() -> None:
    """24.7(f)2: not misdealt and not 52 cards, so all hands shall be considered void."""
    short = [BOSTON, opened(), *uncounted(), *boston_deal(), StubCounted("red", 36, 15)]
    assert set(stand(short).values()) == {Standing.VOID}
    assert cites([*short, RoundClosed(1)]) == ["24.7(f)2"]


def test_boston_texts_contradict_about_a_misdeal_that_the_stub_shows() -> None:
    """24.7(f)2 voids all hands, 24.12(d) the hand of that player alone."""
    deal = boston_deal(stacks=((1, 3), (2, 2), ("dealer", 3)))
    history = [*START, *deal, StubCounted("red", 38, 14)]
    found = standing(history, 1)
    assert found[1].standing is Standing.DISPUTED
    assert found[1].cites == ("24.7(f)2", "24.12(d)")
    assert found[2].standing is Standing.VOID_ALONE
    closed = cites([*history, RoundClosed(1, void=(2,))])
    assert not {"24.7(f)2", "24.12(d)"} & set(closed)


def test_let_it_ride_voids_a_misdeal_that_the_stub_shows() -> None:
    """18.7(e)2 by way of 18.8(e): misdealt but 52 cards remain, so all hands are void."""
    shoe = Shoe()
    history: list[Fact] = [RIDE_HAND, opened(), *shuffled(), RoundOpened(1, "red", (1,))]
    history += [NoMoreBets(1), shoe.deal(1, 4), shoe.deal("community", 3)]
    history += [StubCounted("red", 45, 7)]
    assert set(stand(history).values()) == {Standing.VOID}


def test_a_hand_of_caribbean_stud_has_five_cards() -> None:
    """16.1: the five card hand dealt to each player and the dealer."""
    for cards in (4, 5):
        shoe = Shoe()
        history: list[Fact] = [Game("caribbean_stud", "automated_shoe"), opened(), *shuffled()]
        history += [RoundOpened(1, "red", (1,)), shoe.deal(1, cards), shoe.deal("dealer", 5)]
        assert cites([*history, RoundClosed(1)]) == ([] if cards == 5 else ["16.1"])


def test_a_remainder_that_leaves_a_jammed_shoe_is_no_breach() -> None:
    """24.12(f): the round is void, so 24.9(d) does not hold the cards back."""
    jammed = [*FIRST_STACKS[:-1], Jammed("deal", round=1)]
    assert permits(jammed, RemainderOut(1, ())) == []

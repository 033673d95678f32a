"""The oracle on shuffle and cut: from which stack a round may be dealt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from host_tools.oracle.facts import (
    Cut,
    DevicePlaced,
    DeviceRemoved,
    Fact,
    Game,
    Idle,
    Jammed,
    PlayerArrives,
    PutIn,
    Recut,
    Shuffled,
)
from host_tools.oracle.judge import permits
from host_tools.oracle.round_facts import Dealt, RoundClosed, RoundOpened, RoundVoided
from host_tools.tests.oracle_table import (
    BOSTON,
    DOUBLE_DOWN,
    DOUBLE_DOWN_HAND,
    POKER,
    boston_deal,
    boston_round,
    cites,
    double_down_round,
    names,
    opened,
    poker_round,
    shuffled,
)

RED, BLUE = opened("red"), opened("blue")


def test_a_round_from_a_shuffled_deck_is_good() -> None:
    """24.4(a), 24.9, 24.10(d): shuffled by the device, dealt in the order of the text."""
    assert cites([BOSTON, RED, *shuffled(), *boston_round()]) == []


def test_no_round_from_a_deck_that_was_never_shuffled() -> None:
    """24.4(a): immediately prior to the commencement of play."""
    assert cites([BOSTON, RED, *boston_round()]) == ["24.4(a)"]


def test_a_preshuffled_deck_needs_no_first_shuffle() -> None:
    """24.4(a): unless the cards were pre-shuffled."""
    history = [BOSTON, replace(RED, preshuffled=True), *boston_round()]
    assert cites(history) == []


def test_a_preshuffled_deck_is_shuffled_all_the_same_where_no_text_excuses_it() -> None:
    """17.4(a) knows no cards that come pre-shuffled."""
    history = [DOUBLE_DOWN, replace(RED, preshuffled=True), *double_down_round()]
    assert "17.4(a)" in cites(history)


def test_no_second_round_from_one_shuffle() -> None:
    """24.4(a): after each round of play has been completed."""
    first = [BOSTON, RED, *shuffled(), *boston_round(1)]
    assert "24.4(a)" in cites([*first, *boston_round(2)])
    assert cites([*first, *shuffled(), *boston_round(2)]) == []


def test_a_shuffle_before_the_end_of_the_round_is_no_shuffle_after_it() -> None:
    """24.4(a): after each round of play has been completed."""
    first = [BOSTON, RED, *shuffled(), *boston_deal(1), *shuffled(), RoundClosed(1)]
    assert "24.4(a)" in cites([*first, *boston_round(2)])


def test_no_card_after_the_end_of_its_round() -> None:
    """24.4(a): the cards are shuffled after the round, so no card may follow."""
    dealt = [BOSTON, RED, *shuffled(), *boston_deal(1)[:3]]
    stack = Dealt(1, names("red", 6)[3:], 2)
    assert permits(dealt, stack) == []
    (found,) = permits([*dealt, RoundVoided(1)], stack)
    assert found.cite == "24.4(a)"


def test_cards_that_were_carried_over_are_not_shuffled() -> None:
    """24.4(a): so that the cards are randomly intermixed."""
    first = [BOSTON, RED, *shuffled(), *boston_round(1)]
    assert "24.4(a)" in cites([*first, *shuffled(by="nobody"), *boston_round(2)])


def test_no_card_that_was_not_in_the_shuffle() -> None:
    """24.4(a): the dealer shall shuffle the cards, so each card that is dealt."""
    cards = names("red")[1:]
    history = [BOSTON, RED, PutIn(frozenset(cards)), Shuffled(cards, cards, "device")]
    assert cites([*history, *boston_round()]) == ["24.4(a)"]


def test_a_shuffle_by_hand_breaks_boston_and_a_present_device() -> None:
    """24.4(a) wants the device; 24.12(g) wants it removed before another method."""
    history = [BOSTON, RED, *shuffled(by="hand")]
    assert sorted(cites(history)) == ["24.12(g)", "24.4(a)"]
    assert cites([BOSTON, RED, DeviceRemoved(), *shuffled(by="hand")]) == ["24.4(a)"]


def test_double_down_may_be_shuffled_by_hand_once_the_device_is_gone() -> None:
    """17.11(f): the device shall be removed before any other method of shuffling."""
    cut = Cut("red", 20)
    hand = [*shuffled(by="hand"), cut, *double_down_round()]
    assert cites([DOUBLE_DOWN, RED, *hand]) == ["17.11(f)"]
    assert cites([DOUBLE_DOWN, RED, DeviceRemoved(), *hand]) == []


def test_an_idle_table_shuffles_before_it_deals() -> None:
    """24.4(c): spread, and after the first player looked, mixed and shuffled."""
    ready = [BOSTON, RED, *shuffled()]
    assert cites([*ready, Idle(), *boston_round()]) == ["24.4(c)"]
    early = [*ready, Idle(), *shuffled(), PlayerArrives(), *boston_round()]
    assert cites(early) == ["24.4(c)"]
    assert cites([*ready, Idle(), PlayerArrives(), *shuffled(), *boston_round()]) == []


def test_a_broken_shuffle_is_done_again() -> None:
    """24.12(e): if the device jams or stops during a shuffle, the cards shall be reshuffled."""
    cards = names("red")
    stopped = [BOSTON, RED, Shuffled(cards, cards[:20], "device", complete=False)]
    went_on = Shuffled(cards, cards, "device", fresh=False)
    assert cites([*stopped, *boston_round()])[0] == "24.12(e)"
    assert "24.12(e)" in cites([BOSTON, RED, Jammed("shuffle", "red"), went_on, *boston_round()])
    assert cites([*stopped, *shuffled(), *boston_round()]) == []


def test_a_single_stack_of_double_down_is_cut() -> None:
    """17.4(b)2: the device places the deck in a single stack, so the cards are cut."""
    ready = [DOUBLE_DOWN_HAND, RED, *shuffled()]
    assert cites([*ready, *double_down_round()]) == ["17.4(b)2"]
    assert cites([*ready, Cut("red", 10), *double_down_round()]) == []


def test_a_stack_in_the_shoe_of_double_down_needs_no_cut() -> None:
    """17.4(b)1: inserted directly into a dealing shoe."""
    assert cites([DOUBLE_DOWN, RED, *shuffled(), *double_down_round()]) == []


@pytest.mark.parametrize(("depth", "good"), [(9, False), (10, True), (42, True), (43, False)])
def test_a_cut_keeps_ten_cards_at_either_end(depth: int, good: bool) -> None:
    """17.4(e): at least 10 cards from either end."""
    history = [DOUBLE_DOWN_HAND, RED, *shuffled(), Cut("red", depth)]
    assert cites(history) == ([] if good else ["17.4(e)"])


def test_no_recut_after_the_first_card() -> None:
    """17.4(f): after the cards have been cut and before any cards have been dealt."""
    ready = [DOUBLE_DOWN_HAND, RED, *shuffled(), Cut("red", 10)]
    assert permits(ready, Recut("red", 20)) == []
    (found,) = permits([*ready, *double_down_round()], Recut("red", 20))
    assert found.cite == "17.4(f)"


def test_poker_is_cut_after_every_shuffle() -> None:
    """14.5(b): after the cards have been shuffled, the dealer shall cut the deck."""
    good = [POKER, RED, *poker_round(1)]
    assert cites(good) == []
    assert cites([fact for fact in good if not isinstance(fact, Cut)]) == ["14.5(b)"]


def test_no_card_twice_from_one_shuffle() -> None:
    """2.5(a): a card comes back into the shoe by a shuffle alone."""
    start: list[Fact] = [Game("blackjack", "automated_shoe"), RED, *shuffled(), Cut("red", 20)]
    start += [RoundOpened(1, "red", (1,)), Dealt(1, ("red0",), 1)]
    assert permits(start, Dealt(1, ("red1",), "dealer")) == []
    (found,) = permits(start, Dealt(1, ("red0",), "dealer"))
    assert found.cite == "2.5(a)"


def test_a_device_that_was_placed_again_bars_the_hand_again() -> None:
    """17.11(f): removed before any other method of shuffling."""
    back: list[Fact] = [DOUBLE_DOWN, RED, DeviceRemoved(), DevicePlaced()]
    assert cites([*back, *shuffled(by="hand")]) == ["17.11(f)"]

"""The oracle on debts: what must be done before the next round."""

from __future__ import annotations

from host_tools.oracle.facts import Cut, DeviceCounted, Fact, Jammed, PutIn, StubCounted
from host_tools.oracle.judge import owed
from host_tools.oracle.objection import Owed, What
from host_tools.oracle.round_facts import (
    RoundClosed,
    RoundOpened,
)
from host_tools.tests.oracle_table import (
    BOSTON,
    BOSTON_HAND,
    DOUBLE_DOWN_HAND,
    POKER,
    Shoe,
    boston_round,
    names,
    opened,
    shuffled,
)

START: list[Fact] = [BOSTON, opened(), *shuffled()]


def test_a_played_deck_owes_its_cards_and_a_shuffle() -> None:
    """24.4(a): the cards, so all of them, after each round of play."""
    played = [*START, *boston_round()]
    shuffle = Owed(What.SHUFFLE, "red", "24.4(a)")
    assert owed(played) == {shuffle, Owed(What.CARDS_BACK, "red", "24.4(a)")}
    assert owed([*played, PutIn(frozenset(names("red")))]) == {shuffle}
    assert owed([*played, *shuffled()]) == set()


def test_a_broken_shuffle_owes_a_reshuffle() -> None:
    """24.12(e): the cards shall be reshuffled."""
    jammed = [BOSTON, opened(), Jammed("shuffle", "red")]
    assert owed(jammed) == {Owed(What.RESHUFFLE, "red", "24.12(e)")}


def test_a_cut_is_owed_until_it_is_made() -> None:
    """17.4(b)2: a single stack is cut."""
    ready: list[Fact] = [DOUBLE_DOWN_HAND, opened(), *shuffled()]
    assert owed(ready) == {Owed(What.CUT, "red", "17.4(b)2")}
    assert owed([*ready, Cut("red", 20)]) == set()


def test_a_stub_count_is_owed_after_five_rounds() -> None:
    """24.8(e): at least once every five rounds of play."""
    history: list[Fact] = [BOSTON_HAND, opened()]
    for number in range(1, 6):
        history += [*shuffled(), *boston_round(number)]
    count = Owed(What.STUB_COUNT, "red", "24.8(e)")
    assert count not in owed(history[:-1][: -len(boston_round())])
    assert count in owed(history)
    assert count not in owed([*history, StubCounted("red", 37, 15)])


def test_a_wrong_count_owes_the_removal() -> None:
    """24.9(f): the deck shall be removed from the table."""
    wrong = [*START, DeviceCounted("red", 51)]
    assert Owed(What.REMOVAL, "red", "24.9(f)") in owed(wrong)


def test_an_old_deck_owes_a_new_one_and_suit_and_sequence() -> None:
    """14.2(b): two hours of use, four hours of life."""
    shoe = Shoe()
    used: list[Fact] = [POKER, opened(), *shuffled(), Cut("red", 20)]
    used += [RoundOpened(1, "red", (1, 2)), shoe.deal(1, 1)]
    late = [*used, RoundClosed(1, at_s=4 * 3600 + 1)]
    assert {debt.what for debt in owed(late)} >= {What.NEW_DECK, What.SUIT_ORDER}
    assert {debt.what for debt in owed(used)} == {What.SHUFFLE, What.CARDS_BACK}

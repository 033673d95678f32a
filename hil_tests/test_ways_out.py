"""Ways out that refusals name do work; and what is refused while a round, or a card, waits."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import BLUE, RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.rigs import Setup

SHOE, BOSTON = Setup("let_it_ride"), Setup("boston_5")
BY_HAND = Setup("boston_5", by_hand=True)
CONTINUOUS = Setup("plain", continuous=True)
ONE_DECK = Setup("pai_gow_poker")
WHOLE = 52


def test_a_deck_whose_cards_are_taken_out_of_the_infeed_is_not_declared() -> None:
    """TD-5 TD-3 (in-process): the other is declared in its place, and it can be removed."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.load(RED)
        words = "the red deck lies in the infeed: take it out first"
        await table.refused("TD-3", words, "remove_deck", back=RED)
        await table.take_out()
        await table.load(BLUE)
        assert (await table.deck(RED)).place == link_pb2.TABLE
        await table.refused("SH-1", "load it when it lies on the table", "shuffle", back=RED)
        await table.take_out()
        await table.done("remove_deck", back=RED)
        await table.ready(BLUE)
        await table.open()

    at_a_table(story, SHOE)


def test_a_new_deck_whose_cards_are_taken_out_of_the_infeed_is_loaded_again() -> None:
    """TD-5 SH-11 (in-process): as the deck that the supervisor declared, without him."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.done("remove_deck", back=RED)
        await table.new_deck(RED)
        await table.take_out()
        await table.ready(RED)
        await table.supervisor("remove_deck", back=BLUE)  # red was dealt last
        await table.open()

    at_a_table(story, SHOE)


def test_a_game_of_one_deck_names_the_deck_that_has_to_go() -> None:
    """TD-1 (in-process): removed, the other colour is declared and played."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.open()
        await table.void()
        await table.lay_in(BLUE)
        await table.refused("TD-1", "remove the red deck first", "load", back=BLUE)
        await table.take_out()
        await table.done("remove_deck", back=RED)
        await table.ready(BLUE)
        await table.open()

    at_a_table(story, ONE_DECK)


@pytest.mark.parametrize("way", ["close_round", "void_round"])
def test_an_open_round_is_closed_or_declared_void_first(way: str) -> None:
    """DS-4 SH-9 (in-process): idle and the next round both say so, and both ways work."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        words = f"round {table.number} is still open: close it, or declare it void"
        later = {"round": table.number + 1, "players": 2}
        await table.refused("DS-4", words, "open_round", **later)
        await table.refused("DS-4", words, "idle")
        if way == "close_round":
            await table.close()
        else:
            await table.void()
        await table.done("idle")
        await table.ready(BLUE)
        await table.open()

    at_a_table(story, SHOE)


def test_a_table_that_is_idle_during_the_first_shuffle_of_continuous_play_changes_nothing() -> None:
    """SH-9 SH-7 (in-process): the deck is in play when it is in, and its round opens."""

    async def story(table: OneTable) -> None:
        await table.load(RED)
        since = len(table.told)
        await table.done("shuffle", back=RED)
        await asyncio.sleep(3.0)
        await table.done("idle")
        await table.wait("shuffle_done", since, 60.0)
        assert (await table.deck(RED)).order == link_pb2.SHUFFLED
        await table.open()

    at_a_table(story, CONTINUOUS)


def test_no_card_of_the_dealer_s_is_exposed_before_it_was_dealt() -> None:
    """DS-14 (in-process): from the shoe its stack comes last; then hands stand."""

    async def story(table: OneTable) -> None:
        exposed = {"round": 1, "reason": link_pb2.EXPOSED}
        words = "no card of the dealer's was dealt yet"
        await table.ready(RED)
        await table.open()
        await table.refused("DS-14", words, "void_round", **exposed)
        await table.done("no_more_bets", round=1)
        for position in (1, 2):
            await table.deal(position)
            await table.refused("DS-14", words, "void_round", **exposed)
        await table.deal(3)
        await table.done("void_round", **exposed)
        await table.wait("round_void", 0)
        assert [void.standing for void in table.voids(1)] == [0b11]

    at_a_table(story, BOSTON)


def test_no_card_of_the_dealer_s_is_exposed_by_hand_while_bets_are_placed() -> None:
    """DS-14 (in-process): nobody has dealt any."""

    async def story(table: OneTable) -> None:
        exposed = {"round": 1, "reason": link_pb2.EXPOSED}
        await table.ready(RED)
        await table.open()
        words = "no card of the dealer's was dealt yet"
        await table.refused("DS-14", words, "void_round", **exposed)
        await table.done("no_more_bets", round=1)
        await table.done("void_round", **exposed)
        await table.wait("round_void", 0)
        assert len(table.voids(1)) == 1

    at_a_table(story, BY_HAND)


def test_no_stub_is_counted_while_cards_lie_in_the_tray() -> None:
    """CT-1 (in-process): they are of it; the machine says so, and takes the count afterwards."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.done("no_more_bets", round=table.number)
        since = len(table.told)
        await table.done("remainder", round=table.number)
        await table.wait("remainder", since, 60.0)
        await asyncio.sleep(1.0)
        stub = {"back": RED, "cards": WHOLE}
        no = await table.ask("stub_counted", patient=False, **stub)
        assert no is not None
        assert (no.outcome, no.text) == (link_pb2.NOT_NOW, "cards lie in the tray")
        table.hands.take()
        await asyncio.sleep(1.0)
        await table.done("stub_counted", **stub)

    at_a_table(story, BOSTON)


@pytest.mark.parametrize(
    ("setup", "rule", "words"),
    [
        (SHOE, "SH-1", "round 1 is still open: close it first"),
        (BY_HAND, "TD-3", "the red deck is dealt from the hand"),
    ],
    ids=str,
)
def test_the_deck_of_an_open_round_is_not_removed(setup: Setup, rule: str, words: str) -> None:
    """SH-1 TD-3 (in-process): its remainder is out, or it is dealt by hand; closed, it goes."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        if not setup.by_hand:
            await table.stacks()
            await table.rest()
        await table.refused(rule, words, "remove_deck", back=RED)
        if setup.by_hand:
            await table.close()
        else:
            await table.done("close_round", round=1)
        await table.done("remove_deck", back=RED)

    at_a_table(story, setup)


def test_a_brought_deck_that_was_interrupted_has_no_order() -> None:
    """SH-6 I-11 (in-process): it lies on the table, and was never carried over."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.done("remove_deck", back=RED)
        await table.new_deck(RED, shuffled=True)
        await table.done("shuffle", back=RED)
        await asyncio.sleep(3 * MOMENT_S)
        assert (await table.deck(RED)).order == link_pb2.BROUGHT
        table.hands.switch("lid", False)
        await asyncio.sleep(MOMENT_S)
        table.hands.switch("lid", True)
        await table.clear()
        assert (await table.deck(RED)).order == link_pb2.ORDER_NONE

    at_a_table(story, Setup("boston_5"))


def test_a_fault_that_is_over_is_cleared_whatever_was_said_before() -> None:
    """I-12 (in-process): the budget is spent; a look costs only when it finds something."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        while True:
            no = await table.ask("open_round", patient=False, **await table.next_round())
            if no is not None:
                break
            await table.done("void_round", round=table.number + 1)
        assert "too much is said" in no.text, no
        table.hands.switch("lid", False)
        await asyncio.sleep(MOMENT_S)
        table.hands.switch("lid", True)
        await table.done("cleared")  # its cards are still inside
        await asyncio.sleep(10 * MOMENT_S)
        no = await table.ask("cleared", patient=False)
        assert no is not None
        assert "too much is said" in no.text, no

    at_a_table(story, CONTINUOUS)

"""Whose turn it is, and when a stub is owed: over many rounds, two decks, and what ends a turn."""

from __future__ import annotations

import pytest

from hil_tests.one_table import BLUE, RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.rigs import Setup

SHOE = Setup("let_it_ride")
STUBS = Setup("boston_5", by_hand=True)  # its stub is counted every five rounds
FIVE = "five rounds without a count that is trusted: "
WHOLE = 52


async def played(table: OneTable, *backs: link_pb2.Back) -> None:
    """Play a whole round with each of these decks."""
    for back in backs:
        await table.play(back)


async def opens(table: OneTable, back: link_pb2.Back) -> None:
    """Shuffle this deck and open a round with it."""
    await table.ready(back)
    await table.bets()


async def count_owed(table: OneTable) -> None:
    """See that the red deck is not taken before its stub was counted."""
    await table.lay_in(RED)
    await table.refused("CT-1", FIVE + "count the red deck first", "load", back=RED)


@pytest.mark.parametrize(("setup", "cut"), [(SHOE, False), (STUBS, False), (SHOE, True)], ids=str)
def test_a_round_without_a_card_is_no_turn_of_its_deck(setup: Setup, cut: bool) -> None:
    """TD-4 EL-3 (in-process): blue's is declared void, and red is not dealt again."""

    async def story(table: OneTable) -> None:
        await played(table, RED, BLUE, RED)
        await table.ready(BLUE)
        await table.open()
        await table.void()
        if cut:
            await table.power_cut()
        await table.ready(RED)
        await table.not_opened("TD-4", "the red deck was dealt last")

    at_a_table(story, setup)


@pytest.mark.parametrize("setup", [SHOE, STUBS], ids=str)
def test_a_void_round_of_which_a_card_was_dealt_is_a_turn_of_its_deck(setup: Setup) -> None:
    """TD-4 (in-process): by hand it begins when no more bets are placed."""

    async def story(table: OneTable) -> None:
        await played(table, RED)
        await opens(table, BLUE)
        if not setup.by_hand:
            await table.deal(1)
        await table.void()
        await table.ready(BLUE)
        await table.not_opened("TD-4", "the blue deck was dealt last")
        if not setup.by_hand:  # else the single stack would lie on the table beside the other
            await table.come_out("give_back", "remainder")
            await opens(table, RED)

    at_a_table(story, setup)


@pytest.mark.parametrize("two", [False, True])
def test_a_stub_that_is_owed_goes_with_its_deck(two: bool) -> None:
    """CT-1 TD-4 (in-process): the supervisor removes it; a new or the other deck's round opens."""

    async def story(table: OneTable) -> None:
        other = BLUE if two else RED
        await played(table, RED, other, RED, other, RED)
        await table.supervisor("remove_deck", back=RED)
        if two:
            await table.load(BLUE)
        else:
            await table.new_deck(RED)
        await table.shuffle(other)
        await table.bets()

    at_a_table(story, STUBS)


def test_a_stub_that_is_owed_stays_owed_when_the_table_removes_its_deck() -> None:
    """CT-1 (in-process): until the supervisor has declared a new one, as the refusal says."""

    async def story(table: OneTable) -> None:
        await played(table, RED, BLUE, RED, BLUE, RED)
        await table.done("remove_deck", back=RED)
        await table.ready(BLUE)
        await table.not_opened("CT-1", FIVE + "have the supervisor declare a new red deck")
        await table.new_deck(RED)
        await table.bets()

    at_a_table(story, STUBS)


def test_a_stub_that_is_owed_and_its_deck_s_removal_outlast_the_power() -> None:
    """CT-1 (in-process): five rounds, the power, the supervisor removes the deck, the power."""

    async def story(table: OneTable) -> None:
        await played(table, RED, RED, RED, RED, RED)
        await table.power_cut()
        await count_owed(table)
        await table.take_out()
        await table.supervisor("remove_deck", back=RED)
        await table.power_cut()
        await table.new_deck(RED)
        await table.shuffle(RED)
        await table.bets()

    at_a_table(story, STUBS)


def test_each_deck_is_counted_when_its_own_five_rounds_are_over() -> None:
    """CT-1 (in-process): red's stub after blue's round was closed, and then blue's too."""

    async def story(table: OneTable) -> None:
        for number in range(4):
            await played(table, RED, BLUE)
            if number % 2:
                await table.done("stub_counted", back=BLUE, cards=WHOLE)
        await played(table, RED, BLUE)
        await count_owed(table)
        await table.done("stub_counted", back=RED, cards=WHOLE)
        await table.done("stub_counted", back=BLUE, cards=WHOLE)
        await opens(table, RED)

    at_a_table(story, STUBS)


def test_a_wrong_stub_is_a_count() -> None:
    """CT-1 CT-3 (in-process): locked out, removed, a new deck: its round opens; no stub is owed."""

    async def story(table: OneTable) -> None:
        await played(table, RED, RED, RED, RED, RED)
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        assert (await table.deck(RED)).locked_out
        await table.done("remove_deck", back=RED)
        await table.new_deck(RED)
        await table.shuffle(RED)
        words = "no round was played with the red deck"
        await table.refused("CT-1", words, "stub_counted", back=RED, cards=WHOLE)
        await table.bets()

    at_a_table(story, STUBS)


@pytest.mark.parametrize("cut", [False, True])
def test_a_deck_that_was_given_back_was_in_no_round(cut: bool) -> None:
    """CT-1 (in-process): nor do power cuts count as rounds; five that were played do."""

    async def story(table: OneTable) -> None:
        await played(table, RED)
        for _ in range(5):
            await table.load(RED)
            await table.shuffle_only(RED)
            await table.come_out("give_back", "remainder")
            if cut:
                await table.power_cut()
        await played(table, RED, RED, RED, RED)
        await count_owed(table)

    at_a_table(story, STUBS)


def test_a_stub_that_is_counted_before_its_round_is_closed_counts() -> None:
    """CT-1 (in-process): five full rounds follow, and then the next count is owed."""

    async def story(table: OneTable) -> None:
        await played(table, RED, RED, RED, RED)
        await opens(table, RED)
        await table.done("no_more_bets", round=table.number)
        await table.done("stub_counted", back=RED, cards=WHOLE)
        await table.done("close_round", round=table.number)
        await played(table, RED, RED, RED, RED, RED)
        await count_owed(table)

    at_a_table(story, STUBS)


def test_a_trial_by_service_with_the_other_deck_is_no_turn() -> None:
    """TD-4 (in-process): the table's only deck is dealt again after it."""

    async def story(table: OneTable) -> None:
        await played(table, RED)
        async with table.client.acting_as(link_pb2.ROLE_SERVICE):
            await table.load(BLUE)
            await table.shuffle_only(BLUE)
            await table.come_out("give_back", "remainder")
        await opens(table, RED)

    at_a_table(story, SHOE)

"""A deck whose time is over: no round of it begins, and one that has begun is dealt to its end."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import HOUR_S, MOMENT_S, MORNING
from hil_tests.one_table import BLUE, RED, OneTable, at_a_table
from host_tools.rigs import Setup

OVER = "the deck is over its time: declare round {} void"
SOON_H = 60 / HOUR_S  # a minute before its time is over

# A game, whether it is dealt by hand, its deck's life in hours, and the rule of that
LIVES = (
    ("let_it_ride", False, 8, "CL-1"),
    ("caribbean_stud", False, 8, "CL-2"),
    ("boston_5", False, 8, "CL-4"),
    ("let_it_ride", True, 4, "CL-1"),
    ("double_down_stud", True, 8, "CL-3"),
    ("boston_5", True, 4, "CL-4"),
)
FROM_SHOE = (("let_it_ride", "CL-1"), ("boston_5", "CL-4"), ("double_draw", "CL-4"))
SHOE_H = 8


async def opened_in_time(table: OneTable, hours: float) -> None:
    """Open a round with the red deck, a little before its time is over."""
    await table.ready(RED)
    await table.tell_time(hours - 2 * SOON_H)
    await table.open()


async def a_new_deck_is_played(table: OneTable) -> None:
    """Replace the red deck by a new one, and play a round with it."""
    await table.done("remove_deck", back=RED)
    since = len(table.told)
    await table.new_deck(RED)
    await asyncio.sleep(MOMENT_S)
    assert all(one.deck_age.level == 0 for one in table.all("deck_age", since))
    await table.shuffle(RED)
    await table.bets()
    await table.close()


@pytest.mark.parametrize(("game", "by_hand", "hours", "rule"), LIVES)
def test_bets_are_not_closed_on_a_deck_over_its_time(
    game: str, by_hand: bool, hours: int, rule: str
) -> None:
    """CL-1 CL-2 CL-3 CL-4 (in-process): opened in time, hours later only void; a new deck plays."""

    async def story(table: OneTable) -> None:
        await opened_in_time(table, hours)
        await table.tell_time(4)
        words = OVER.format(table.number)
        await table.refused(rule, words, "no_more_bets", round=table.number)
        await table.void()
        await a_new_deck_is_played(table)

    at_a_table(story, Setup(game, by_hand))


def test_a_deck_whose_age_the_power_took_is_not_declared_by_the_first_request() -> None:
    """CL-6 (in-process): a table alone told the time; the first look at the ages is to come."""

    async def story(table: OneTable) -> None:
        await table.cut()
        await table.greet()
        await table.done("set_clock", time=MORNING)
        await table.play(RED)
        await table.cut()
        await table.lay_in(RED)
        await table.greet()
        no = await table.ask("load", patient=False, back=RED)
        assert no is not None, "a deck of no known age was declared"
        assert "supervisor has to tell the time" in no.text, no

    at_a_table(story)


@pytest.mark.parametrize(("game", "rule"), FROM_SHOE)
def test_no_first_stack_is_dealt_from_a_deck_over_its_time(game: str, rule: str) -> None:
    """CL-1 CL-4 (in-process): bets were closed in time; the round can only be declared void."""

    async def story(table: OneTable) -> None:
        await opened_in_time(table, SHOE_H)
        await table.done("no_more_bets", round=table.number)
        await table.tell_time(4)
        words = OVER.format(table.number)
        await table.refused(rule, words, "deal", round=table.number, position=1)
        await table.void()
        await a_new_deck_is_played(table)

    at_a_table(story, Setup(game))


@pytest.mark.parametrize(("game", "rule"), FROM_SHOE)
def test_a_round_whose_first_stack_left_in_time_is_dealt_to_its_end(game: str, rule: str) -> None:
    """CL-1 CL-4 (in-process): the other stacks, later bets and the remainder; then it is over."""

    async def story(table: OneTable) -> None:
        await opened_in_time(table, SHOE_H)
        await table.done("no_more_bets", round=table.number)
        await table.deal(1)
        await table.tell_time(4)
        for position in range(2, (await table.client.status()).owed + 1):
            await table.deal(position)
        await table.later_bets()
        await table.rest()
        await table.done("close_round", round=table.number)
        await table.lay_in(RED)
        await table.refused(rule, "the red deck is over its time", "load", back=RED)

    at_a_table(story, Setup(game))


@pytest.mark.parametrize("game", ["let_it_ride", "boston_5"])
def test_bets_by_hand_that_were_closed_in_time_are_played_to_the_end(game: str) -> None:
    """CL-1 CL-4 (in-process): nobody sees the first card, so the round has begun with its bets."""

    async def story(table: OneTable) -> None:
        await opened_in_time(table, 4)
        await table.done("no_more_bets", round=table.number)
        await table.tell_time(4)
        await table.close()

    at_a_table(story, Setup(game, by_hand=True))


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (2, "the deck has to be put in suit and sequence: declare round {} void"),
        (4, OVER),
    ],
)
def test_poker_bets_are_not_closed_on_a_deck_that_waits_for_its_sequence(
    hours: int, words: str
) -> None:
    """CL-5 (in-process): opened in time; void, in suit and sequence or new, and played."""

    async def story(table: OneTable) -> None:
        await opened_in_time(table, 2)
        await table.tell_time(hours - 2 + 1)
        await table.refused("CL-5", words.format(table.number), "no_more_bets", round=table.number)
        await table.void()
        if hours == 2:
            await table.load(RED, sorted=True)
            await table.shuffle(RED)
            await table.bets()
            await table.close()
        else:
            await a_new_deck_is_played(table)

    at_a_table(story, Setup("poker", by_hand=True))


@pytest.mark.parametrize("opened", [False, True])
def test_a_deck_over_its_time_in_continuous_play_goes_by_the_way_that_is_named(
    opened: bool,
) -> None:
    """CL-7 SH-7 (in-process): a round is void; out of service, all cards out, a new deck."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        if opened:
            await table.open()
        await table.tell_time(4 + 1)
        if opened:
            await table.refused("CL-7", OVER.format(1), "no_more_bets", round=1)
            await table.done("void_round", round=1)
        await table.not_opened(
            "CL-7", "over its time: out of service with it, then remove it, declare a new one"
        )
        await table.done("out_of_service")
        table.hands.clear()
        since = len(table.told)
        await table.done("in_service")
        await table.wait("cleared", since, 60.0)
        await a_new_deck_is_played(table)

    at_a_table(story, Setup("plain", continuous=True))


def test_a_deck_over_its_time_in_the_shoe_goes_by_the_way_that_is_named() -> None:
    """CL-1 (in-process): given back and removed, a new one; the other deck is not touched."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.tell_time(8 + 1)
        await table.not_opened(
            "CL-1", "the deck is over its time: give it back or remove it, declare a new one"
        )
        await table.come_out("give_back", "remainder")
        await a_new_deck_is_played(table)
        await table.play(BLUE)

    at_a_table(story)

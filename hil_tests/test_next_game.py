"""Another game is set up: nothing of the one before is judged by it, and nothing of it is lost."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import BLUE, RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S
from host_tools.rigs import Setup
from host_tools.rules.device import make_profile

OFF_AND_ON = "switch the machine off and on"
BOSTON, RIDE = "boston_5", "let_it_ride"


def profile(table: OneTable, game: str, by_hand: bool = False) -> bytes:
    """Return a profile that service has signed."""
    return make_profile(table.rig.keys.service, game, int(by_hand))


async def configure(table: OneTable, game: str, by_hand: bool = False) -> None:
    """Set another game up, in force from the next power-on."""
    async with table.client.acting_as(link_pb2.ROLE_SERVICE):
        await table.done("configure", profile=profile(table, game, by_hand))


async def not_configured(table: OneTable, words: str, game: str, by_hand: bool = False) -> None:
    """Try to set another game up, which must be refused with these words."""
    async with table.client.acting_as(link_pb2.ROLE_SERVICE):
        await table.refused("SERVICE", words, "configure", profile=profile(table, game, by_hand))


async def in_force(table: OneTable, setup: Setup) -> None:
    """Switch off and on; from now on this is played."""
    await table.power_cut()
    table.setup = setup


@pytest.mark.parametrize("by_hand", [False, True])
def test_no_round_is_begun_between_two_games(by_hand: bool) -> None:
    """DS-8 EL-3 (in-process): the power would end it under the other one's rules."""

    async def story(table: OneTable) -> None:
        if by_hand:
            await table.ready(RED)  # lies on the table as a single stack
        else:
            await table.load(RED)
        await configure(table, BOSTON)
        await table.not_opened("SERVICE", OFF_AND_ON)
        await table.refused("SERVICE", OFF_AND_ON, "load", back=BLUE)
        await table.refused("SERVICE", OFF_AND_ON, "shuffle", back=RED)
        await in_force(table, Setup(BOSTON))
        await table.take_out()
        await table.play(RED)

    at_a_table(story, Setup(RIDE, by_hand))


def test_rounds_without_a_count_are_counted_before_another_game() -> None:
    """CT-1 (in-process): 24.8(e): a round of a game that asks for none would end the five."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        words = "count the stub of the red deck"
        await not_configured(table, words, "double_down_stud", True)
        await table.done("stub_counted", back=RED, cards=52)
        await configure(table, "double_down_stud", True)

    at_a_table(story, Setup(BOSTON, by_hand=True))


def test_rounds_of_the_other_deck_are_counted_before_another_game() -> None:
    """CT-1 (in-process): each deck has its own five rounds."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.play(BLUE)
        await table.done("stub_counted", back=BLUE, cards=52)
        await not_configured(table, "count the red deck", RIDE)
        await table.done("stub_counted", back=RED, cards=52)
        await configure(table, RIDE)

    at_a_table(story, Setup(BOSTON, by_hand=True))


def test_a_deck_of_another_number_of_cards_is_removed_before_another_game() -> None:
    """CT-2 CT-3 (in-process): its cards would be counted by the number of the other game."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        words = "the red deck has 52 cards, that game 54: remove it"
        await not_configured(table, words, "double_draw")
        await table.done("remove_deck", back=RED)
        await configure(table, "double_draw")
        await in_force(table, Setup("double_draw"))
        await table.refused("CT-3", "was removed", "stub_counted", back=RED, cards=52)

    at_a_table(story, Setup(BOSTON))


def test_a_refusal_names_the_deck_whose_stub_is_to_be_counted() -> None:
    """CT-1 (in-process): the two alternate, and either could be meant."""

    async def story(table: OneTable) -> None:
        for back in (RED, BLUE, RED, BLUE, RED):
            await table.play(back)
        await table.ready(BLUE)
        await table.not_opened("CT-1", "count the stub of the red deck")
        await table.done("stub_counted", back=RED, cards=52)
        await table.bets()

    at_a_table(story, Setup(BOSTON, by_hand=True))


def test_a_deck_over_its_time_is_removed_before_another_game() -> None:
    """CL-4 (in-process): 1.18(g)3: four hours from the hand; the shoe's eight make none younger."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.done("stub_counted", back=RED, cards=52)
        await table.tell_time(4.5)
        await not_configured(table, "the red deck is over its time: remove it", BOSTON)
        await table.done("remove_deck", back=RED)
        await configure(table, BOSTON)

    at_a_table(story, Setup(BOSTON, by_hand=True))


def test_the_turn_of_another_game_is_ended_as_its_refusal_says() -> None:
    """TD-4 (in-process): a game of one deck was played between two rounds of one with two."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.play(BLUE)
        await table.done("remove_deck", back=BLUE)
        await configure(table, "three_card_poker")
        await in_force(table, Setup("three_card_poker"))
        await table.play(RED)
        await configure(table, BOSTON)
        await in_force(table, Setup(BOSTON))
        await table.ready(RED)
        await table.not_opened("TD-4", "deal the other, or have the supervisor remove that")
        await table.supervisor("remove_deck", back=BLUE)
        await table.bets()

    at_a_table(story, Setup(BOSTON))


def test_a_locked_out_deck_of_continuous_play_is_not_to_be_put_back() -> None:
    """CT-3 (in-process): rounds since the last count of a deck that nobody counts any more."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.close()
        table.hands.take()
        table.machine.infeed.stack.clear()
        await table.done("out_of_service")
        table.hands.clear()
        table.hands.table["red"].pop()
        await table.done("in_service")
        await asyncio.sleep(10 * MOMENT_S)
        since = len(table.told)
        await table.load(RED)
        await table.done("shuffle", back=RED)
        await table.wait("locked_out", since, SHUFFLE_S)
        await table.clear()
        await not_configured(table, "have the supervisor declare a new red deck", "let_it_ride")

    at_a_table(story, Setup("plain", continuous=True))

"""What the lamps say of the deck in the shoe: green to deal from, amber to be shuffled again."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import BLUE, RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.play.table import SHUFFLE_S
from host_tools.rigs import Setup

AMBER, GREEN = {"amber"}, {"green"}
BOSTON = Setup("boston_5")  # a new deck may come shuffled
CONTINUOUS = Setup("plain", continuous=True)


async def lit(table: OneTable) -> set[str]:
    """Return which lamps are lit, when the machine has had time to change them."""
    await asyncio.sleep(MOMENT_S)
    return {name for name, on in table.machine.lamps.items() if on}


def test_a_shuffled_deck_in_the_shoe_is_green_also_while_it_is_dealt() -> None:
    """SH-1 (in-process): and no lamp is lit when its remainder is out."""

    async def story(table: OneTable) -> None:
        assert await lit(table) == set()
        await table.ready(RED)
        assert await lit(table) == GREEN
        await table.bets()
        assert await lit(table) == GREEN
        await table.stacks()
        assert await lit(table) == GREEN
        await table.rest()
        assert await lit(table) == set()

    at_a_table(story)


def test_an_idled_deck_in_the_shoe_is_amber_and_not_green() -> None:
    """SH-9 (in-process): given back and shuffled again it is green."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.done("idle")
        assert (await table.deck(RED)).order == link_pb2.IDLED
        assert await lit(table) == AMBER
        await table.come_out("give_back", "remainder")
        assert await lit(table) == set()
        await table.ready(RED)
        assert await lit(table) == GREEN

    at_a_table(story)


def test_a_brought_deck_in_the_shoe_is_green_and_amber() -> None:
    """SH-6 (in-process): until it is idled, which makes it amber alone."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.done("remove_deck", back=RED)
        await table.new_deck(RED, shuffled=True)
        await table.shuffle(RED)
        assert (await table.deck(RED)).order == link_pb2.BROUGHT
        assert await lit(table) == GREEN | AMBER
        await table.done("idle")
        assert await lit(table) == AMBER

    at_a_table(story, BOSTON)


def test_the_deck_of_a_void_round_in_the_shoe_is_amber_and_not_green() -> None:
    """DS-8 (in-process): its cards come back, and no round is opened with it."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.deal(1)
        await table.done("void_round", round=table.number)
        assert await lit(table) == AMBER
        await table.rest()
        assert await lit(table) == set()

    at_a_table(story)


def test_a_void_round_of_continuous_play_leaves_its_deck_green() -> None:
    """SH-7 (in-process): the deck stays inside, and so does what may be dealt of it."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.open()
        await table.done("void_round", round=table.number)
        assert await lit(table) == GREEN
        await table.open()

    at_a_table(story, CONTINUOUS)


def test_a_deck_that_waits_in_the_wheel_lights_no_amber() -> None:
    """TD-3 SH-6 (in-process): nothing works, and neither deck was brought."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        since = len(table.told)
        await table.load(BLUE)
        await table.done("shuffle", back=BLUE)
        await table.wait("shuffle_done", since, SHUFFLE_S)
        assert await lit(table) == GREEN

    at_a_table(story)


@pytest.mark.parametrize("setup", [Setup(), CONTINUOUS])
def test_out_of_service_a_deck_inside_lights_nothing(setup: Setup) -> None:
    """SH-5 (in-process): it is not dealt any more, and has no order."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.done("out_of_service")
        assert await lit(table) == set()

    at_a_table(story, setup)

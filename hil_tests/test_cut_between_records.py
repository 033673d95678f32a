"""The power goes between two records: what the first one says is done, and nobody is told less."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from host_tools.rigs import Setup

BOSTON = Setup("boston_5")  # complete hands stand when the shoe or the power voids a round
BY_HAND = Setup("boston_5", by_hand=True)
WHOLE = 52
BOTH = 0b11  # hands of the two players
SECOND = 0b10
STACK = 3
# Passages of a plant: the last card of the first stack, and of all three
FIRST_LAST, LAST_LAST = STACK, 3 * STACK


async def locked_out(table: OneTable, since: int, by_this_start: bool) -> None:
    """See that red is locked out, and that its cards are not taken again."""
    assert (await table.deck(RED)).locked_out
    assert len(table.all("locked_out", since)) == by_this_start
    told = [kind_of(one) for one in await table.client.recall(0)]
    assert told.count("locked_out") == 1
    await table.clear()
    await table.lay_in(RED)
    await table.refused("CT-3", "the red deck is locked out", "load", back=RED)


async def two_stacks(table: OneTable) -> None:
    """Deal to both players."""
    await table.ready(RED)
    await table.bets()
    await table.deal(1)
    await table.deal(2)


def stolen(table: OneTable) -> None:
    """Take a card out of the shoe."""
    table.machine.deal.shoe.pop(0)


@pytest.mark.parametrize("kind", ["remainder", "round_void", "fault", "locked_out"])
def test_a_remainder_that_is_short_locks_its_deck_out_whatever_record_is_the_last(
    kind: str,
) -> None:
    """CT-3 I-7 (in-process): no hand stands; the round is told as void, at the latest now."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.done("no_more_bets", round=1)
        stolen(table)
        since = await table.cut_after(kind, "remainder", round=1)
        told = [one.round_void for one in await table.client.recall(0) if one.round_void.round]
        assert [(void.round, void.stand, void.standing) for void in told][-1] == (1, 0, 0)
        assert len(table.voids(1, since)) == (kind == "remainder")  # else it is on record
        await locked_out(table, since, kind != "locked_out")
        assert (await table.meters()).voids == 1

    at_a_table(story, BOSTON)


@pytest.mark.parametrize("kind", ["remainder", "fault", "locked_out"])
def test_a_deck_that_is_given_back_short_is_locked_out_whatever_record_is_the_last(
    kind: str,
) -> None:
    """CT-3 I-7 (in-process): the round before it is not void."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await table.ready(RED)
        stolen(table)
        since = await table.cut_after(kind, "give_back")
        await locked_out(table, since, kind != "locked_out")
        assert table.all("round_void") == []
        assert (await table.meters()).voids == 0

    at_a_table(story, BOSTON)


def test_a_round_that_a_wrong_stub_makes_void_is_told_by_the_next_start_and_by_no_other() -> None:
    """CT-3 I-7 (in-process): its deck was locked out, and then the power went."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        since = await table.cut_after("locked_out", "stub_counted", back=RED, cards=WHOLE - 1)
        assert table.voids(1) == table.voids(1, since)
        (void,) = table.voids(1, since)
        assert (void.reason, void.standing) == (link_pb2.WRONG_STUB, 0)
        assert (await table.deck(RED)).locked_out
        again = await table.power_cut()
        assert table.voids(1, again) == []
        assert (await table.deck(RED)).locked_out
        assert (await table.meters()).voids == 1

    at_a_table(story, BY_HAND)


def test_a_wrong_stub_of_a_round_that_the_power_made_void_is_one_void() -> None:
    """CT-3 EL-3 (in-process): told once more, as no hand of it stands then, and counted once."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.power_cut()
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        await asyncio.sleep(MOMENT_S)
        assert (await table.deck(RED)).locked_out
        (lost, wrong) = table.voids(1)
        assert (lost.reason, wrong.reason) == (link_pb2.POWER_LOST, link_pb2.WRONG_STUB)
        assert (await table.meters()).voids == 1

    at_a_table(story, BY_HAND)


def test_a_count_that_was_right_outlives_two_power_cuts() -> None:
    """DS-8 EL-3 (in-process): the second comes while the start tells the hands again."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.done("void_round", round=1, reason=link_pb2.EXPOSED)
        await table.cut_while("remainder", table.ask("remainder", round=1))
        await table.cut_in_start("round_void")
        since = len(table.told)
        await table.start()
        (*_, void) = table.voids(1, since)
        assert (void.provisional, void.standing) == (False, BOTH)

    at_a_table(story, BOSTON)


def test_a_misdealt_dealer_s_stack_leaves_no_hand_though_the_power_goes_with_it() -> None:
    """DS-11 DS-8 EL-3 (in-process): its record says so, and the next start tells it."""

    async def story(table: OneTable) -> None:
        await two_stacks(table)
        since = await table.cut_after("stack", "deal", round=1, position=3)
        stack = [one for one in table.records() if one.kind == "stack"][-1]
        assert stack.get("verdict") == link_pb2.MISDEALT
        (void,) = table.voids(1, since)
        assert (void.stand, void.standing) == (0, 0)

    at_a_table(story, BOSTON, {"deal.triple_feed": {LAST_LAST}})


async def ended(table: OneTable, how: str) -> link_pb2.RoundVoid:
    """End round 1 by the shoe door, or by the power; return how it is told as void."""
    since = len(table.told)
    if how == "power":
        since = await table.power_cut()
    else:
        table.hands.switch("door", False)
        await table.wait("round_void", since)
    (void,) = table.voids(1, since)
    assert void.provisional
    return void


@pytest.mark.parametrize("how", ["door", "power"])
def test_a_hand_that_waits_for_another_card_does_not_stand(how: str) -> None:
    """DS-9 DS-8 (in-process): a card of it lay face up, and none has come in its place."""

    async def story(table: OneTable) -> None:
        await two_stacks(table)
        await table.done("face_up", round=1, position=1)
        void = await ended(table, how)
        assert sum(one.stack.delivered for one in table.all("stack")) == 2 * STACK
        assert (void.stand, void.standing) == (1, SECOND)

    at_a_table(story, BOSTON)


def test_a_hand_that_waits_for_another_card_does_not_stand_when_its_record_is_the_last() -> None:
    """DS-9 EL-3 (in-process): the power goes with the record of the card that lay face up."""

    async def story(table: OneTable) -> None:
        await two_stacks(table)
        since = await table.cut_after("face_up", "face_up", round=1, position=1)
        (void,) = table.voids(1, since)
        assert void.standing == SECOND

    at_a_table(story, BOSTON)


@pytest.mark.parametrize("how", ["door", "power"])
def test_a_hand_of_which_a_card_was_replaced_stands(how: str) -> None:
    """DS-9 DS-8 (in-process): by the power as by the door."""

    async def story(table: OneTable) -> None:
        await two_stacks(table)
        await table.come_out("face_up", "stack", round=1, position=1)
        void = await ended(table, how)
        assert (void.complete, void.stand, void.standing) == (2, 2, BOTH)

    at_a_table(story, BOSTON)


@pytest.mark.parametrize("how", ["door", "power"])
def test_a_hand_with_one_card_more_stands(how: str) -> None:
    """DS-10 DS-8 (in-process): a card that was drawn in error is the next one of the deck."""

    async def story(table: OneTable) -> None:
        await two_stacks(table)
        verdicts = [one.stack.verdict for one in table.all("stack")]
        assert verdicts == [link_pb2.ONE_MORE, link_pb2.AS_ORDERED]
        void = await ended(table, how)
        assert (void.complete, void.stand, void.standing) == (2, 2, BOTH)

    at_a_table(story, BOSTON, {"deal.double_feed": {FIRST_LAST}})

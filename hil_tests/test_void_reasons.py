"""Why a round is void, and which of its hands stand: by what made it void, and by its own deck."""

from __future__ import annotations

import asyncio

import pytest

from hil_tests.asked_table import MOMENT_S
from hil_tests.one_table import BLUE, PLAYERS, RED, OneTable, at_a_table
from host_tools.link import link_pb2
from host_tools.link.keys import ROLES
from host_tools.play.table import SHUFFLE_S
from host_tools.rigs import Setup
from host_tools.rules.device import make_profile

BOSTON = Setup("boston_5")  # complete hands stand when the shoe or the power voids a round
WHOLE = 52
BOTH = 0b11  # hands of the two players
SESSIONS = 18  # a budget of records: docs/memory.md


async def stopped_by_the_other(table: OneTable) -> None:
    """Have cards of the wrong back stop the other deck's shuffle."""
    await table.lay_in(RED)
    await table.done("load", back=BLUE)
    since = len(table.all("fault"))
    await table.done("shuffle", back=BLUE)
    await table.wait("fault", since)


async def broken(table: OneTable, back: link_pb2.Back) -> int:
    """Deal the stacks of a round, and break it by the door; its number."""
    await table.ready(back)
    await table.bets()
    for position in (1, 2):
        await table.deal(position)
    number = table.number
    table.hands.switch("door", False)
    await asyncio.sleep(MOMENT_S)
    table.hands.switch("door", True)
    await table.clear()
    (void,) = table.voids(number)
    assert (void.standing, void.provisional) == (BOTH, True)
    return number


def test_a_dealer_s_word_is_the_reason_also_while_a_fault_stands() -> None:
    """DS-8 DS-14 (in-process): 24.12(d): what the dealer declares void has no hand that stands."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.later_bets()
        await table.rest()
        await stopped_by_the_other(table)
        await table.done("void_round", round=table.number)
        await asyncio.sleep(MOMENT_S)
        (void,) = table.voids(table.number)
        assert (void.reason, void.fault, void.standing) == (link_pb2.BY_DEALER, 0, 0)

    at_a_table(story, BOSTON)


def test_a_wrong_stub_is_the_reason_also_while_a_fault_stands() -> None:
    """CT-3 (in-process): and the meters count it as what it is."""

    async def story(table: OneTable) -> None:
        await table.play(RED)
        await stopped_by_the_other(table)
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        await asyncio.sleep(MOMENT_S)
        (void,) = table.voids(table.number)
        assert (void.reason, void.fault) == (link_pb2.WRONG_STUB, 0)
        meters = await table.meters()
        assert (meters.voids, meters.voids_other, meters.voids_feeder) == (1, 1, 0)

    at_a_table(story, BOSTON)


@pytest.mark.parametrize("power", [False, True])
def test_hands_that_were_told_for_good_fall_with_a_wrong_stub(power: bool) -> None:
    """CT-3 EL-3 (in-process): 24.7(f)2, also when the power went between."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.void(reason=link_pb2.EXPOSED)
        (*_, settled) = table.voids(1)
        assert (settled.provisional, settled.standing) == (False, BOTH)
        if power:
            await table.power_cut()
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        await asyncio.sleep(MOMENT_S)
        (*_, last) = table.voids(1)
        assert (last.provisional, last.standing) == (False, 0)
        assert (await table.meters()).voids == 1

    at_a_table(story, BOSTON)


def test_a_start_tells_how_many_stacks_were_complete_not_how_many_stand() -> None:
    """DS-8 EL-3 (in-process): three stacks, the dealer's among them; two hands stand."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.done("void_round", round=1, reason=link_pb2.EXPOSED)
        await asyncio.sleep(MOMENT_S)
        since = await table.power_cut()
        told = [(one.complete, one.standing) for one in table.voids(1)]
        assert told == [(PLAYERS + 1, BOTH)] * 2
        await table.clear()
        await table.ready(RED)
        (*_, settled) = table.voids(1, since)
        assert (settled.complete, settled.standing, settled.provisional) == (
            PLAYERS + 1,
            BOTH,
            False,
        )

    at_a_table(story, BOSTON)


def test_a_wrong_stub_after_a_start_tells_the_void_round_once() -> None:
    """CT-3 EL-3 (in-process): 24.7(f)2."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.void(reason=link_pb2.EXPOSED)
        since = await table.power_cut()
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        await asyncio.sleep(MOMENT_S)
        (void,) = table.voids(1, since)
        assert (void.provisional, void.standing, void.complete) == (False, 0, PLAYERS + 1)

    at_a_table(story, BOSTON)


def test_no_other_game_while_hands_wait_for_a_count() -> None:
    """DS-8 (in-process): the deck would be counted by the number of cards of the other game."""

    async def story(table: OneTable) -> None:
        another = make_profile(table.rig.keys.service, "let_it_ride")
        await broken(table, RED)
        async with table.client.acting_as(link_pb2.ROLE_SERVICE):
            await table.refused("SERVICE", "hands of round 1 wait", "configure", profile=another)
        await table.done("remove_deck", back=RED)
        async with table.client.acting_as(link_pb2.ROLE_SERVICE):
            await table.done("configure", profile=another)

    at_a_table(story, BOSTON)


def test_hands_that_were_told_for_good_fall_though_the_power_goes_with_the_lock_out() -> None:
    """CT-3 EL-3 (in-process): 24.7(f)2: the next start takes them back."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.void(reason=link_pb2.EXPOSED)
        since = await table.cut_after("locked_out", "stub_counted", back=RED, cards=WHOLE - 1)
        (void,) = table.voids(1, since)
        assert (void.provisional, void.standing) == (False, 0)

    at_a_table(story, BOSTON)


def test_hands_of_a_round_before_the_last_are_told_no_more() -> None:
    """CT-3 EL-3 (in-process): they are paid; a wrong stub after the power is of the last round."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.void(reason=link_pb2.EXPOSED)
        await table.play(RED)
        since = await table.power_cut()
        await table.done("stub_counted", back=RED, cards=WHOLE - 1)
        await asyncio.sleep(MOMENT_S)
        assert [one.round_void.round for one in table.all("round_void", since)] == [2]

    at_a_table(story, BOSTON)


def test_a_right_count_is_told_though_the_power_goes_with_its_record() -> None:
    """DS-8 EL-3 (in-process): 24.12(f): the next start tells the hands for good."""

    async def story(table: OneTable) -> None:
        await table.ready(RED)
        await table.bets()
        await table.stacks()
        await table.done("void_round", round=1, reason=link_pb2.EXPOSED)
        since = await table.cut_after("remainder", "remainder", round=1)
        (*_, void) = table.voids(1, since)
        assert (void.provisional, void.standing) == (False, BOTH)

    at_a_table(story, BOSTON)


@pytest.mark.parametrize("power", [False, True])
def test_hands_of_two_void_rounds_wait_each_for_its_own_deck(power: bool) -> None:
    """DS-8 TD-1 EL-3 (in-process): 24.12(f): both counts are right, and all hands stand."""

    async def story(table: OneTable) -> None:
        first = await broken(table, RED)
        second = await broken(table, BLUE)
        if power:
            await table.power_cut()
        for number, back in ((first, RED), (second, BLUE)):
            await table.ready(back)
            (*_, settled) = table.voids(number)
            assert (settled.provisional, settled.standing) == (False, BOTH)
            await table.come_out("give_back", "remainder")

    at_a_table(story, BOSTON)


def test_one_count_settles_no_hand() -> None:
    """I-1 DS-8 (in-process): the deck lies in the wheel, and is not counted out of it yet."""

    async def story(table: OneTable) -> None:
        number = await broken(table, RED)
        await table.ready(BLUE)
        await table.load(RED)
        since = len(table.told)
        await table.done("shuffle", back=RED)
        await table.wait("shuffle_done", since, SHUFFLE_S)
        await asyncio.sleep(MOMENT_S)
        (void,) = table.voids(number)
        assert void.provisional

    at_a_table(story, BOSTON)


def test_a_time_that_was_vouched_for_is_kept_however_much_was_said_before() -> None:
    """CL-6 I-12 (in-process): its record is never one that a budget leaves out."""

    async def story(table: OneTable) -> None:
        for _ in range(SESSIONS):
            async with table.client.acting_as(ROLES["supervisor"]):
                pass
        await table.tell_time()
        await table.ready(RED)
        await table.power_cut()
        await table.tell_time()
        await table.clear()
        await table.load(RED)

    at_a_table(story)

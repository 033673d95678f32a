"""Void rounds: why, and hands that stand until a deck is counted, over a start and other rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from dovetail.faults import DEAL_JAM

from hil_tests.bench import Bench
from hil_tests.games import JAM_AT
from hil_tests.service import by_the_supervisor
from host_tools.hands import SimulatedHands
from host_tools.journal import meters, story
from host_tools.journal.segments import Journal, find
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S, STACK_S
from host_tools.rigs import Rig, Setup, Wanted, beside, configured
from sim.faults import Faults
from sim.hal import Store
from sim.inprocess import InProcess
from sim.loop import run

Story = Callable[[Bench], Awaitable[None]]

SEED = 0
NOON = 1_800_000_000
HANDS = 0b11  # of the first two positions
SETUP = Setup("boston_5")
JAMS = Wanted(SEED, {"deal.jam": {JAM_AT}}, SETUP)
SMOOTH = Wanted(SEED, setup=SETUP)


def on(store: Store, wanted: Wanted, body: Story) -> None:
    """A machine with this memory, from power-on to the end of the story."""
    whole = InProcess(SEED, Faults(wanted.faults, SEED), store=store)
    hands = SimulatedHands(whole.hands, SEED)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)
    rig.setup = wanted.setup

    async def all_of_it() -> None:
        bench = Bench(rig)
        try:
            await body(bench)
        finally:
            await bench.close()

    run(whole.world, beside(whole.start(), all_of_it()))


def journal(store: Store) -> Journal:
    """What lies on its flash."""
    return Journal.of(find(bytes(store.cells)))


async def tell_time(bench: Bench, time: int) -> None:
    """By the supervisor: how long the power was off, a table does not say."""
    async with by_the_supervisor(bench):
        await bench.client.request("set_clock", link_pb2.SetClock(time=time))


async def exposed(bench: Bench) -> str:
    """Void round 1 after three stacks, a card exposed; its cards are out. Return its deck."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2, 3):
        await bench.deal(position)
        await bench.take(position)
    await bench.step(bench.client.void_round(bench.round, link_pb2.EXPOSED))
    await bench.rest()
    return back


async def jammed(bench: Bench) -> str:
    """The shoe jams in the third stack of round 1; its cards are taken out. Return its deck."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    for position in (1, 2):
        await bench.deal(position)
        await bench.take(position)
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 3))
    await bench.fault(since, "shoe", "jam", STACK_S)
    void = (await bench.step(bench.heard.wait("round_void", since, 1.0))).round_void
    assert (void.round, void.provisional, void.standing) == (1, True, HANDS)
    await bench.hands.clear()
    await bench.cleared()
    return back


def test_hands_that_stand_for_now_are_told_again_by_a_start_and_settled_by_the_count() -> None:
    store = configured(JAMS)
    backs: list[str] = []

    async def before(bench: Bench) -> None:
        await bench.prepare()
        await tell_time(bench, NOON)
        backs.append(await jammed(bench))

    async def after(bench: Bench) -> None:
        bench.rig.last_round, bench.rig.last_back = 1, backs[0]
        await bench.client.hello()
        void = (await bench.heard.wait("round_void", 0, 5.0)).round_void
        assert (void.round, void.complete, void.reason) == (1, 2, link_pb2.BY_FAULT)
        assert (void.provisional, void.stand, void.standing) == (True, 2, HANDS)
        await tell_time(bench, NOON + 600)
        since = len(bench.heard.events)
        await bench.ready(backs[0])
        settled = (await bench.heard.wait("round_void", since, 1.0)).round_void
        assert (settled.round, settled.provisional, settled.standing) == (1, False, HANDS)

    on(store, JAMS, before)
    on(store, SMOOTH, after)
    assert meters.after(journal(store))["voids"] == 1
    told = list(story.tell(list(journal(store).records()), "round=1"))
    assert told[-1].endswith("2 stand for good: position 1, 2")


def test_a_deck_that_waits_in_the_wheel_while_the_other_is_dealt_has_settled_nothing() -> None:
    """TD-1 I-1: the power ends round 2, and round 1 is told again: its deck was counted once."""
    store = configured(JAMS)

    async def before(bench: Bench) -> None:
        await bench.prepare()
        first = await jammed(bench)
        await bench.ready(bench.next_back())
        await bench.open()
        await bench.no_more_bets()
        since = len(bench.heard.events)
        await bench.shuffle(first)
        await bench.heard.wait("shuffle_done", since, SHUFFLE_S)
        assert not bench.heard.all("round_void", since)
        status = await bench.client.status()
        assert (status.round, status.no_more_bets) == (2, True)

    async def after(bench: Bench) -> None:
        await bench.client.hello()
        void = (await bench.heard.wait("round_void", 0, 5.0, round=2)).round_void
        assert (void.complete, void.reason) == (0, link_pb2.POWER_LOST)
        (first,) = [one for one in bench.heard.all("round_void") if one.round_void.round == 1]
        assert (first.round_void.provisional, first.round_void.standing) == (True, HANDS)

    on(store, JAMS, before)
    counted = meters.after(journal(store))["voids"]
    on(store, SMOOTH, after)
    assert (counted, meters.after(journal(store))["voids"]) == (1, 2)


def test_a_stub_that_the_dealer_finds_wrong_leaves_no_hand_of_a_void_round_standing() -> None:
    """CT-3 DS-14: 24.7(f)2, also after the machine has counted the remainder right."""
    store = configured(SMOOTH)

    async def found_wrong(bench: Bench) -> None:
        await bench.prepare()
        back = await exposed(bench)
        await bench.step(bench.client.stub_counted(BACKS[back], 51))
        await asyncio.sleep(1)
        told = [event.round_void for event in bench.heard.all("round_void", 0)]
        said = [(void.round, void.provisional, void.standing) for void in told]
        assert said == [(1, True, HANDS), (1, False, HANDS), (1, False, 0)]

    on(store, SMOOTH, found_wrong)
    records = [one for one in journal(store).records() if one.kind == "round_void"]
    assert [one.get("standing") for one in records] == [HANDS, HANDS, 0]
    assert meters.after(journal(store))["voids"] == 1


def test_a_start_tells_the_void_of_an_earlier_round_and_not_of_the_one_that_is_open() -> None:
    """The power goes in round 2, before the deck of round 1 was counted: both are told."""
    store = configured(JAMS)

    async def before(bench: Bench) -> None:
        await bench.prepare()
        await jammed(bench)
        await bench.ready(bench.next_back())
        await bench.open()

    async def after(bench: Bench) -> None:
        await bench.client.hello()
        await bench.heard.wait("round_void", 0, 5.0, round=2)
        voids = {one.round_void.round: one.round_void for one in bench.heard.all("round_void")}
        assert (voids[2].standing, voids[2].reason) == (0, link_pb2.POWER_LOST)
        assert (voids[1].standing, voids[1].provisional) == (HANDS, True)

    on(store, JAMS, before)
    on(store, SMOOTH, after)


def test_a_start_that_tells_a_void_round_again_names_the_fault_that_ended_it() -> None:
    """BY_FAULT: a fault, whose number is told beside it."""
    store = configured(JAMS)
    faults: list[int] = []

    async def before(bench: Bench) -> None:
        await bench.prepare()
        await jammed(bench)
        faults.extend(one.round_void.fault for one in bench.heard.all("round_void"))

    async def after(bench: Bench) -> None:
        await bench.client.hello()
        void = (await bench.heard.wait("round_void", 0, 5.0)).round_void
        assert void.reason == link_pb2.BY_FAULT
        faults.append(void.fault)

    on(store, JAMS, before)
    on(store, SMOOTH, after)
    assert faults == [DEAL_JAM, DEAL_JAM]


def test_out_of_service_voids_a_round_for_no_reason_that_an_earlier_request_gave() -> None:
    """DS-14: a card that was exposed in round 1 makes no hand stand in round 2."""
    store = configured(SMOOTH)

    async def body(bench: Bench) -> None:
        await bench.prepare()
        first = await exposed(bench)
        bench.watch.ready = False
        await bench.ready(first)
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await bench.take(1)
        since = len(bench.heard.events)
        await bench.client.out_of_service()
        void = (await bench.heard.wait("round_void", since, 5.0)).round_void
        assert void.round == 2
        assert void.reason != link_pb2.EXPOSED
        assert (void.stand, void.standing) == (0, 0)

    on(store, SMOOTH, body)

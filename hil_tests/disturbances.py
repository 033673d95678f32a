"""Scenarios of what goes wrong: a card is missing, a card jams, somebody opens the lid."""

from __future__ import annotations

import asyncio

from boards import mechanics as M
from hil_tests.bench import CARDS, Bench
from hil_tests.scenario import scenario
from hil_tests.service import by_the_supervisor
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S

JAM_AT = 20
ROLLER_UM_MS = 1200  # at full speed
STUCK_UM = M.SEATED_UM - (M.COUNT_BEAM_UM + M.WHEEL_MOUTH_UM) // 2
TELL_MS = 250  # I-4


@scenario("dealer", "hands")
async def a_deck_with_a_card_missing_is_locked_out(bench: Bench) -> None:
    """CT-3 CT-2 I-7: locked out; only a new one may take its place."""
    back = bench.next_back()
    await bench.hands.lose(back)
    since = len(bench.heard.events)
    await bench.shuffle()
    event = await bench.fault(since, "count", "wrong number of cards", SHUFFLE_S)
    assert event.fault.card == CARDS - 1
    assert not bench.heard.all("ready", since)
    await bench.nothing_goes_on(back, event.fault.fault)
    await bench.hands.clear()
    await bench.cleared()
    red = BACKS[back]
    await bench.table.dealer.load(back)
    await bench.refused(bench.client.load(red), "CT-3")
    await bench.refused(bench.client.remove_deck(red), "CT-3")  # it lies in the infeed still
    await bench.hands.clear()
    await bench.step(bench.client.remove_deck(red))
    await bench.refused(bench.client.load(red), "CT-3")
    await bench.hands.renew(back)
    await bench.table.dealer.load(back)
    await bench.refused(bench.client.load(red, new_deck=True), "SH-11")
    async with by_the_supervisor(bench):
        await bench.step(bench.client.load(red, new_deck=True))
    status = await bench.step(bench.client.status())
    assert not any(deck.locked_out for deck in status.decks)


@scenario("dealer", "hands", "faults", faults={"path.jam": {JAM_AT}})
async def a_jam_on_the_path_means_shuffle_again(bench: Bench) -> None:
    """I-4, I-5, SH-4: told in time with station and card; shuffled again, all is whole."""
    since = len(bench.heard.events)
    back = await bench.shuffle()
    event = await bench.fault(since, "feeder", "jam", SHUFFLE_S)
    assert event.fault.card == JAM_AT
    assert bench.watch.stuck_ns is not None
    assert bench.watch.told_ns is not None
    # it can first be known when the card, had it gone on, would have been seated
    known_ns = bench.watch.stuck_ns + STUCK_UM * 1_000_000 // ROLLER_UM_MS
    assert bench.watch.told_ns - known_ns <= TELL_MS * 1_000_000
    assert not bench.heard.all("ready", since)
    await bench.nothing_goes_on(back, event.fault.fault)
    await bench.anew(back)


@scenario("dealer", "hands")
async def the_lid_is_opened_while_shuffling(bench: Bench) -> None:
    """I-6 DS-12 SH-4: rollers still in 50 ms; closing the lid starts nothing."""
    since = len(bench.heard.events)
    back = await bench.shuffle()
    await asyncio.sleep(3.0)
    await open_lid(bench, back, since)


@scenario("dealer", "hands")
async def the_lid_is_opened_while_dealing(bench: Bench) -> None:
    """I-6 DS-12 DS-8: rollers still in 50 ms, the round is void with its complete stacks."""
    back = await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    await bench.deal(1)
    await bench.take(1)
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 2))
    await asyncio.sleep(0.2)
    await open_lid(bench, back, since)
    void = await bench.step(bench.heard.wait("round_void", since, 1.0))
    assert (void.round_void.round, void.round_void.complete) == (bench.round, 1)
    await bench.refused(bench.client.deal(bench.round, 2), "DS-8")


@scenario("dealer", "hands", "quick")
async def the_shoe_door_is_opened_while_dealing(bench: Bench) -> None:
    """I-6 DS-12: told as what it is."""
    await bench.ready()
    await bench.open()
    await bench.no_more_bets()
    since = len(bench.heard.events)
    await bench.step(bench.client.deal(bench.round, 1))
    await asyncio.sleep(0.1)
    await bench.hands.switch("door", False)
    await bench.fault(since, "interlock", "shoe door open", 2.0)


@scenario("dealer", "hands", "quick")
async def the_machine_is_lifted_while_shuffling(bench: Bench) -> None:
    """I-6 DS-12: told as what it is."""
    since = len(bench.heard.events)
    await bench.shuffle()
    await asyncio.sleep(3.0)
    await bench.hands.switch("mount", False)
    await bench.fault(since, "interlock", "not mounted", 2.0)


async def open_lid(bench: Bench, back: str, since: int) -> None:
    """Open it, see everything stop and stay so, also when it is closed again; then clear."""
    await bench.hands.switch("lid", False)
    event = await bench.fault(since, "interlock", "lid open", 2.0)
    await asyncio.sleep(1.0)
    bench.watch.check()
    await bench.refused(bench.client.cleared(), "DS-12", event.fault.fault)
    await bench.hands.switch("lid", True)
    await asyncio.sleep(1.0)
    bench.watch.check()
    await bench.nothing_goes_on(back, event.fault.fault)
    await bench.hands.clear()
    await bench.cleared()
    status = await bench.step(bench.client.status())
    assert status.state == link_pb2.IDLE

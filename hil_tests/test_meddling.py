"""Hands where nobody expects them: cards in the shoe, doors open a moment, stacks left lying."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from dovetail import faults

from hil_tests.bench import CARDS, Bench
from hil_tests.service import of_role
from hil_tests.test_calibration import told
from hil_tests.test_planted import on
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.play.table import BACKS, SHUFFLE_S
from host_tools.rigs import Rig, Setup, Wanted
from sim.inprocess import InProcess
from sim.machine import Machine

SEED = 5
MINUTE_S = 60.0
JUST_MS = 20  # longer than a jolt, and closed again before anybody asks
CLEAR_S = 60.0
NOT_EMPTY = "shoe not empty"


def lay_in(machine: Machine) -> None:
    """A good card into the shoe, through its door."""
    machine.deal.shoe.append(replace(machine.infeed.stack[0]))


async def jolted(bench: Bench, name: str, ms: int = JUST_MS) -> None:
    """Opened, and closed again."""
    await bench.hands.switch(name, False)
    await asyncio.sleep(ms / 1000)
    await bench.hands.switch(name, True)


# -- the shoe -------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_s", [0.0, 6.0])
def test_a_card_in_the_shoe_that_nobody_counted(after_s: float) -> None:
    """I-1: told before the deck falls upon it; when it lies there already, before a card moves."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        since = len(bench.heard.events)
        await bench.table.dealer.load("red")
        if not after_s:
            lay_in(whole.machine)
        await bench.step(bench.client.load(link_pb2.RED))
        await bench.step(bench.client.shuffle(link_pb2.RED))
        await asyncio.sleep(after_s)
        if after_s:
            lay_in(whole.machine)
        event = await bench.fault(since, "shoe", NOT_EMPTY, SHUFFLE_S)
        assert event.fault.fault == faults.SHOE_FULL
        assert "shoe door: in the shoe" in event.fault.remove
        assert len(whole.machine.cards()["wheel"]) == (CARDS if after_s else 0)
        await bench.nothing_goes_on("red", faults.SHOE_FULL)
        assert not bench.heard.all("ready", since)
        whole.machine.deal.shoe.clear()
        await bench.anew("red")

    on(whole, story)


def test_nor_when_cards_are_dealt_from_the_wheel() -> None:
    """SH-7: before each of them."""

    async def body(rig: Rig) -> None:
        bench = Bench(rig)
        machine = rig.machine
        assert machine is not None
        try:
            await bench.prepare()
            await bench.shuffle("red")
            await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S))
            bench.watch.ready = True  # it stays in the wheel
            await bench.open()
            await bench.no_more_bets()
            await bench.deal(1)
            await bench.take(1)
            machine.deal.shoe.append(one_more)
            since = len(bench.heard.events)
            await bench.step(bench.client.deal(bench.round, 2))
            await bench.fault(since, "shoe", NOT_EMPTY, 5.0)
        finally:
            await bench.close()

    one_more = replace(InProcess(SEED).hands.table["red"][0])
    rigs.in_process(Wanted(seed=SEED, setup=Setup("plain", continuous=True)), body)


def test_a_stop_leaves_no_false_word_on_a_sensor() -> None:
    """The wheel's deck waits for the shoe, which is not empty when the other lane stops."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.shuffle("blue")
        await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=link_pb2.BLUE))
        await bench.open()
        await bench.no_more_bets()
        whole.machine.faults.plant("deal.jam", {2})
        since = len(bench.heard.events)
        await bench.step(bench.client.deal(bench.round, 1))
        await bench.heard.wait("fault", since, 5.0)
        await bench.hands.clear()
        await bench.cleared()
        await bench.ready("blue")
        await bench.whole_round()
        assert not bench.heard.all("sensor", since)

    on(whole, story)


# -- a door that is open for a moment -------------------------------------------------------------


@pytest.mark.parametrize("after_ms", range(45, 1080, 45))
def test_a_lid_that_is_open_for_a_moment_in_a_calibration(after_ms: int) -> None:
    """The card is inside, and said to be: whatever the lid is when somebody looks."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        bench.watch.bets_closed = True
        await bench.hands.lay()
        ended = asyncio.ensure_future(
            told(service, "calibrate", link_pb2.Calibrate(), "calibrated")
        )
        await asyncio.sleep(after_ms / 1000)
        await jolted(bench, "lid")
        assert not (await ended).calibrated.passed
        status = await service.status()
        assert (status.fault, status.may_be_inside) == (faults.LID_OPEN, True)
        assert whole.machine.lamps["red"] or status.state == link_pb2.SERVICE
        await service.leave()

    on(whole, story)


@pytest.mark.parametrize("name", ["lid", "door", "mount"])
@pytest.mark.parametrize("after_ms", range(0, 600, 60))
def test_a_switch_that_is_open_for_a_moment_in_a_clearing(name: str, after_ms: int) -> None:
    """Named, as if it were open still; never a stop without a fault."""
    numbers = {"lid": faults.LID_OPEN, "door": faults.DOOR_OPEN, "mount": faults.NOT_MOUNTED}
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.shuffle("red")
        await asyncio.sleep(3.0)
        await jolted(bench, "door", 300)
        await bench.hands.clear()
        since = len(bench.heard.events)
        bench.watch.clearing()
        await bench.step(bench.table.ask(bench.client.cleared, "cleared"))
        await asyncio.sleep(after_ms / 1000)
        await jolted(bench, name)
        event = await bench.heard.wait("fault", since, CLEAR_S)
        assert event.fault.fault == numbers[name]
        await asyncio.sleep(0.3)
        status = await bench.client.status()
        assert (status.fault, status.state) == (numbers[name], link_pb2.STOPPED)
        assert whole.machine.lamps["red"]
        await bench.cleared()

    on(whole, story)


@pytest.mark.parametrize("after_ms", range(20, 1300, 80))
def test_a_lid_that_is_opened_in_a_self_test(after_ms: int) -> None:
    """It ends there, told by the lid alone, and the drivers are off a moment later."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        bench.watch.clearing()
        ended = asyncio.ensure_future(
            told(service, "self_test", link_pb2.SelfTest(), "self_tested")
        )
        await asyncio.sleep(after_ms / 1000)
        await bench.hands.switch("lid", False)
        await asyncio.sleep(0.3)
        assert not whole.machine.enabled
        assert (await ended).self_tested.failed == 1
        await bench.hands.switch("lid", True)
        await service.leave()

    on(whole, story)


# -- what is left lying ---------------------------------------------------------------------------


def test_the_drivers_go_off_while_a_stack_lies_there() -> None:
    """A minute after the last work, also with a deck that waits in the wheel; then play goes on."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.shuffle("blue")
        await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=link_pb2.BLUE))
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await asyncio.sleep(MINUTE_S - 2)
        assert whole.machine.enabled
        await asyncio.sleep(4)
        assert not whole.machine.enabled
        await bench.take(1)
        since = len(bench.heard.events)
        await bench.finish_round(1)
        await bench.step(bench.heard.wait("ready", since, SHUFFLE_S, back=BACKS["blue"]))

    on(whole, story)


@pytest.mark.parametrize("late_ms", range(9000, 9480, 20))
def test_cards_that_are_put_in_late(late_ms: int) -> None:
    """Ten that come just as the others run out belong to the deck, and lock it out never."""
    whole = InProcess(1)

    async def story(bench: Bench) -> None:
        await bench.table.dealer.load("red")
        infeed = whole.machine.infeed
        late, infeed.stack = infeed.stack[:10], infeed.stack[10:]
        since = len(bench.heard.events)
        await bench.step(bench.client.load(link_pb2.RED))
        await bench.step(bench.client.shuffle(link_pb2.RED))
        await asyncio.sleep(late_ms / 1000)
        infeed.stack = late + infeed.stack
        infeed.loaded()
        async with asyncio.timeout(SHUFFLE_S):
            while not (bench.heard.all("ready", since) or bench.heard.all("fault", since)):
                await asyncio.sleep(0.1)
        for event in bench.heard.all("fault", since):
            # the first of them lay under the pick as it turned: it stands too far out, and is told
            assert event.fault.fault in (faults.WRONG_LENGTH, faults.SLIP), event.fault
        assert not any(deck.locked_out for deck in (await bench.client.status()).decks)

    on(whole, story)

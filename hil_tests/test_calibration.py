"""Calibration: no play without one of this board; good is told from bad, and drift in time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from dovetail import faults
from google.protobuf.message import Message

from hil_tests.bench import CARDS, Bench
from hil_tests.power import records_of
from hil_tests.test_planted import firmware, on
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused
from sim import factory
from sim.block import Block
from sim.hal import UNIQUE_ID
from sim.inprocess import InProcess

SEED = 5
LIMIT_S = 60.0
BEND_UM = 300  # the crease of card.bent
YEAR_S = 365 * 24 * 3600


def fresh(calibrated: bool = False, unique_id: bytes = UNIQUE_ID) -> InProcess:
    """A machine whose board was calibrated elsewhere, or nowhere."""
    store = Block(256 * 1024)
    if unique_id != UNIQUE_ID:
        factory.calibrate(store.cells, unique_id, SEED)
    return InProcess(SEED, store=store, calibrated=calibrated)


async def serve(bench: Bench) -> Client:
    """A service session in place of the table's."""
    await bench.client.leave()
    client = bench.rig.client(role=link_pb2.ROLE_SERVICE, nonce=bytes(16))
    await client.hello(old_events=False)
    return client


@asynccontextmanager
async def table_again(bench: Bench) -> AsyncGenerator[Bench]:
    """The table's session, after service."""
    other = Bench(bench.rig)
    try:
        await other.client.hello()
        yield other
        other.watch.check()
    finally:
        await other.close()


async def told(client: Client, request: str, message: Message, kind: str) -> link_pb2.Event:
    """The event of this kind that follows a request."""
    events = client.events()
    await client.request(request, message)
    async with asyncio.timeout(LIMIT_S):
        async for event in events:
            if event.WhichOneof("body") == kind:
                return event
    raise AssertionError(kind)


async def routine(client: Client, bench: Bench) -> link_pb2.Calibrated:
    """One card through the machine: it moves in spite of the fault, and the card is of no round."""
    bench.watch.clearing()
    bench.watch.bets_closed = True
    await bench.hands.lay()
    event = await told(client, "calibrate", link_pb2.Calibrate(), "calibrated")
    bench.watch.check()
    return event.calibrated


async def cleared(client: Client, bench: Bench) -> None:
    """Every card is out: the machine looks for itself."""
    bench.watch.clearing()
    await told(client, "cleared", link_pb2.Cleared(), "cleared")


async def qualities(client: Client) -> dict[str, link_pb2.Quality]:
    """Of every sensor."""
    said = (await client.request("calibration", link_pb2.GetCalibration())).calibration
    return {sensor.name: sensor.quality for sensor in said.sensors}


async def no_play(bench: Bench, why: str) -> None:
    """Loading is refused, by the fault and in words."""
    status = await bench.client.status()
    assert (status.fault, status.state) == (faults.CALIBRATION, link_pb2.STOPPED)
    await bench.table.dealer.load("red")
    with pytest.raises(Refused) as no:
        await bench.client.load(link_pb2.RED)
    assert (no.value.rule, no.value.fault) == ("EL-2", faults.CALIBRATION)
    assert why in no.value.text
    bench.watch.check()


def test_a_machine_that_is_not_calibrated() -> None:
    """Service only; the routine, and "cleared", make it fit for play, also after a power cut."""
    whole = fresh()

    async def story(bench: Bench) -> None:
        await no_play(bench, "none was made")
        await bench.hands.clear()
        client = await serve(bench)
        said = await routine(client, bench)
        assert (said.passed, said.text) == (True, "")
        assert set((await qualities(client)).values()) == {link_pb2.GOOD}
        assert len(whole.machine.deal.tray) == 1
        with pytest.raises(Refused, match="SERVICE, a card lies in the tray: take it out"):
            await client.request("jog", link_pb2.Jog(axis="wheel", steps=100))
        await bench.table.dealer.take()
        await cleared(client, bench)
        await client.leave()
        async with table_again(bench) as table:
            await table.ready("red")
            await table.whole_round()

    on(whole, story)
    kinds = [record.kind for record in records_of(bytes(whole.store.cells))]
    assert kinds.count("calibration") == 2
    assert "setting" in kinds

    async def again(bench: Bench) -> None:
        assert not (await bench.client.status()).fault
        await bench.ready("blue")  # of the red one's age nobody knows, after a start

    on(InProcess(SEED, store=Block(256 * 1024, bytes(whole.store.cells)), calibrated=False), again)


def test_a_calibration_of_another_board() -> None:
    on(
        fresh(unique_id=b"otherone"),
        lambda bench: no_play(bench, "it was made on another board"),
    )


def test_cleared_does_not_make_up_for_it() -> None:
    """Anybody may say "cleared"; the machine is stopped by the same fault again."""

    async def story(bench: Bench) -> None:
        await asyncio.sleep(1.0)  # what happened at power-on has been heard
        await cleared(bench.client, bench)
        await asyncio.sleep(1.0)
        await no_play(bench, "none was made")

    on(fresh(), story)


def test_a_machine_that_is_never_switched_off() -> None:
    """Its calibration grows old all the same: no further deck goes in, then it stops."""
    whole = fresh(calibrated=True)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        since = len(bench.heard.events)
        firmware().state.seconds += YEAR_S + 1
        await bench.table.dealer.load("blue")
        with pytest.raises(Refused) as no:
            await bench.client.load(link_pb2.BLUE)
        assert no.value.outcome == link_pb2.NOT_NOW
        assert "older than a year" in no.value.text
        await bench.whole_round()  # what is inside is played to its end
        event = await bench.fault(since, "machine", "not calibrated", LIMIT_S)
        assert event.fault.fault == faults.CALIBRATION
        await bench.hands.clear()
        await no_play(bench, "older than a year")

    on(whole, story)


# Which readings of the board are off, and what is said of the sensor
BAD = {
    "exit": ("free", link_pb2.DIRTY, 2300),
    "deal": ("free", link_pb2.QUALITY_FAILED, 1900),
    "entry": ("dark", link_pb2.DIRTY, 1700),
    "tray": ("absent", link_pb2.DIRTY, 1600),
    "shoe": ("seen", link_pb2.DIRTY, 2200),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_good_enough_is_not_kept(name: str) -> None:
    """The sensor is named with its quality; the card is out, the machine still refuses to play."""
    readings, quality, level = BAD[name]
    whole = fresh()
    getattr(whole.machine.levels.traits, readings)[name] = level

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        said = await routine(client, bench)
        assert (said.passed, said.text) == (False, f"not good enough: {name}")
        found = await qualities(client)
        assert found.pop(name) == quality
        assert set(found.values()) == {link_pb2.GOOD}
        assert (await client.status()).fault == faults.CALIBRATION

    on(whole, story)


def test_a_thickness_sensor_that_is_stuck() -> None:
    """It stops by the fault of the station; the card must come out, then it may be tried again."""
    whole = fresh()

    async def story(bench: Bench) -> None:
        machine, traits = whole.machine, whole.machine.levels.traits
        right, traits.per_mille["thickness_out"] = traits.per_mille["thickness_out"], 100
        client = await serve(bench)
        said = await routine(client, bench)
        assert not said.passed
        assert said.text.startswith("thickness not measured; not good enough: ")
        assert "thickness_out" in said.text
        await asyncio.sleep(1.0)
        status = await client.status()
        assert status.fault == faults.DEAL_THICKNESS
        with pytest.raises(Refused, match="the machine is stopped"):
            await routine(client, bench)
        traits.per_mille["thickness_out"] = right
        await bench.hands.clear()
        await cleared(client, bench)
        await asyncio.sleep(1.0)
        said = await routine(client, bench)
        assert said.passed
        assert len(machine.deal.tray) == 1

    on(whole, story)


async def open_lid(bench: Bench) -> None:
    """When the card is on its way."""
    assert bench.rig.machine is not None
    while not bench.rig.machine.infeed.path:
        await asyncio.sleep(0.01)
    await asyncio.sleep(1.0)
    await bench.hands.switch("lid", False)


def test_the_lid_is_opened_meanwhile() -> None:
    """All stands still; the card may be inside, and the machine says so also after a power cut."""
    whole = fresh(calibrated=True)

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        opening = asyncio.create_task(open_lid(bench))
        said = await routine(client, bench)
        await opening
        assert said.text.startswith("lid open")
        await asyncio.sleep(1.0)
        status = await client.status()
        assert status.fault == faults.LID_OPEN

    on(whole, story)

    async def after(bench: Bench) -> None:
        assert (await bench.client.status()).fault == faults.INSIDE
        await bench.hands.clear()
        await bench.cleared()
        await bench.ready("red")

    on(InProcess(SEED, store=Block(256 * 1024, bytes(whole.store.cells)), calibrated=False), after)


REFUSED: dict[str, tuple[Callable[[Bench, InProcess], Awaitable[None]], str]] = {}


def refusal(words: str) -> Callable[[Callable[[Bench, InProcess], Awaitable[None]]], None]:
    """A way not to be ready for it."""

    def note(fn: Callable[[Bench, InProcess], Awaitable[None]]) -> None:
        REFUSED[fn.__name__] = fn, words

    return note


@refusal("lay one good card into the infeed")
async def no_card(bench: Bench, whole: InProcess) -> None:
    """The infeed is empty."""


@refusal("a card lies in the shoe, in the tray or in a beam")
async def a_card_in_the_shoe(bench: Bench, whole: InProcess) -> None:
    """Somebody has put one there."""
    await bench.hands.lay()
    whole.machine.deal.drop([whole.hands.table["blue"].pop()])


@refusal("lid open")
async def an_open_lid(bench: Bench, whole: InProcess) -> None:
    """At the very moment."""
    await bench.hands.lay()
    await bench.hands.switch("lid", False)


@pytest.mark.parametrize("name", REFUSED)
def test_it_does_not_begin(name: str) -> None:
    """SERVICE, with what to do; nothing moves."""
    whole = fresh(calibrated=True)
    prepare, words = REFUSED[name]

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        await prepare(bench, whole)
        with pytest.raises(Refused) as no:
            await client.request("calibrate", link_pb2.Calibrate())
        assert no.value.rule == "SERVICE"
        assert words in no.value.text
        assert not whole.machine.moving()

    on(whole, story)


def test_dust_is_told_long_before_it_stops_anything() -> None:
    """Warnings grow worse from deck to deck while play goes on; nothing false was told before."""
    whole = fresh(calibrated=True)
    traits = whole.machine.levels.traits

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.whole_round()
        assert not bench.heard.all("sensor")
        told: list[tuple[str, int]] = []
        for lost in (700, 350):
            traits.free["count"] -= lost
            since = len(bench.heard.events)
            await bench.ready()
            await bench.whole_round()
            said = [event.sensor for event in bench.heard.all("sensor", since)]
            told += [(sensor.name, sensor.quality) for sensor in said]
        assert told == [("count", link_pb2.MARGINAL), ("count", link_pb2.DIRTY)]
        assert not bench.heard.all("fault")

    on(whole, story)
    records = [one for one in records_of(bytes(whole.store.cells)) if one.kind == "sensor"]
    assert [record.get("quality") for record in records] == [2, 3]


def test_a_thickness_sensor_that_drifts_is_told() -> None:
    """By what the cards of a deck read in the mean."""
    whole = fresh(calibrated=True)

    async def story(bench: Bench) -> None:
        whole.machine.levels.traits.per_mille["thickness_out"] += 250
        await bench.ready("red")
        await bench.whole_round()
        said = [event.sensor for event in bench.heard.all("sensor")]
        assert [(one.name, one.quality) for one in said] == [("thickness_out", link_pb2.MARGINAL)]
        assert said[0].card > said[0].card_wanted
        assert not bench.heard.all("fault")

    on(whole, story)


def test_any_seed_is_calibrated_and_plays() -> None:
    """No two boards are alike; the factory's and the routine's calibration agree."""
    for seed in range(8):

        async def body(rig: rigs.Rig) -> None:
            bench = Bench(rig)
            try:
                await bench.prepare()
                client = await serve(bench)
                said = await routine(client, bench)
                assert said.passed, said.text
                assert set((await qualities(client)).values()) == {link_pb2.GOOD}
                await bench.table.dealer.take()
                await client.leave()
                assert rig.machine is not None
                async with table_again(bench) as table:
                    await table.ready("blue")
                    assert len(rig.machine.cards()["shoe"]) == CARDS
            finally:
                await bench.close()

        rigs.in_process(rigs.Wanted(seed=seed), body)


# -- a card that is not good, a defect behind it --------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 11))
def test_a_bent_card_calibrates_nothing(seed: int) -> None:
    """I-1: it reads a third too much, and two would read as one."""
    whole = InProcess(seed)

    async def story(bench: Bench) -> None:
        whole.hands.table["red"][-1].spoil(bend_um=BEND_UM)
        client = await serve(bench)
        said = await routine(client, bench)
        assert not said.passed
        assert "thickness_in" in said.text
        assert "thickness_out" in said.text
        await client.leave()

    on(whole, story)


@pytest.mark.parametrize(
    "plant", ["entry.dark", "count.dark", "exit.dark", "deal.dark", "shoe.full"]
)
@pytest.mark.parametrize("kept", [True, False])
def test_what_stays_dark_behind_the_card(plant: str, kept: bool) -> None:
    """It has been seen with the card, and must be seen free again: a self-test looks too."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        whole.machine.faults.plant(plant, {1})
        if kept:
            assert not (await routine(client, bench)).passed
        else:
            bench.watch.clearing()
            bench.watch.bets_closed = True
            await bench.hands.lay()
            event = await told(client, "self_test", link_pb2.SelfTest(card=True), "self_tested")
            assert event.self_tested.failed
        assert (await client.status()).may_be_inside
        await client.leave()

    on(whole, story)


def test_a_card_in_the_shoe_behind_the_one_that_was_sent() -> None:
    """It came from nowhere, and is not left there unsaid."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        whole.machine.faults.plant("shoe.extra", {1})
        said = await routine(client, bench)
        assert (said.passed, said.text) == (False, "shoe not empty")
        assert (await client.status()).fault == faults.SHOE_FULL
        await client.leave()

    on(whole, story)


def test_memory_that_fails_as_the_card_is_sent() -> None:
    """It is not on flash that a card is inside: none is sent, and 802 is what stands."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        client = await serve(bench)
        await bench.hands.lay()

        stood = [axis.position for axis in whole.machine.axes.values()]

        def refuse(*_: object) -> None:
            raise OSError

        for name in ("program", "erase"):
            setattr(whole.store, name, refuse)
        with contextlib.suppress(LinkError):
            await client.request("calibrate", link_pb2.Calibrate())
        await asyncio.sleep(3)
        assert (await client.status()).fault == faults.STORE
        assert [axis.position for axis in whole.machine.axes.values()] == stood
        assert not whole.machine.enabled
        await client.leave()

    on(whole, story)

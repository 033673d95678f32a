"""Forced emptying: it ends when the machine is empty, and says what is left in it until then."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from dovetail import faults

from hil_tests.bench import Bench
from hil_tests.service import of_role
from hil_tests.test_meddling import jolted
from hil_tests.test_planted import firmware, on
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.play.table import SHUFFLE_S
from sim.card import Card
from sim.inprocess import InProcess

SEED = 5
FILL_S = 12.0
CLEAR_S = 60.0
ORDERS = 4  # shoe, wheel, a look, and one in hand


async def forced(client: Client, bench: Bench) -> link_pb2.Emptied:
    """Once."""
    since = len(bench.heard.events)
    bench.watch.clearing()
    bench.watch.bets_closed = True
    await bench.step(bench.table.ask(client.empty_out, "empty_out"))
    event = await bench.heard.wait("emptied", since, CLEAR_S)
    return event.emptied


async def interrupted(bench: Bench, after_s: float, back: str = "red") -> None:
    """A shuffle, and a lid that ends it."""
    await bench.shuffle(back)
    await asyncio.sleep(after_s)
    await jolted(bench, "lid", 300)
    await asyncio.sleep(0.3)


async def stopped(bench: Bench, whole: InProcess, after_s: float, back: str = "red") -> None:
    """The same; what was not picked yet is taken out."""
    await interrupted(bench, after_s, back)
    whole.machine.infeed.stack, whole.machine.infeed.path = [], []
    whole.machine.infeed.loaded()


def test_a_wheel_is_forced_empty_though_the_shoes_sensor_sees_a_card() -> None:
    """The roller brings none, and none is there by count."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.shuffle("red")
        await asyncio.sleep(4.0)
        await jolted(bench, "lid", 300)
        held = len(whole.machine.cards()["wheel"])
        whole.machine.infeed.stack, whole.machine.infeed.path = [], []
        whole.machine.infeed.loaded()
        whole.machine.faults.plant("shoe.full", {1})
        whole.machine.faults.failed.add("shoe.full")
        emptied = await forced(bench.client, bench)
        assert emptied.from_wheel == emptied.from_shoe == held > 5
        assert not whole.machine.cards()["wheel"]

    on(whole, story)


def test_what_the_wheel_holds_is_told_when_the_shoe_was_emptied() -> None:
    """By count: it is forced out next."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.shuffle("red")
        await asyncio.sleep(FILL_S + 1.5)
        await jolted(bench, "lid", 300)
        cards = whole.machine.cards()
        assert len(cards["wheel"]) > 2
        assert len(cards["shoe"]) > 2
        since = len(bench.heard.events)
        emptied = await forced(bench.client, bench)
        assert emptied.from_shoe >= len(cards["shoe"])
        event = await bench.heard.wait("fault", since, CLEAR_S)
        left = len(whole.machine.cards()["wheel"])
        assert (
            f"{left} in the wheel" in event.fault.remove or f"{left + 1} in" in event.fault.remove
        )
        assert "tray" in event.fault.remove

    on(whole, story)


async def ordered(bench: Bench) -> link_pb2.Event:
    """Once, however it ends: a fault that is left, or "cleared"; the tray is emptied behind it."""
    since = len(bench.heard.events)
    bench.watch.clearing()
    bench.watch.bets_closed = True
    await bench.table.ask(bench.client.empty_out, "empty_out")
    async with asyncio.timeout(CLEAR_S):
        while True:
            for event in bench.heard.events[since:]:
                if event.WhichOneof("body") in ("fault", "cleared"):
                    await bench.table.dealer.take()
                    return event
            await asyncio.sleep(0.05)


def inside(whole: InProcess) -> int:
    """How many cards, by its own truth; those that have left the shoe are on their way out."""
    cards = whole.machine.cards()
    return sum(len(cards[place]) for place in ("path", "wheel", "shoe"))


@pytest.mark.parametrize("after_s", [4.0, FILL_S + 1.5, 19.0])
@pytest.mark.parametrize("plant", ["deal.stuck", "deal.misfeed", "deal.jam", "shoe.dead"])
def test_it_never_says_cleared_with_a_card_inside(plant: str, after_s: float) -> None:
    """EL-3: whatever the roller slips on, and whatever the shoe's sensor does not see."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await stopped(bench, whole, after_s)
        whole.machine.faults.plant(plant, {4})
        for _ in range(ORDERS):
            event = await ordered(bench)
            held = inside(whole)
            status = await bench.client.status()
            assert status.may_be_inside == (event.WhichOneof("body") == "fault")
            if event.WhichOneof("body") == "cleared":
                assert not held
                return
            shoe, wheel = (len(whole.machine.cards()[place]) for place in ("shoe", "wheel"))
            told = event.fault.remove
            assert not shoe or f"{shoe} in the shoe" in told or f"{shoe - 1} in the shoe" in told
            assert not wheel or f"{wheel} in the" in told or f"{wheel + 1} in the" in told
        assert plant in ("deal.stuck", "deal.jam")  # it is there until somebody takes it out

    on(whole, story)


async def until_cleared(bench: Bench, whole: InProcess) -> bool:
    """Ordered as often as it takes; "cleared" is said with nothing inside, or not at all."""
    for _ in range(ORDERS):
        event = await ordered(bench)
        if event.WhichOneof("body") == "cleared":
            assert not inside(whole)
            return True
        assert "-" not in event.fault.cards
    return False


def fail(whole: InProcess, plant: str) -> None:
    """For good, from now on."""
    whole.machine.faults.plant(plant, {1})
    whole.machine.faults.failed.add(plant)


@pytest.mark.parametrize("slips", ["deal.misfeed", "deal.stuck"])
def test_a_sensor_that_is_dead_and_a_roller_that_slips(slips: str) -> None:
    """Neither alone, nor both: what the count says lies there is told until it is out."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await stopped(bench, whole, 19.0)
        fail(whole, "shoe.dead")
        whole.machine.faults.plant(slips, {20})
        assert await until_cleared(bench, whole) == (slips == "deal.misfeed")
        if slips == "deal.stuck":
            assert inside(whole)

    on(whole, story)


@pytest.mark.parametrize("after_ms", range(100, 6100, 400))
def test_a_lid_while_the_shoe_is_forced_out(after_ms: int) -> None:
    """A roller that an interlock has stopped brings none, and that proves nothing."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await stopped(bench, whole, 19.0)
        fail(whole, "shoe.dead")
        since = len(bench.heard.events)
        bench.watch.clearing()
        bench.watch.bets_closed = True
        await bench.table.ask(bench.client.empty_out, "empty_out")
        await asyncio.sleep(after_ms / 1000)
        await jolted(bench, "lid", 50)
        event = await bench.heard.wait("fault", since, CLEAR_S)
        assert event.fault.fault == faults.LID_OPEN
        await bench.table.dealer.take()
        assert await until_cleared(bench, whole)

    on(whole, story)


def test_a_card_that_nobody_counted_comes_out_as_well() -> None:
    """The roller turns until it brings none, though count and sensor say that none is left."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await stopped(bench, whole, 19.0)
        fail(whole, "shoe.dead")
        whole.machine.deal.shoe.append(bench_card(whole))
        assert await until_cleared(bench, whole)

    on(whole, story)


def bench_card(whole: InProcess) -> Card:
    """One more of the same back."""
    return replace(whole.machine.deal.shoe[0])


def test_a_rod_that_was_stopped_on_its_way_and_a_sensor_that_sees_a_card() -> None:
    """The card that was pushed has come out; the wheel is forced empty as well."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await stopped(bench, whole, FILL_S + 1.5)
        fail(whole, "shoe.full")
        for _ in range(ORDERS):
            await ordered(bench)
        assert not whole.machine.cards()["wheel"]
        assert not whole.machine.cards()["shoe"]
        status = await bench.client.status()
        assert (status.fault, status.may_be_inside) == (faults.SHOE_FULL, True)  # till it is clean

    on(whole, story)


def test_what_the_wheel_holds_is_told_when_a_beam_is_dark() -> None:
    """Nothing is pushed then, and nothing of what is known by count is forgotten."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await interrupted(bench, 4.0)
        assert whole.machine.infeed.path
        event = await ordered(bench)
        assert f"{len(whole.machine.cards()['wheel'])} in the wheel" in event.fault.remove
        assert "at the feeder" in event.fault.remove

    on(whole, story)


def test_two_decks_and_a_card_that_sticks() -> None:
    """What the shoe holds is told, and so is what the wheel does behind it."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await stopped(bench, whole, 6.0, "blue")
        whole.machine.faults.plant("deal.stuck", {3})
        for _ in range(ORDERS):
            event = await ordered(bench)
            held = whole.machine.cards()
            assert event.fault.fault == faults.SHOE_FULL
            assert f"{len(held['shoe'])} in the shoe" in event.fault.remove
            assert f"{len(held['wheel'])} in the wheel" in event.fault.remove

    on(whole, story)


@pytest.mark.parametrize("work", ["clearing", "self-test"])
def test_no_flash_is_written_while_the_wheel_turns(work: str) -> None:
    """Nor in a clearing, nor in a self-test: what is recorded meanwhile is written in between."""
    whole = InProcess(SEED)
    written: list[list[str]] = []

    async def noted() -> None:
        for _ in range(100):
            firmware().note("alive", {"free": 1})
            await asyncio.sleep(0.03)

    async def story(bench: Bench) -> None:
        if work == "clearing":
            await interrupted(bench, 6.0)
            await bench.hands.clear()
        program = whole.store.program

        def watched(at: int, data: bytes) -> None:
            axes = whole.machine.axes
            written.append([name for name, axis in axes.items() if axis.profile])
            program(at, data)

        whole.store.program = watched  # type: ignore[method-assign]
        since = len(bench.heard.events)
        bench.watch.clearing()
        if work == "clearing":
            await bench.table.ask(bench.client.cleared, "cleared")
            await noted()
            await bench.heard.wait("cleared", since, CLEAR_S)
        else:
            await bench.client.leave()
            service = await of_role(bench, link_pb2.ROLE_SERVICE)
            await service.request("self_test", link_pb2.SelfTest())
            await noted()
            await service.leave()

    on(whole, story)
    assert len(written) > 20
    assert not any(written), written


@pytest.mark.parametrize("lane", ["clearing", "bench"])
def test_an_error_that_nobody_foresaw(lane: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """901: everything stands, the machine says so, and only power-on leads on."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        since = len(bench.heard.events)
        bench.watch.clearing()

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        if lane == "clearing":
            await interrupted(bench, 4.0)
            await bench.hands.clear()
            monkeypatch.setattr(firmware().wheel, "turn_to", broken)
            bench.watch.clearing()
            await bench.table.ask(bench.client.cleared, "cleared")
        else:
            monkeypatch.setattr(firmware().wheel, "home", broken)
            await bench.client.leave()
            service = await of_role(bench, link_pb2.ROLE_SERVICE)
            await service.request("self_test", link_pb2.SelfTest())
            await asyncio.sleep(3)
            assert (await service.status()).fault == faults.SOFTWARE
            assert not whole.machine.enabled
            return
        await asyncio.sleep(1)
        assert bench.heard.all("fault", since)[-1].fault.fault == faults.SOFTWARE
        assert not whole.machine.enabled
        status = await bench.client.status()
        assert (status.fault, status.state) == (faults.SOFTWARE, link_pb2.UNAVAILABLE)
        await bench.refused(bench.client.cleared(), "EL-2", faults.SOFTWARE)

    on(whole, story)


def test_nothing_is_pushed_upon_a_deck_that_lies_in_the_shoe() -> None:
    """Said to be cleared with two decks inside: it looks before it moves."""
    whole = InProcess(SEED)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.shuffle("blue")
        await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=link_pb2.BLUE))
        await jolted(bench, "lid", 300)
        await asyncio.sleep(0.3)
        since = len(bench.heard.events)
        bench.watch.clearing()
        await bench.table.ask(bench.client.cleared, "cleared")
        event = await bench.heard.wait("fault", since, CLEAR_S)
        assert event.fault.fault == faults.INSIDE
        assert "in the shoe" in event.fault.remove
        cards = whole.machine.cards()
        assert (len(cards["wheel"]), len(cards["shoe"])) == (52, 52)
        assert await until_cleared(bench, whole)

    on(whole, story)

"""What the self-test finds: with a card every defect of a part, without one what can be told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from dovetail import faults

from hil_tests.bench import Bench
from hil_tests.checkup import checked
from hil_tests.service import of_role
from hil_tests.test_meddling import jolted
from hil_tests.test_planted import on
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.service import JOG_S, switches
from sim.inprocess import InProcess

Break = Callable[[InProcess], None]


def plant(name: str) -> Break:
    """A part that has failed before."""

    def fail(whole: InProcess) -> None:
        whole.machine.faults.plant(name, {1})
        whole.machine.faults.failed.add(name)

    return fail


def stall(axis: str) -> Break:
    """A motor that does not turn."""
    return lambda whole: whole.machine.axes[axis].block(True)


# What is broken, the check that must say so, and whether it is found without a card.
DEFECTS: dict[str, tuple[Break, str, bool]] = {
    "the pick's motor": (stall("pick"), "card", False),
    "the feed's motor": (stall("feed"), "card", False),
    "the deal roller's motor": (stall("deal"), "card", False),
    "the wheel's motor": (stall("wheel"), "axis wheel", True),
    "the ejector's motor": (stall("eject"), "axis eject", True),
    "the entry beam, blind": (plant("entry.blind"), "card entry", False),
    "the count beam, blind": (plant("count.blind"), "card count", False),
    "the exit beam, blind": (plant("exit.blind"), "card exit", False),
    "the deal beam, blind": (plant("deal.blind"), "card deal", False),
    "the shoe's sensor": (plant("shoe.dead"), "card shoe", False),
    "the tray's sensor": (plant("tray.dead"), "card tray", False),
    "thickness in": (plant("thickness_in.dead"), "card thickness_in", False),
    "thickness out": (plant("thickness_out.dead"), "card thickness_out", False),
    "colour": (plant("back.dead"), "card back", False),
    "the home mark": (plant("home.blind"), "axis wheel", True),
    "the tick": (plant("tick.blind"), "axis wheel", True),
    "the crank's sensor": (plant("crank.dead"), "axis eject", True),
}


def complaints(broken: Break, card: bool) -> dict[str, str]:
    """What was wrong with each check that has failed."""
    whole = InProcess(5)
    wrong: dict[str, str] = {}

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        if card:
            await bench.hands.lay()
        broken(whole)
        bench.watch.bets_closed = True  # the card is of no round
        checks, _ = await checked(bench, service, card=card)
        wrong.update((name, text) for name, text in checks.items() if text)
        await service.leave()

    on(whole, story)
    return wrong


@pytest.mark.parametrize("name", DEFECTS)
def test_with_a_card_every_defect_is_found(name: str) -> None:
    broken, check, _ = DEFECTS[name]
    assert complaints(broken, card=True).get(check)


@pytest.mark.parametrize("name", [name for name, row in DEFECTS.items() if row[2]])
def test_without_one_what_turns_by_itself(name: str) -> None:
    broken, check, _ = DEFECTS[name]
    assert list(complaints(broken, card=False)) == [check]


def test_an_infeed_that_sees_no_card_sends_none() -> None:
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        await bench.hands.lay()
        plant("infeed.dead")(whole)
        with pytest.raises(Refused, match="lay one good card into the infeed"):
            await service.request("self_test", link_pb2.SelfTest(card=True))
        await service.leave()

    on(whole, story)


@pytest.mark.parametrize("name", ["feed.heavy", "path.jam", "exit.jam", "deal.jam", "infeed.stuck"])
def test_where_the_card_sticks_no_good_sensor_is_blamed(name: str) -> None:
    """Sensors that it never came to have nothing to say."""
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        whole.machine.faults.plant(name, {1})
        await bench.hands.lay()
        bench.watch.bets_closed = True
        checks, _ = await checked(bench, service, card=True)
        assert [check for check, wrong in checks.items() if wrong] == ["card"]
        await service.leave()

    on(whole, story)


async def jogged(service: Client, axis: str, steps: int, slow_us: int = 0) -> link_pb2.Jogged:
    """How it ended."""
    heard = Heard(service)
    try:
        await service.request("jog", link_pb2.Jog(axis=axis, steps=steps, slow_us=slow_us))
        return (await heard.wait("jogged", 0, JOG_S)).jogged
    finally:
        await heard.close()


def test_a_jog_moves_no_card_and_bends_no_rod() -> None:
    """What would bring a card out of the shoe, or turn the wheel round the rod, is refused."""
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        bench.watch.clearing()
        whole.machine.deal.shoe.append(whole.hands.table["red"].pop())
        with pytest.raises(Refused, match="deal would bring a card out of the shoe: take out"):
            await service.request("jog", link_pb2.Jog(axis="deal", steps=200))
        whole.machine.deal.shoe.clear()
        assert (await jogged(service, "deal", 200)).steps == 200
        assert (await jogged(service, "eject", 200)).steps == 200
        with pytest.raises(Refused, match="the ejector's rod is in a slot of the wheel"):
            await service.request("jog", link_pb2.Jog(axis="wheel", steps=100))
        assert (await jogged(service, "eject", 200)).stopped == ""
        assert (await jogged(service, "wheel", 100)).stopped == ""
        await service.leave()

    on(whole, story)


def test_what_stopped_a_jog_is_told_when_it_is_closed_again() -> None:
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        bench.watch.clearing()
        ended = asyncio.ensure_future(jogged(service, "wheel", 5000, 500))
        await asyncio.sleep(0.5)
        await jolted(bench, "lid")
        done = await ended
        assert 0 < done.steps < 5000
        assert done.stopped == "lid open"
        await service.leave()

    on(whole, story)


def test_a_card_that_sticks_stops_the_machine() -> None:
    """It is inside: told like any other fault, and only "cleared" leads on."""
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        whole.machine.faults.plant("path.jam", {1})
        await bench.hands.lay()
        checks, _ = await checked(bench, service, card=True)
        assert checks["card"] == "feeder: jam"
        status = await service.status()
        assert status.fault == faults.FEED_JAM
        await bench.hands.clear()
        bench.watch.clearing()
        heard = Heard(service)
        await bench.step(bench.table.ask(service.cleared, "cleared"))
        await heard.wait("cleared", 0, 60)
        await heard.close()
        assert not (await service.status()).fault
        await service.leave()

    on(whole, story)


@pytest.mark.parametrize("stuck", ["", "lid", "door", "mount"])
def test_a_switch_that_sticks_is_found(stuck: str) -> None:
    """It says closed, whatever the hand does."""
    whole = InProcess(5)

    async def story(bench: Bench) -> None:
        await bench.client.leave()
        service = await of_role(bench, link_pb2.ROLE_SERVICE)
        if stuck:
            moved = whole.machine.switch

            def stick(name: str, safe: bool) -> None:
                moved(name, safe or name == stuck)

            setattr(whole.machine, "switch", stick)  # noqa: B010
        lines = await switches(service, bench.hands)
        failed = [line for line in lines if line.startswith("FAILED")]
        assert [line.split()[1] for line in failed] == ([stuck] if stuck else [])
        assert lines[-1] == ("switches FAILED: 1" if stuck else "switches passed")
        await service.leave()

    on(whole, story)

"""What the self-test finds: with a card every defect of a part, without one what can be told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from dovetail import faults

from hil_tests.bench import Bench
from hil_tests.checkup import checked
from hil_tests.service import of_role
from hil_tests.test_planted import on
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.errors import Refused
from host_tools.service import switches
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

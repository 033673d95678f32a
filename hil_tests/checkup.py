"""Scenarios of the self-test, of an axis by itself and of sensors as they read: service only."""

from __future__ import annotations

import asyncio

from dovetail.calibration import SENSORS as SENSED

from boards import mechanics as M
from boards.shuffler_rp2040 import board
from hil_tests.bench import Bench, refusal
from hil_tests.scenario import scenario
from hil_tests.service import at_the_table, of_role
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.play.table import BACKS
from host_tools.service import AXES, JOG_S, TEST_S

TEST_MS = 10_000
LAMPS = ("lamp green", "lamp amber", "lamp red", "buzzer")
# What the machine has; home and tick are proved by the wheel, the crank's sensor by the ejector.
PROVED_BY = {"home": "axis wheel", "tick": "axis wheel", "crank": "axis eject"}
SENSORS = ("lid", "door", "mount", "home", "tick")


async def checked(
    bench: Bench, service: Client, *, card: bool = False
) -> tuple[dict[str, str], link_pb2.SelfTested]:
    """What was wrong with each check, and how it ended."""
    heard = Heard(service)
    bench.watch.clearing()  # it moves, and is meant to
    await bench.step(service.request("self_test", link_pb2.SelfTest(card=card)))
    done = (await heard.wait("self_tested", 0, TEST_S)).self_tested
    checks = {event.checked.name: event.checked.wrong for event in heard.all("checked", 0)}
    await heard.close()
    assert done.took_ms < TEST_MS
    assert done.failed == sum(bool(wrong) for wrong in checks.values())
    return checks, done


@scenario()
async def the_self_test_tries_every_part(bench: Bench) -> None:
    """Every axis, sensor, lamp and switch is in its report, in under ten seconds."""
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    before = (await service.request("meters", link_pb2.GetMeters())).meters.service_tests
    checks, done = await checked(bench, service)
    assert done.checks == len(checks)
    assert not done.failed, checks
    channels = [name.replace("level_", "beam ") for name in board.MUX]
    for part in (*(f"axis {axis}" for axis in AXES), *SENSORS, *channels, *LAMPS):
        assert PROVED_BY.get(part, part) in checks, part
    after = (await service.request("meters", link_pb2.GetMeters())).meters.service_tests
    assert after == before + 1
    await service.leave()


@scenario("hands")
async def the_self_test_sends_a_card_past_every_sensor(bench: Bench) -> None:
    """With one in the infeed; it lies in the tray then, and the machine is empty."""
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    no = await refusal(service.request("self_test", link_pb2.SelfTest(card=True)))
    assert no is not None
    assert (no.rule, no.text) == ("SERVICE", "lay one good card into the infeed")
    await bench.hands.lay()
    bench.watch.bets_closed = True  # the card is of no round
    checks, done = await checked(bench, service, card=True)
    assert not done.failed, checks
    assert {f"card {sensor}" for sensor, _ in SENSED} <= set(checks)
    no = await refusal(service.request("self_test", link_pb2.SelfTest()))
    assert no is not None
    assert (no.rule, no.text) == ("SERVICE", "a card lies in the tray: take it out")
    await bench.hands.clear()
    assert not (await service.status()).fault
    await service.leave()


@scenario("faults", faults={"home.blind": {1}})
async def the_self_test_names_what_has_failed(bench: Bench) -> None:
    """A home mark that is blind: the wheel's check says so, and no other."""
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    checks, done = await checked(bench, service)
    assert done.failed == 1
    assert checks["axis wheel"] == "no home mark"
    await service.leave()


@scenario("dealer", "hands")
async def nothing_moves_for_service_where_a_card_may_be(bench: Bench) -> None:
    """Not at a table, not with cards in the infeed, not with an open lid; sensors can be read."""
    moves = {
        "self_test": link_pb2.SelfTest(),
        "jog": link_pb2.Jog(axis="wheel", steps=100),
    }
    for name, message in (*moves.items(), ("read_sensors", link_pb2.ReadSensors())):
        await bench.refused(bench.client.request(name, message), "ROLE")
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    back = bench.rig.last_back = bench.next_back()
    assert bench.rig.dealer is not None
    await bench.rig.dealer.load(back)
    for name, message in moves.items():
        no = await refusal(service.request(name, message))
        assert no is not None
        assert (no.rule, no.text) == ("SERVICE", "a card lies in the infeed: take it out")
    read = (await service.request("read_sensors", link_pb2.ReadSensors())).sensors
    assert read.read_infeed > read.read_shoe
    await bench.hands.clear()
    await bench.hands.switch("lid", False)
    for name, message in moves.items():
        await bench.refused(service.request(name, message), "DS-12", 701)
    read = (await service.request("read_sensors", link_pb2.ReadSensors())).sensors
    assert (read.lid, read.door, read.mount) == (False, True, True)
    await bench.hands.switch("lid", True)
    await service.leave()


@scenario("hands")
async def an_axis_by_itself(bench: Bench) -> None:
    """As many steps as asked, within its reach; a lid ends it; no table begins meanwhile."""
    await bench.client.leave()
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    heard = Heard(service)

    async def jog(axis: str, steps: int, slow_us: int = 0, *, reverse: bool = False) -> None:
        bench.watch.clearing()
        order = link_pb2.Jog(axis=axis, steps=steps, reverse=reverse, slow_us=slow_us)
        await bench.step(service.request("jog", order))

    for axis in sorted(AXES, key="eject".__eq__):  # the rod last: it stays in a slot of the wheel
        since = len(heard.events)
        await jog(axis, 150)
        assert (await heard.wait("jogged", since, JOG_S)).jogged.steps == 150
    since = len(heard.events)
    no = await refusal(jog("wheel", 100))
    assert no is not None
    assert "rod" in no.text
    await jog("eject", M.STROKE_STEPS - 150)
    await heard.wait("jogged", since, JOG_S)
    for order in (("wheel", 6001), ("moon", 1), ("feed", 0)):
        no = await refusal(jog(*order))
        assert no is not None
        assert no.outcome == link_pb2.BAD
    since = len(heard.events)
    await jog("wheel", 5000, slow_us=500, reverse=True)
    await heard.close()
    await service.leave()
    other = bench.rig.client(bench.tap)
    no = await refusal(other.hello())
    assert no is not None
    assert no.outcome == link_pb2.NOT_NOW
    await other.leave()
    await bench.hands.switch("lid", False)
    await asyncio.sleep(0.5)
    service = await of_role(bench, link_pb2.ROLE_SERVICE)
    heard = Heard(service)
    jogged = [event.jogged.steps for event in heard.all("jogged", 0)]
    if not jogged:
        jogged = [(await heard.wait("jogged", 0, JOG_S)).jogged.steps]
    assert 0 < jogged[-1] < 5000
    await bench.hands.switch("lid", True)
    await heard.close()
    await service.leave()
    async with at_the_table(bench) as table:
        if table.rig.dealer is None:
            return
        back = table.next_back()
        since = len(table.heard.events)
        await table.shuffle(back)
        await table.heard.wait("ready", since, TEST_S * 10, back=BACKS[back])

"""Controllers as they should not be, at a whole machine: it deals what was ordered, once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from hil_tests import power
from hil_tests.inner_state import escaped, flash, records, standing
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.heard import Heard
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client, bench_client, kind_of
from host_tools.link.errors import LinkError, Refused
from host_tools.link.keys import Keys
from host_tools.link.session import Session
from host_tools.link.transport import Transport
from sim.tests.images import image

ROUND = 7
STACKS = 6
LIMIT_S = 60.0
SILENCE_S = 6.0  # longer than a session lives unheard
CHAOS_S = 120.0
SHORT_S = 30.0  # of it, on the emulated board
HELD_S = 120  # a hello is held off for a minute at most
EARLY_S = 0.15  # of a deal: no card lies in the tray yet, or not all
KEPT = 32  # events that wait to be acknowledged
ROOM = 8  # of these for what is under way


class Cable:
    """Several controllers on one line; each one's cable can be pulled."""

    def __init__(self, line: Transport) -> None:
        self._line = line
        self._ends: list[End] = []
        line.on_bytes = self._heard

    def end(self) -> End:
        """For one controller."""
        self._ends.append(End(self._line))
        return self._ends[-1]

    def _heard(self, data: bytes) -> None:
        for end in self._ends:
            if end.plugged:
                end.on_bytes(data)


class End:
    """One controller's."""

    def __init__(self, line: Transport) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.plugged = True
        self._line = line

    def write(self, data: bytes) -> None:
        """To the machine, if the cable is there."""
        if self.plugged:
            self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """Of the line."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """The line stays."""
        self.plugged = False


def hands_of(rig: rigs.Rig) -> SimulatedHands:
    """The dealer's, who know what came out."""
    assert isinstance(rig.dealer, SimulatedHands)
    return rig.dealer


def controller(rig: rigs.Rig, end: End, name: bytes, tries: int = 5) -> Client:
    """Somebody with the keys."""
    nonce = name.ljust(16)
    return bench_client(end, keys=rig.keys, provision=True, nonce=nonce, tries=tries)


async def bets_made(rig: rigs.Rig, client: Client) -> Heard:
    """Round 7 with five players, and no more bets."""
    heard = Heard(client)
    await client.hello()
    await hands_of(rig).load("red")
    await client.load(link_pb2.RED)
    await client.shuffle(link_pb2.RED)
    await heard.wait("ready", 0, LIMIT_S)
    await client.open_round(ROUND, 5)
    await client.no_more_bets(ROUND)
    return heard


def in_process(body: rigs.Body[None]) -> None:
    """At a machine in this process: no exception escapes, whatever the controllers do."""

    async def watched(rig: rigs.Rig) -> None:
        await body(rig)
        assert escaped() == []

    rigs.in_process(rigs.Wanted(seed=2), watched)


def outside(rig: rigs.Rig) -> tuple[dict[str, int], dict[str, bool]]:
    """Return how many cards lie where, and the lamps: what can be seen at every depth."""
    assert rig.machine is not None
    cards = {place: len(row) for place, row in rig.machine.cards().items()}
    return cards, dict(rig.machine.lamps)


def settled(status: link_pb2.Status) -> link_pb2.Status:
    """What does not change by itself."""
    found = link_pb2.Status()
    found.CopyFrom(status)
    for volatile in ("uptime_ms", "bad_frames", "free_heap"):
        found.ClearField(volatile)
    return found


async def pulled(rig: rigs.Rig, cable: Cable, after_s: float) -> Client:
    """A stack is finished without its controller; the next one is told, and orders the second."""
    end = cable.end()
    client = controller(rig, end, b"first", tries=20)
    heard = await bets_made(rig, client)
    await client.deal(ROUND, 1)
    await asyncio.sleep(after_s)
    rig.transport.write(frame.encode(frame.REQUEST, 1, bytes(20))[:9])  # it was saying something
    end.plugged = False
    told = heard.all("stack")
    if after_s <= EARLY_S:
        assert told == [], "not in the middle of it"
    await asyncio.sleep(SILENCE_S)
    assert rig.machine is not None
    assert len(rig.machine.cards()["tray"]) == 3, "the stack was finished"
    assert len(rig.machine.cards()["shoe"]) == 52 - 3
    before = outside(rig)
    await asyncio.sleep(SILENCE_S)
    assert outside(rig) == before, "and nothing more was dealt"

    later = controller(rig, cable.end(), b"second", tries=20)
    again = Heard(later)
    identity = await later.hello()
    assert identity.boots == 1, "it has restarted"
    if not told:
        stack = (await again.wait("stack", 0, LIMIT_S)).stack
        assert (stack.round, stack.position, stack.ordered, stack.delivered) == (ROUND, 1, 3, 3)
    status = await later.status()
    assert (status.round, status.stacks, status.tray, status.fault) == (ROUND, 1, True, 0)
    assert (status.shoe, status.phase) == (52 - 3, link_pb2.PHASE_STACKS)
    await asyncio.sleep(SILENCE_S)
    assert outside(rig) == before
    after = await later.status()
    assert settled(after) == settled(status)
    assert after.bad_frames <= 1, "more than the frame that was cut"
    await hands_of(rig).take()
    await again.wait("taken", 0, LIMIT_S)
    with pytest.raises(Refused) as no:  # the old order is not good for another stack
        await later.deal(ROUND, 1)
    assert no.value.rule == "DS-5"
    await later.deal(ROUND, 2)
    assert (await again.wait("stack", 0, LIMIT_S, position=2)).stack.delivered == 3
    assert len(rig.machine.cards()["shoe"]) == 52 - 6
    for one in (heard, again):
        await one.close()
    await client.close()
    return later


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.15, 0.25, 0.4])
def test_a_cable_is_pulled_in_the_middle_of_a_deal(after_s: float) -> None:
    async def body(rig: rigs.Rig) -> None:
        later = await pulled(rig, Cable(rig.transport), after_s)
        await asyncio.sleep(1.0)
        kinds = Counter(record.kind for record in power.records_of(flash()))
        assert (kinds["stack"], kinds["fault"], kinds["round_void"]) == (2, 0, 0)
        await later.close()

    in_process(body)


async def both_push(rig: rigs.Rig, cable: Cable, names: tuple[bytes, bytes], for_s: float) -> None:
    """Two controllers deal whatever seems to be next; every stack is told at most once."""
    stacks: Counter[tuple[int, int]] = Counter()
    numbers: set[int] = set()

    def note(event: link_pb2.Event) -> None:
        if kind_of(event) == "stack" and event.number not in numbers:
            numbers.add(event.number)
            stacks[event.stack.round, event.stack.position] += 1

    async def push(client: Client) -> None:
        """And says hello whenever nothing is answered."""
        client.on_event.append(note)
        while True:
            with suppress(LinkError, Refused):
                await client.hello()
                while True:
                    status = await client.status()
                    with suppress(Refused):
                        await client.deal(ROUND, status.stacks + 1)
                    await asyncio.sleep(0.3)

    async def take() -> None:
        while True:
            await asyncio.sleep(0.5)
            if rig.machine is not None and rig.machine.cards()["tray"]:
                await hands_of(rig).take()

    both = [controller(rig, cable.end(), name, tries=2) for name in names]
    tasks = [asyncio.create_task(work) for work in (*map(push, both), take())]
    await asyncio.sleep(for_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for client in both:
        await client.close()
    assert all(count == 1 for count in stacks.values()), stacks


async def dealt_once(rig: rigs.Rig, cable: Cable) -> int:
    """Return how many stacks a third controller is told of; the cards in the hands agree."""
    third = controller(rig, cable.end(), b"third")
    for _ in range(HELD_S // 10):  # hellos may be held off
        with suppress(LinkError, Refused):
            await third.hello()
            break
        await asyncio.sleep(10.0)
    status = await third.status()
    assert (status.fault, status.round, status.session) == (0, ROUND, link_pb2.ROLE_TABLE)
    for _ in range(10):
        if not status.tray:
            break
        await hands_of(rig).take()
        await asyncio.sleep(1.0)
        status = await third.status()
    assert [len(stack) for stack in hands_of(rig).hands.stacks] == [3] * status.stacks
    assert (status.shoe, status.tray) == (52 - 3 * status.stacks, False)
    await third.close()
    return status.stacks


def test_two_controllers_at_once_deal_every_stack_once() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        first = controller(rig, cable.end(), b"first")
        heard = await bets_made(rig, first)
        await heard.close()
        await first.leave()
        await both_push(rig, cable, (b"left", b"right"), CHAOS_S)
        assert await dealt_once(rig, cable) == STACKS
        kinds = Counter(record.kind for record in power.records_of(flash()))
        assert (kinds["stack"], kinds["fault"], kinds["round_void"]) == (STACKS, 0, 0)
        assert kinds["session"] > 4, "they did not come in each other's way"

    in_process(body)


@pytest.mark.slow
def test_a_pulled_cable_and_two_controllers_at_the_image_itself() -> None:
    """The same at the production image: a stack without its controller, the rest by two at once."""
    wanted = rigs.Wanted(seed=2, image=image("production"))

    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        later = await pulled(rig, cable, EARLY_S)
        await hands_of(rig).take()
        await later.close()
        await both_push(rig, cable, (b"left", b"right"), SHORT_S)
        assert await dealt_once(rig, cable) > 2

    rigs.emulated(wanted, body)


def test_a_flood_and_breaks_change_nothing() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        client = controller(rig, cable.end(), b"first", tries=20)
        heard = await bets_made(rig, client)
        await asyncio.sleep(1.0)  # until what it has heard is acknowledged
        before = await client.status()
        stood, was = standing(rig), flash()
        stranger = cable.end()
        random = Random(3)
        status = link_pb2.Request(id=1, status=link_pb2.GetStatus()).SerializeToString()
        order = link_pb2.Request(id=2, deal=link_pb2.Deal(round=ROUND, position=1))
        for n in range(1, 1000):
            stranger.write(frame.encode(frame.REQUEST, n, status))
            stranger.write(frame.encode(frame.REQUEST, n, order.SerializeToString()))
        stranger.write(bytes(20_000))  # a line that is held low
        stranger.write(b"\xff" * 20_000)
        stranger.write(random.randbytes(20_000))
        await asyncio.sleep(60.0)  # the line is busy with it
        after = await client.status()
        assert after.bad_frames > before.bad_frames
        for one in (before, after):
            for volatile in ("uptime_ms", "bad_frames", "free_heap", "next_event"):
                one.ClearField(volatile)
        assert after == before
        found = standing(rig)
        del stood["session"], found["session"]  # the flood may have cost it
        assert found == stood
        assert set(records(was, flash())) <= {"session"}
        await client.deal(ROUND, 1)
        assert (await heard.wait("stack", 0, LIMIT_S)).stack.delivered == 3
        await heard.close()
        await client.close()

    in_process(body)


def test_a_controller_that_never_acknowledges(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Session) -> None:
        """It keeps silent."""

    async def out_and_in(client: Client, heard: Heard) -> None:
        """Out of service, and back: one event."""
        since = len(heard.events)
        await client.out_of_service()
        await client.in_service()
        await heard.wait("cleared", since, LIMIT_S)

    async def until_unheard(client: Client, heard: Heard) -> Refused:
        """An axis is moved as often as it is done: an event each, and nothing in the journal."""
        async with client.acting_as(link_pb2.ROLE_SERVICE):
            for _ in range(KEPT):
                since = len(heard.events)
                try:
                    await client.request("jog", link_pb2.Jog(axis="wheel", steps=5))
                except Refused as no:
                    return no
                await heard.wait("jogged", since, LIMIT_S)
        pytest.fail("it is never told to acknowledge")

    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        with monkeypatch.context() as patched:
            patched.setattr(Session, "_acknowledge", nothing)
            deaf = controller(rig, cable.end(), b"deaf")
            heard = Heard(deaf)
            await deaf.hello()
            assert (await until_unheard(deaf, heard)).outcome == link_pb2.UNHEARD
            stood = standing(rig)
            for order in (
                deaf.out_of_service(),
                deaf.load(link_pb2.RED),
                deaf.open_round(ROUND, 5),
                deaf.cleared(),
            ):
                with pytest.raises(Refused) as no:
                    await order
                assert no.value.outcome == link_pb2.UNHEARD
            assert standing(rig) == stood
            status = await deaf.status()  # the truth is there for who asks
            assert status.state in (link_pb2.IDLE, link_pb2.OUT_OF_SERVICE)
            assert status.lost_events == 0
            numbered = [event.number for event in heard.events if event.number]
            assert len(numbered) > KEPT - ROOM
            await heard.close()
            await deaf.close()
        await asyncio.sleep(SILENCE_S)
        good = controller(rig, cable.end(), b"good")
        again = Heard(good)
        await good.hello()
        await asyncio.sleep(2.0)
        assert [event.number for event in again.events if event.number] == numbered
        assert good.lost_events == []
        await out_and_in(good, again)
        assert (await good.status()).state == link_pb2.IDLE
        await again.close()
        await good.close()

    in_process(body)


def test_provisioning_is_refused_twice() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        client = controller(rig, cable.end(), b"first")
        await client.hello()
        others = Keys(b"x" * 32, b"y" * 32, b"z" * 32, b"v" * 32)
        assert rig.hands is not None
        for still_shut in ("lid door", "lid door", "door", "lid"):  # whoever renews them opens both
            for name in ("lid", "door"):
                await rig.hands.switch(name, name in still_shut)
            await asyncio.sleep(1.0)
            with pytest.raises(Refused) as no:
                await client.provision(others)
            assert no.value.rule == "KEYS"
        await rig.hands.switch("door", True)
        await client.provision(rig.keys)  # its answer may have been lost: the same is done
        await client.close()
        await asyncio.sleep(SILENCE_S)
        thief = bench_client(cable.end(), keys=others, nonce=b"thief".ljust(16))
        with pytest.raises((LinkError, Refused)):
            await thief.hello()
        await thief.close()
        await asyncio.sleep(LIMIT_S)
        owner = controller(rig, cable.end(), b"owner")
        assert (await owner.hello()).keyed
        await owner.close()

    in_process(body)

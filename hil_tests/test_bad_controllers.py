"""Controllers as they should not be, at a whole machine: it deals what was ordered, once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.heard import Heard
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import LinkError, Refused
from host_tools.link.keys import Keys
from host_tools.link.session import Session
from host_tools.link.transport import Transport

ROUND = 7
STACKS = 6
LIMIT_S = 60.0
SILENCE_S = 6.0  # longer than a session lives unheard
CHAOS_S = 120.0
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
    return Client(end, keys=rig.keys, provision=True, nonce=nonce, tries=tries)


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


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.15, 0.25, 0.4])
def test_a_cable_is_pulled_in_the_middle_of_a_deal(after_s: float) -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        end = cable.end()
        client = controller(rig, end, b"first")
        heard = await bets_made(rig, client)
        await client.deal(ROUND, 1)
        await asyncio.sleep(after_s)
        end.plugged = False
        told = len(heard.all("stack"))
        await asyncio.sleep(SILENCE_S)
        assert rig.machine is not None
        assert len(rig.machine.cards()["tray"]) == 3, "the stack was finished"
        await asyncio.sleep(SILENCE_S)
        assert len(rig.machine.cards()["tray"]) == 3, "and nothing more was dealt"
        assert len(rig.machine.cards()["shoe"]) == 52 - 3

        later = controller(rig, cable.end(), b"second")
        again = Heard(later)
        await later.hello()
        stack = (await again.wait("stack", 0, LIMIT_S)).stack if not told else None
        if stack is not None:
            assert (stack.round, stack.position, stack.delivered) == (ROUND, 1, 3)
        status = await later.status()
        assert (status.round, status.stacks, status.tray) == (ROUND, 1, True)
        await asyncio.sleep(SILENCE_S)
        assert len(rig.machine.cards()["tray"]) == 3
        await hands_of(rig).take()
        await again.wait("taken", 0, LIMIT_S)
        with pytest.raises(Refused) as no:  # the old order is not good for another stack
            await later.deal(ROUND, 1)
        assert no.value.rule == "DS-5"
        await later.deal(ROUND, 2)
        assert (await again.wait("stack", 0, LIMIT_S, position=2)).stack.delivered == 3
        for one in (heard, again):
            await one.close()
        for one in (client, later):
            await one.close()

    rigs.in_process(rigs.Wanted(seed=2), body)


def test_two_controllers_at_once_deal_every_stack_once() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        first = controller(rig, cable.end(), b"first", tries=2)
        heard = await bets_made(rig, first)
        second = controller(rig, cable.end(), b"second", tries=2)
        stacks: Counter[tuple[int, int]] = Counter()
        numbers: set[int] = set()

        def note(event: link_pb2.Event) -> None:
            if kind_of(event) == "stack" and event.number not in numbers:
                numbers.add(event.number)
                stacks[event.stack.round, event.stack.position] += 1

        async def push(client: Client) -> None:
            """Deal whatever seems to be next, and say hello whenever nothing is answered."""
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

        tasks = [asyncio.create_task(work) for work in (push(first), push(second), take())]
        await asyncio.sleep(CHAOS_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await heard.close()
        for client in (first, second):
            await client.close()
        await asyncio.sleep(2 * LIMIT_S)  # hellos may be held off

        third = controller(rig, cable.end(), b"third")
        await third.hello()
        status = await third.status()
        assert (status.fault, status.round, status.stacks) == (0, ROUND, STACKS)
        assert [len(stack) for stack in hands_of(rig).hands.stacks] == [3] * STACKS
        assert all(count == 1 for count in stacks.values()), stacks
        await third.close()

    rigs.in_process(rigs.Wanted(seed=2), body)


def test_a_flood_and_breaks_change_nothing() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        client = controller(rig, cable.end(), b"first", tries=20)
        heard = await bets_made(rig, client)
        before = await client.status()
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
        await client.deal(ROUND, 1)
        assert (await heard.wait("stack", 0, LIMIT_S)).stack.delivered == 3
        await heard.close()
        await client.close()

    rigs.in_process(rigs.Wanted(seed=2), body)


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
        """As often as it is done."""
        for _ in range(KEPT):
            try:
                await out_and_in(client, heard)
            except Refused as no:
                return no
        pytest.fail("it is never told to acknowledge")

    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        with monkeypatch.context() as patched:
            patched.setattr(Session, "_acknowledge", nothing)
            deaf = controller(rig, cable.end(), b"deaf")
            heard = Heard(deaf)
            await deaf.hello()
            assert (await until_unheard(deaf, heard)).outcome == link_pb2.UNHEARD
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

    rigs.in_process(rigs.Wanted(seed=2), body)


def test_provisioning_is_refused_twice() -> None:
    async def body(rig: rigs.Rig) -> None:
        cable = Cable(rig.transport)
        client = controller(rig, cable.end(), b"first")
        await client.hello()
        others = Keys(b"x" * 32, b"y" * 32, b"z" * 32)
        for _ in range(2):
            with pytest.raises(Refused) as no:
                await client.provision(others)
            assert no.value.rule == "KEYS"
        await client.provision(rig.keys)  # its answer may have been lost: the same is done
        await client.close()
        await asyncio.sleep(SILENCE_S)
        thief = Client(cable.end(), keys=others, nonce=b"thief".ljust(16))
        with pytest.raises((LinkError, Refused)):
            await thief.hello()
        await thief.close()
        await asyncio.sleep(LIMIT_S)
        owner = controller(rig, cable.end(), b"owner")
        assert (await owner.hello()).keyed
        await owner.close()

    rigs.in_process(rigs.Wanted(seed=2), body)

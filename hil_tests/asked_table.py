"""A machine whose power can go between two records, and a controller that keeps every event.

The controller asks by the names of link.proto and waits when it is told "not now". `one_table.py`
plays rounds with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any

from google.protobuf.message import Message

from hil_tests.bench import GREETINGS
from hil_tests.powered import Powered
from host_tools.journal.segments import RECORD, Journal, Record, find, parse_record
from host_tools.link import link_pb2
from host_tools.link.client import Client, kind_of
from host_tools.link.errors import LinkError, Refused
from host_tools.play.table import AGAIN_S, PATIENCE_S, SHUFFLE_S, STACK_S
from host_tools.rigs import Setup

SEED = 1
MORNING = 1_800_000_000
HOUR_S = 3600
MOMENT_S = 1.0  # the tray's sensor, and what a start tells, need no longer
ERASED = b"\xff"

Planted = Mapping[str, "set[int] | float"]


class Cut(BaseException):
    """The power is gone. No handler of the firmware catches it."""


def message(name: str, fields: Mapping[str, Any]) -> Message:
    """Return the request of this name, with these fields."""
    made: Any = link_pb2.Request
    return getattr(made(**{name: dict(fields)}), name)


class AskedTable(Powered):
    """A machine with its power and hands, and a session of the table's key."""

    def __init__(self, setup: Setup, planted: Planted | None = None) -> None:
        super().__init__(setup, SEED)
        for name, at in (planted or {}).items():
            self.machine.faults.plant(name, at)
        self.setup = setup
        self.number = 0  # of the round that was opened last
        self.told: list[link_pb2.Event] = []
        self._hours = 0.0
        self.client: Client

    # -- power -----------------------------------------------------------------------------------

    async def start(self) -> None:
        """Switch the machine on and say hello; the supervisor tells the time."""
        await self.greet()
        await self.tell_time()

    async def greet(self) -> None:
        """Switch the machine on and say hello."""
        self.on()
        self.client = self.rig.client()
        self.client.on_event.append(self.told.append)
        for _ in range(GREETINGS):
            with suppress(LinkError):
                await self.client.hello()
                break

    async def power_cut(self) -> int:
        """Cut the power and start again; return how many events were told before the start."""
        await self.cut()
        since = len(self.told)
        await self.start()
        return since

    async def cut(self) -> None:
        """Cut the power."""
        await self.client.close()
        await self.off()

    async def cut_after(self, kind: str, name: str, **fields: Any) -> int:
        """Ask for this; cut the power when a record of this kind is on flash, and start again.

        Return how many events were told before that start.
        """
        await self.cut_while(kind, self.ask(name, **fields))
        since = len(self.told)
        await self.start()
        return since

    async def cut_in_start(self, kind: str) -> None:
        """Switch on, and cut the power when the start has written a record of this kind."""

        async def switch_on() -> None:
            self.on()

        await self.cut_while(kind, switch_on())

    async def cut_while(self, kind: str, doing: Coroutine[Any, Any, Any]) -> None:
        """Cut the power when a record of this kind is on flash, and no later one."""
        store, gone = self.whole.store, asyncio.Event()

        def program(offset: int, buf: bytes) -> None:
            """Write what comes up to the record; the rest of the page stays erased."""
            if gone.is_set():
                raise Cut
            written = bytearray(buf)
            for at in range(0, len(written), RECORD):
                if gone.is_set():
                    written[at : at + RECORD] = ERASED * len(written[at : at + RECORD])
                elif len(written) - at >= RECORD:
                    record = parse_record(bytes(written[at : at + RECORD]))
                    if record is not None and record.kind == kind:
                        gone.set()
            type(store).program(store, offset, bytes(written))
            if gone.is_set():
                raise Cut

        vars(store)["program"] = program
        asking = asyncio.create_task(doing)
        try:
            async with asyncio.timeout(SHUFFLE_S):
                await gone.wait()
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await self.cut()
            del vars(store)["program"]
        assert self.records()[-1].kind == kind

    def records(self) -> list[Record]:
        """Return what lies on its flash."""
        return list(Journal.of(find(bytes(self.whole.store.cells))).records())

    # -- requests --------------------------------------------------------------------------------

    async def ask(self, name: str, patient: bool = True, **fields: Any) -> Refused | None:
        """Ask for this; return what the machine refuses. Wait when it says "not now"."""
        end = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            try:
                await self.client.request(name, message(name, fields))
                return None
            except Refused as no:
                late = asyncio.get_running_loop().time() > end
                if no.outcome != link_pb2.NOT_NOW or not patient or late:
                    return no
            await asyncio.sleep(AGAIN_S)

    async def done(self, name: str, **fields: Any) -> None:
        """Ask for what must be done."""
        no = await self.ask(name, **fields)
        assert no is None, no

    async def refused(self, rule: str, words: str, name: str, **fields: Any) -> None:
        """Ask for what this rule must refuse, with these words in the reason."""
        no = await self.ask(name, **fields)
        assert no is not None, f"{name}: done, where {rule} forbids it"
        assert no.rule == rule, no
        assert words in no.text, no

    async def supervisor(self, name: str, **fields: Any) -> None:
        """Have the supervisor ask for what must be done."""
        async with self.client.acting_as(link_pb2.ROLE_SUPERVISOR):
            await self.done(name, **fields)

    async def tell_time(self, later_h: float = 0.0) -> None:
        """Have the supervisor tell the time, which is so many hours later than it was."""
        self._hours += later_h
        true_s = MORNING + int(self.rig.now_s() or 0.0) + int(self._hours * HOUR_S)
        await self.supervisor("set_clock", time=true_s)
        await asyncio.sleep(MOMENT_S)

    async def meters(self) -> link_pb2.Meters:
        """Return what the machine has counted."""
        async with self.client.acting_as(link_pb2.ROLE_SUPERVISOR):
            return (await self.client.request("meters", link_pb2.GetMeters())).meters

    async def deck(self, back: link_pb2.Back) -> link_pb2.Deck:
        """Return how this deck stands."""
        return next(one for one in (await self.client.status()).decks if one.back == back)

    # -- events ----------------------------------------------------------------------------------

    async def wait(self, kind: str, since: int, limit_s: float = STACK_S) -> link_pb2.Event:
        """Return the first event of this kind after so many events."""
        async with asyncio.timeout(limit_s):
            while not (found := self.all(kind, since)):
                await asyncio.sleep(AGAIN_S)
        return found[0]

    def all(self, kind: str, since: int = 0) -> list[link_pb2.Event]:
        """Return every event of this kind after so many events."""
        return [one for one in self.told[since:] if kind_of(one) == kind]

    def voids(self, number: int, since: int = 0) -> list[link_pb2.RoundVoid]:
        """Return how often this round was told as void, and how."""
        voids = [one.round_void for one in self.all("round_void", since)]
        return [one for one in voids if one.round == number]

"""What must hold when the power comes back: judged from the flash as it was when the power went."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from host_tools.heard import Heard
from host_tools.journal.segments import Journal, Record, find
from host_tools.journal.verify import verify
from host_tools.link import link_pb2
from host_tools.rigs import Rig
from sim.block import Operation

RED, BLUE = 1, 2
INSIDE = 706  # the fault "cards may be inside"


@dataclass
class Known:
    """What the records say, by rules that are written down here once more."""

    inside: bool = False
    locked: set[int] = field(default_factory=set[int])
    running: int = 0  # the round that is neither closed, void nor released
    stacks: int = 0
    served: set[int] = field(default_factory=set[int])  # positions that have cards
    out: bool = False
    stood: int = 0  # a void round whose hands stand until its deck is counted
    standing: int = 0  # bit a position: those hands
    stood_back: int = 0  # the deck of that round
    back: int = 0  # the deck of the last round
    last: int = 0

    @classmethod
    def by(cls, records: Iterable[Record]) -> Known:
        """From every record, the oldest first."""
        known = cls()
        for record in records:
            known.take(record)
        return known

    def take(self, record: Record) -> None:
        """One more record."""
        get = record.get
        self.last = record.number
        if record.kind == "shuffle_begun":
            self.inside = True
        elif record.kind == "cleared":
            self.inside = False
        elif record.kind == "calibration":
            self.inside = bool(get("inside"))
        elif record.kind == "remainder":
            self.inside = bool(get("inside"))
            if get("found") in (RED, BLUE):  # its cards are not all there
                self.locked.add(get("found"))
            elif not get("found"):
                self.running = 0
        elif record.kind == "whole_deck":
            self.inside = bool(get("inside"))
        elif record.kind == "started":
            self.inside = self.inside or bool(get("inside"))
        elif record.kind == "fault":
            self.locked |= {back for back in (RED, BLUE) if get("locks") >> back & 1}
            if self.stood_back in self.locked:
                self.standing = 0
        elif record.kind == "locked_out":
            self.locked.add(get("back"))
            self.standing *= get("back") != self.stood_back
        elif record.kind == "removed":  # nobody will count that deck any more
            self.standing *= get("back") != self.stood_back
        elif record.kind == "declared":
            self.locked.discard(get("back"))
        elif record.kind == "opened":
            self.running, self.stacks = get("round"), 0
            self.back = get("back")
            self.served.clear()
        elif record.kind == "stack":
            whole = get("verdict") < link_pb2.HAND_VOID
            self.stacks += whole and get("position") not in self.served
            self.served.add(get("position"))
        elif record.kind == "closed":
            self.running = 0
        elif record.kind == "round_void":
            if get("round") == self.running:  # it may be one of before, whose deck was counted
                self.running = 0
            if get("provisional"):
                self.stood, self.standing = get("round"), get("standing")
                self.stood_back = self.back
            elif get("round") == self.stood:
                self.stood = self.standing = 0
        elif record.kind == "out_of_service":
            self.out = bool(get("on"))


@dataclass(frozen=True)
class Instant:
    """The power goes: the flash, what was on it for sure, whether cards were truly inside."""

    name: str
    cells: bytes
    acknowledged: tuple[Record, ...]
    inside: bool = False


def records_of(cells: bytes) -> tuple[Record, ...]:
    """Every record on a flash."""
    return tuple(Journal.of(find(cells)).records())


def instants(
    start: bytes, operations: list[Operation], inside: list[bool], tears: tuple[str, ...], seed: int
) -> Iterator[Instant]:
    """The power goes in every operation, torn in each of these ways; equal states come once."""
    random = Random(seed)
    cells = bytearray(start)
    seen: set[bytes] = set()
    for n, operation in enumerate(operations):
        known = records_of(bytes(cells))
        at, end = operation.offset, operation.offset + len(operation.after)
        for how in tears:
            torn = operation.torn(how, random)
            state = bytes(cells[:at]) + torn + bytes(cells[end:])
            if state not in seen:
                seen.add(state)
                yield Instant(f"{operation.kind} {n} {how}", state, known, inside[n])
        cells[at:end] = operation.after


def keyed(instant: Instant) -> bool:
    """Return whether the machine has said that it has its keys."""
    return any(record.kind == "setting" for record in instant.acknowledged)


def check_records(instant: Instant, after: bytes, key: bytes) -> None:
    """No acknowledged record is lost, the chain holds; `after` is the flash after the boot."""
    findings = verify(Journal.of(find(after)), key)
    assert findings.good, (instant.name, list(findings.lines()))
    assert findings.proven == findings.records, (instant.name, list(findings.lines()))
    there = {record.number: record.raw for record in records_of(after)}
    first = min(there, default=1)
    for record in instant.acknowledged:
        if record.number >= first:
            assert there.get(record.number) == record.raw, (instant.name, record)
    if instant.acknowledged:
        assert max(there) > instant.acknowledged[-1].number, instant.name  # and the boot's own
        assert first <= instant.acknowledged[-1].number + 1, instant.name


async def check_machine(instant: Instant, rig: Rig, still_s: float = 1.5) -> None:
    """It says nothing better than what was known, and for so long does nothing by itself."""
    known = Known.by(instant.acknowledged)
    written = Known.by(records_of(instant.cells))  # it may have been whole when the power went
    assert rig.machine is not None
    places = {name: axis.position for name, axis in rig.machine.axes.items()}
    rig.fresh = not keyed(instant)  # keys that it has said it has are never given again
    client = rig.client(nonce=bytes(16))
    heard = Heard(client)
    await client.hello()
    started = (await heard.wait("started", limit_s=5.0)).started
    assert not started.journal.startswith("failed"), (instant.name, started.journal)
    inside = instant.inside or (known.inside and written.inside)
    assert started.may_be_inside or not inside, instant.name
    if written.running:
        event = await heard.wait("round_void", limit_s=5.0, round=written.running)
        assert event.round_void.complete == written.stacks, instant.name
        assert event.round_void.reason == link_pb2.POWER_LOST, instant.name
    if written.stood:
        event = await heard.wait("round_void", limit_s=5.0, round=written.stood)
        assert event.round_void.provisional == bool(written.standing), instant.name
        assert event.round_void.standing == written.standing, instant.name
    await asyncio.sleep(still_s)
    status = await client.status()
    removed = link_pb2.REMOVED
    locked = {deck.back for deck in status.decks if deck.locked_out or deck.place == removed}
    assert (known.locked & written.locked) <= locked, (instant.name, known.locked, locked)
    if inside:
        assert status.may_be_inside, instant.name
        assert (status.state, status.fault) == (link_pb2.STOPPED, INSIDE), instant.name
    if known.out and written.out:
        assert status.state in (link_pb2.OUT_OF_SERVICE, link_pb2.STOPPED), instant.name
    assert status.round == 0, instant.name
    for name, axis in rig.machine.axes.items():
        axis.sync()
        assert axis.position == places[name], f"{instant.name}: {name} moved by itself"
    await heard.close()
    await client.close()

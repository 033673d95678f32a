"""At 9,600 baud the longest answer is under way for more than half a second: each is waited for."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from dovetail.journal.journal import Journal  # pyright: ignore[reportUnknownVariableType]

from host_tools.journal.segments import SECTOR
from host_tools.journal.source import Reader
from host_tools.link import frame, link_pb2
from host_tools.link.client import bench_client
from host_tools.link.keys import of_seed
from host_tools.link.link_pb2 import Request
from host_tools.link.session import BAUD, patience_s, wire_s
from host_tools.rigs import beside
from sim import factory
from sim.block import Block
from sim.hal import UNIQUE_ID
from sim.inprocess import InProcess
from sim.loop import run

SEED = 3
SLOW = 9_600
RECORDS = 200  # more than three segments
ROUND_TRIP_S = 0.25  # what the machine may take, apart from the line
SIZE = 16 * SECTOR


def past() -> Block:
    """The memory of a machine whose journal has some full segments."""
    store = Block(SIZE)
    factory.calibrate(store.cells, UNIQUE_ID, SEED)
    journal: Any = Journal(store, UNIQUE_ID)
    for n in range(RECORDS):
        if not journal.room(False):
            journal.prepare()
        journal.put("alive", {"free": n}, n)
    journal.flush()
    return store


@pytest.mark.parametrize("baud", [SLOW, 19_200, 38_400, BAUD])
def test_a_journal_is_read_and_each_part_is_asked_for_once(baud: int) -> None:
    whole = InProcess(SEED, store=past())
    asked: Counter[tuple[int, int]] = Counter()
    read: dict[int, bytes] = {}
    receiver, write = frame.Receiver(frame.REQUEST), whole.transport.write

    def tapped(data: bytes) -> None:
        for found in receiver.feed(data):
            request = Request.FromString(found.body)
            if request.HasField("read_journal"):
                part = request.read_journal
                asked[part.segment, part.offset] += 1
        write(data)

    async def body() -> None:
        table = bench_client(whole.transport, keys=of_seed(1), provision=True, nonce=bytes(16))
        await table.hello()
        await table.leave()
        audit = bench_client(
            whole.transport, keys=of_seed(1), role=link_pb2.ROLE_AUDIT, nonce=bytes(16)
        )
        await audit.hello()
        if baud != BAUD:
            await audit.set_baud(baud)
        whole.transport.write = tapped
        reader = Reader.of(audit)
        await reader.all()
        read.update(reader.raw)
        await audit.close()

    run(whole.world, beside(whole.start(), body()))
    first = asked.pop((0, 0))
    assert (first, set(asked.values())) == (1, {1})
    assert len(asked) > 25
    whole_ones = sorted(read)[:-1]
    assert len(whole_ones) >= 3
    for number in whole_ones:
        assert read[number] in bytes(whole.store.cells)


def test_the_timeouts_are_those_of_the_page() -> None:
    """docs/protocol.md: 0.5 s after a request's last byte, 0.8 s, 1.1 s, and behind two others."""
    found = [round(patience_s(0.5, baud), 1) for baud in (BAUD, 38_400, 19_200, SLOW)]
    assert found == [0.5, 0.5, 0.8, 1.1]
    assert round(wire_s(frame.MAX_WIRE, SLOW) * 3, 1) == 1.7
    assert patience_s(0.5, SLOW, 2) > wire_s(frame.MAX_WIRE, SLOW) * 3 + ROUND_TRIP_S


def test_the_rate_is_taken_up_at_once_at_the_slowest() -> None:
    """One heartbeat finds it good: it is waited for long enough to bring the whole status."""
    whole = InProcess(SEED, store=past())
    beats: list[int] = []
    receiver, write = frame.Receiver(frame.REQUEST), whole.transport.write

    def tapped(data: bytes) -> None:
        for found in receiver.feed(data):
            beats.append(Request.FromString(found.body).HasField("heartbeat"))
        write(data)

    async def body() -> None:
        client = bench_client(whole.transport, keys=of_seed(1), provision=True, nonce=bytes(16))
        await client.hello()
        whole.transport.write = tapped
        await client.set_baud(SLOW)
        assert sum(beats) == 1
        await asyncio.sleep(3.0)
        assert (await client.status()).session == link_pb2.ROLE_TABLE
        await client.close()

    run(whole.world, beside(whole.start(), body()))

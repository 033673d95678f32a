"""What events have told is told again after the power went: all of it, in order, and once."""

from __future__ import annotations

import asyncio

import pytest
from dovetail.requests import recall  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import Bench
from hil_tests.journal_bench import Table
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from host_tools.link.errors import Refused

# What an event has and a recalled one has not
WORDS = ("text", "cut_required", "name", "station", "action", "cards", "remove", "stand")
OF_PLAY = [row[1] for row in recall.EVENTS]
KEPT = {*OF_PLAY, "started"}  # with a record of the journal


def bare(event: link_pb2.Event) -> link_pb2.Event:
    """What both have; the record is some milliseconds older than the event."""
    left = link_pb2.Event()
    left.CopyFrom(event)
    left.ClearField("number")
    left.ClearField("uptime_ms")
    body = getattr(left, kind_of(event))
    for word in WORDS:
        if word in body.DESCRIPTOR.fields_by_name:
            body.ClearField(word)
    return left


def test_what_was_told_before_the_power_went_is_told_again_once() -> None:
    """It goes with a stack in the tray; whatever the controller knew by then, it misses nothing."""
    first = Table()
    told: list[link_pb2.Event] = []

    async def before(bench: Bench) -> None:
        await bench.prepare()
        bench.client.on_event.append(told.append)
        await bench.ready()
        await bench.whole_round()
        await bench.ready()
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)

    first.run(before)
    assert not [event for event in told if bool(event.record) != (kind_of(event) in KEPT)]
    told = [event for event in told if kind_of(event) in OF_PLAY]
    records = [event.record for event in told]
    assert [kind_of(event) for event in told].count("stack") > 2
    assert records == sorted(set(records))

    async def after(bench: Bench) -> None:
        client = bench.client
        await client.hello()
        await asyncio.sleep(0.5)
        for known in range(len(told) + 1):
            found = await client.recall(records[known - 1] if known else 0)
            n = len(told) - known
            assert [bare(event) for event in found[:n]] == [bare(event) for event in told[known:]]
            assert not any(event.number for event in found)
            assert [kind_of(event) for event in found[n:]] == ["round_void", "fault"]
        with pytest.raises(Refused) as no:
            await client.recall(100_000)
        assert no.value.outcome == link_pb2.BAD

    Table(bytes(first.block.cells)).run(after)

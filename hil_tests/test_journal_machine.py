"""The journal in the machine: when it is written, and what is told when it can't be."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests import disturbances, power
from hil_tests.bench import CARDS, Bench
from hil_tests.journal_bench import Table, counted
from hil_tests.service import by_the_supervisor
from host_tools.journal.segments import KIND_NAMES
from host_tools.link import frame, link_pb2
from host_tools.link.client import kind_of
from host_tools.link.errors import Refused
from host_tools.play.table import SHUFFLE_S
from sim.block import Block

NOON = 1_800_000_000
STORE, SUPPLY = 802, 704


async def two_decks(bench: Bench) -> None:
    """One deck is shuffled while the other is dealt."""
    await bench.ready()
    since = len(bench.heard.events)
    await bench.shuffle()
    await bench.whole_round()
    await bench.step(bench.heard.wait("ready", since, SHUFFLE_S))


def firmware() -> Any:
    """The firmware's own machine."""
    return start.machine


def test_flash_is_written_when_nothing_is_watched() -> None:
    """Two lanes at work, an open lid: no axis moves meanwhile, but a wheel that brakes."""
    table = Table()
    moving: list[str] = []

    def look() -> None:
        axes = [name for name, axis in table.whole.machine.axes.items() if axis.profile is not None]
        if axes and not (axes == ["wheel"] and firmware().fault):
            moving.extend(axes)

    async def story(bench: Bench) -> None:
        await bench.prepare()
        table.block.on_operation = look
        await two_decks(bench)
        await disturbances.the_lid_is_opened_while_shuffling(bench)
        await asyncio.sleep(5.0)

    table.run(story)
    assert table.block.operations > 25
    assert moving == []


def test_an_event_is_told_when_its_record_is_on_flash() -> None:
    """Whoever was told something can rely on it."""
    table = Table()
    heard: Counter[str] = Counter()
    early: list[str] = []

    def hear(event: link_pb2.Event) -> None:
        kind = kind_of(event)
        heard[kind] += 1
        if kind in KIND_NAMES and table.written()[kind] < heard[kind]:
            early.append(kind)

    async def story(bench: Bench) -> None:
        bench.client.on_event.append(hear)
        await bench.prepare()
        await two_decks(bench)
        await disturbances.the_lid_is_opened_while_shuffling(bench)

    table.run(story)
    assert heard["stack"] == 3
    assert heard["fault"] == heard["cleared"] == 1
    assert early == []


def test_what_is_answered_is_on_flash() -> None:
    """Also while the other lane moves cards, and flash has to wait for it."""
    table = Table()
    early: list[str] = []

    async def ask(request: Awaitable[object], kind: str) -> None:
        before = table.written()[kind]
        await request
        if table.written()[kind] == before:
            early.append(kind)

    async def story(bench: Bench) -> None:
        client = bench.client
        await bench.prepare()
        assert table.written()["setting"] == 4
        await bench.ready()
        await bench.table.dealer.load("blue")
        await ask(client.load(link_pb2.BLUE), "declared")
        await client.shuffle(link_pb2.BLUE)
        await asyncio.sleep(1.0)
        async with by_the_supervisor(bench):
            for n in range(30):
                time = link_pb2.SetClock(time=NOON + 50 * n)  # always further than it counts
                await ask(client.request("set_clock", time), "clock")
                await asyncio.sleep(0.037)
        await ask(bench.open(), "opened")
        await ask(bench.no_more_bets(), "no_more_bets")
        assert (await client.status()).wheel < CARDS  # it was being filled all the time
        for position in (1, 2, 3):
            await bench.deal(position)
            await bench.take(position)
        await bench.rest()
        await ask(client.close_round(1), "closed")
        await bench.at_rest()
        await ask(client.stub_counted(link_pb2.RED, CARDS - 1), "locked_out")
        await ask(client.remove_deck(link_pb2.RED), "removed")
        await ask(client.out_of_service(), "out_of_service")

    table.run(story)
    assert early == []


def test_the_supply_fails_and_there_is_room_for_it() -> None:
    """The last record needs no erase, also when no next segment is ready."""
    table = Table()
    erases: list[int] = []

    async def story(bench: Bench) -> None:
        await bench.prepare()
        since = len(bench.heard.events)
        await bench.shuffle()
        await asyncio.sleep(4.0)
        journal: Any = firmware().journal
        while journal.room():  # up to what is left to urgent records
            journal.put("alive", {"free": 0}, 0)
        journal.flush()
        journal.ahead = False
        while journal.room():
            journal.put("alive", {"free": 0}, 0)
        journal.flush()
        erases.append(sum(table.block.erases))
        table.whole.machine.supply(False)
        event = await bench.heard.wait("fault", since, SHUFFLE_S)
        assert event.fault.fault == SUPPLY
        assert table.written()["fault"] == 1
        assert sum(table.block.erases) == erases[0]

    table.run(story)
    again = Table(bytes(table.block.cells))

    async def later(bench: Bench) -> None:
        await bench.client.hello()
        started = (await bench.heard.wait("started")).started
        assert started.last_fault == SUPPLY
        assert started.may_be_inside
        assert started.condition == "stopped"

    again.run(later)


def test_flash_that_refuses_writes_ends_play() -> None:
    """Fault 802, told on the link; nothing is dealt any more."""
    table = Table()

    async def story(bench: Bench) -> None:
        await bench.prepare()
        await bench.ready()
        since = len(bench.heard.events)
        table.block.refuse = lambda kind, offset: True
        with pytest.raises(Refused) as no:  # nothing is acknowledged that is not kept
            await bench.client.open_round(1, 2)
        assert no.value.outcome == link_pb2.FAILED
        event = await bench.heard.wait("fault", since, 10.0)
        assert event.fault.fault == STORE
        status = await bench.client.status()
        assert (status.state, status.fault) == (link_pb2.UNAVAILABLE, STORE)
        await bench.refused(bench.client.cleared(), "EL-2", STORE)

    table.run(story)


@pytest.mark.parametrize("slot", [0, 1])
def test_keys_outlive_one_slot_of_the_settings(slot: int) -> None:
    """Whichever is damaged: the other has all of them, is copied, and it is told."""
    table = Table()
    table.run(lambda bench: bench.prepare())
    cells = bytearray(table.block.cells)
    cells[slot * Block.SECTOR + 40] ^= 0x10
    again = Table(bytes(cells))

    async def later(bench: Bench) -> None:
        await bench.client.hello()
        started = (await bench.heard.wait("started")).started
        assert started.journal == "repaired: one slot of the settings is damaged"
        await bench.ready()

    again.run(later)
    first, second = (again.block.cells[at : at + 256] for at in (0, Block.SECTOR))
    assert first == second


def test_who_has_no_key_is_written_down() -> None:
    """Each wrong tag is on the meters, in a few records."""
    table = Table()
    tries = 7

    async def story(bench: Bench) -> None:
        await bench.prepare()
        body = link_pb2.Request(id=90, status=link_pb2.GetStatus()).SerializeToString()
        for counter in range(1000, 1000 + tries):
            table.whole.transport.write(frame.encode(frame.REQUEST, counter, body, bytes(32)))
            await asyncio.sleep(0.5)
        await asyncio.sleep(5.0)
        await bench.client.leave()
        auditor = bench.rig.client(role=link_pb2.ROLE_AUDIT, nonce=bytes(16))
        await auditor.hello()
        counted = (await auditor.request("meters", link_pb2.GetMeters())).meters
        assert counted.authentication_failures == tries
        await auditor.leave()

    table.run(story)
    assert table.written()["auth"] == 4  # the first, second, fourth, and the rest


def test_a_clock_that_jumps_is_told() -> None:
    """CL-6: a table's jump is refused while the power is on; it is told once until it is right.

    The supervisor sets the clock, which is told. Over a power-off it may be any time later.
    """
    table = Table()
    later = NOON + 20

    async def tell(bench: Bench, time: int, taken: bool) -> None:
        request = bench.client.request("set_clock", link_pb2.SetClock(time=time))
        if taken:
            await request
        else:
            with pytest.raises(Refused):
                await request
        await firmware().settled()

    async def first(bench: Bench) -> None:
        await bench.prepare()
        await tell(bench, NOON, True)
        await tell(bench, NOON + 1, True)  # a second is no jump
        await tell(bench, later, False)
        async with by_the_supervisor(bench):
            await tell(bench, later, True)
        await tell(bench, NOON + 10_000, False)
        await tell(bench, NOON + 20_000, False)
        await tell(bench, later, True)
        await tell(bench, NOON - 5_000, False)

    async def second(bench: Bench) -> None:
        await bench.prepare()
        await tell(bench, NOON - 5_000, False)
        await tell(bench, NOON + 50_000, True)

    table.run(first)
    again = Table(bytes(table.block.cells))
    again.run(second)
    records = power.records_of(bytes(again.block.cells))
    jumps = [one.get("jump_s") for one in records if one.kind == "clock"]
    wanted = [0, 20, 20, 10_000 - 20, -5_000 - 20, -5_000 - 20, 0]
    assert [round(jump, -1) for jump in jumps] == wanted
    assert counted(again)["clock_jumps"] == 5


def test_a_clock_at_the_end_of_its_numbers_is_not_taken() -> None:
    """A record has 32 bits for the time: whatever the controller says, the machine goes on."""
    table = Table()
    last = 0xFFFFFFFF

    async def story(bench: Bench) -> None:
        await bench.prepare()
        with pytest.raises(Refused):
            await bench.client.request("set_clock", link_pb2.SetClock(time=last))
        await asyncio.sleep(3.0)
        await bench.ready()

    table.run(story)
    records = power.records_of(bytes(table.block.cells))
    assert next(one.time for one in records if one.kind == "ready") == 0

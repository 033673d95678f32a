"""What events have told is told again after the power went: all of it, in order, and once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from dovetail.faults import WRONG_DECK
from dovetail.requests import recall  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests.bench import CARDS, Bench
from hil_tests.catalogue import ENTERED
from hil_tests.journal_bench import Table
from host_tools.hands import SimulatedHands
from host_tools.journal import meters
from host_tools.journal.segments import Journal, find
from host_tools.link import link_pb2
from host_tools.link.client import kind_of
from host_tools.link.errors import Refused
from host_tools.rigs import Rig, Setup, Wanted, beside, configured
from sim.faults import Faults
from sim.hal import Store
from sim.inprocess import InProcess
from sim.loop import run

Story = Callable[[Bench], Awaitable[None]]

SEED = 0
RECORD_MS = 1000  # by so much a record may be older than its event
OF_PLAY = [row[0] for row in recall.EVENTS]
KEPT = {*OF_PLAY, "started"}  # with a record of the journal
STORIES = (
    "boston_keeps_the_hands_that_were_complete",  # fault, hands that stand, cleared
    "a_round_declared_void_is_counted_and_shuffled_again",
    "a_card_face_up_is_replaced_and_a_second_voids",
    "an_unplayed_deck_is_given_back",
    "out_of_service_ends_with_an_empty_machine",
    "double_draw_is_drawn_twice",
    "pai_gow_leaves_four_cards",  # a start that is drawn
    "a_single_stack_with_a_cut_owed",  # played by hand
    "discards_go_back_in_during_play",
    "the_stub_is_counted_by_hand",  # a wrong number: a deck that is locked out
)


def bare(event: link_pb2.Event) -> link_pb2.Event:
    """Without what, by docs/protocol.md, a recalled one has not: number, words, cut_required."""
    left = link_pb2.Event()
    left.CopyFrom(event)
    left.ClearField("number")
    left.ClearField("uptime_ms")
    body = getattr(left, kind_of(event))
    for field in body.DESCRIPTOR.fields:
        if field.type == field.TYPE_STRING or field.name == "cut_required":
            body.ClearField(field.name)
    return left


def told_by(story: str) -> tuple[list[link_pb2.Event], list[link_pb2.Event]]:
    """What a scenario has told, and what is recalled of it after its end."""
    one = ENTERED[story]
    wanted = Wanted(SEED, one.faults, one.setup)
    store, told = configured(wanted), list[link_pb2.Event]()
    recalled: list[link_pb2.Event] = []

    async def before(bench: Bench) -> None:
        bench.client.on_event.append(told.append)
        await bench.prepare()
        await one.run(bench)

    async def after(bench: Bench) -> None:
        await bench.client.hello()
        recalled.extend(await bench.client.recall(0))

    _on(store, wanted, before)
    _on(store, Wanted(SEED, setup=one.setup), after)
    told = [event for event in told if kind_of(event) in OF_PLAY]
    return told, recalled[: len(told)]


def _on(store: Store, wanted: Wanted, story: Story) -> None:
    """A machine with this memory, from power-on to the end of the story."""
    faults = Faults(wanted.faults, SEED)
    whole = InProcess(SEED, faults, cards=wanted.setup.cards, store=store)
    hands = SimulatedHands(whole.hands, SEED)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)
    rig.setup = wanted.setup

    async def body() -> None:
        bench = Bench(rig)
        try:
            await story(bench)
        finally:
            await bench.close()

    run(whole.world, beside(whole.start(), body()))


@pytest.mark.parametrize("story", STORIES)
def test_what_is_recalled_is_what_was_told(story: str) -> None:
    """Each kind, of its own record, with every number."""
    told, recalled = told_by(story)
    records = [event.record for event in told]
    assert records == sorted(set(records))
    assert 0 not in records
    assert [bare(event) for event in recalled] == [bare(event) for event in told]
    for one, other in zip(told, recalled, strict=True):
        assert 0 <= one.uptime_ms - other.uptime_ms <= RECORD_MS


def test_every_kind_is_told_by_one_of_them() -> None:
    """And none that nobody tells; hands that stand, and a deck that is played by hand, too."""
    told = [event for story in STORIES for event in told_by(story)[0]]
    assert {kind_of(event) for event in told} == set(OF_PLAY)
    assert any(event.round_void.stand for event in told)
    assert any(event.whole_deck.cards for event in told)
    assert Setup("double_down_stud", by_hand=True) in {ENTERED[name].setup for name in STORIES}


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


def test_a_single_stack_that_is_not_whole_is_told_by_its_fault_alone() -> None:
    """A card is gone from the shoe: no whole_deck is told or recalled; its cards are counted."""
    wanted = Wanted(SEED, setup=Setup("double_down_stud", by_hand=True))
    store, told = configured(wanted), list[str]()

    async def before(bench: Bench) -> None:
        bench.client.on_event.append(lambda event: told.append(kind_of(event)))
        await bench.prepare()
        await bench.ready()
        assert bench.rig.machine is not None
        bench.rig.machine.deal.shoe.pop()
        bench.watch.bets_closed = True
        await bench.client.deliver()
        fault = (await bench.heard.wait("fault")).fault
        assert (fault.fault, fault.card) == (WRONG_DECK, CARDS - 1)

    async def after(bench: Bench) -> None:
        await bench.client.hello()
        found = [kind_of(event) for event in await bench.client.recall(0)]
        assert found == [*(kind for kind in told if kind in OF_PLAY), "fault"]
        assert "whole_deck" not in found

    _on(store, wanted, before)
    assert meters.after(Journal.of(find(bytes(store.cells))))["cards_deal"] == CARDS - 1
    _on(store, wanted, after)

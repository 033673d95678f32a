"""Every fault of the table has its proof; what no mechanism does is done to the firmware."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from dovetail import faults, start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests import plant_scenarios
from hil_tests.bench import CARDS, Bench
from hil_tests.plant_scenarios import ELSEWHERE
from hil_tests.power import records_of
from hil_tests.scenario import perform
from host_tools import rigs
from host_tools.link import link_pb2
from host_tools.link.errors import Refused
from host_tools.play.table import SHUFFLE_S, STACK_S
from host_tools.rigs import Rig, beside
from host_tools.rules.device import make_profile, put_settings
from sim.block import Block
from sim.inprocess import InProcess
from sim.loop import run
from sim.plants.catalogue import AT_POINT, INPROCESS, NAMES, OF_NAME
from sim.plants.catalogue import DRAWN as CASES
from sim.plants.record import Plant

HERE = Path(__file__).parent


def test_every_fault_of_the_table_has_a_proof() -> None:
    planted = {case.number for case in CASES if case.number}
    assert planted | set(ELSEWHERE) == {row[0] for row in faults.TABLE}
    assert not planted & set(ELSEWHERE)


@pytest.mark.parametrize("where", ELSEWHERE.values())
def test_the_proof_is_there(where: str) -> None:
    file, name = where.split(": ")
    assert f"def {name}(" in (HERE / file).read_text(encoding="utf-8")


def test_every_plant_is_tried_and_one_of_each_station_on_the_board() -> None:
    assert {case.name for case in CASES} == set(NAMES)
    stations = {row[0]: row[2] for row in faults.TABLE}
    thin = [case for case in CASES if case.thin]
    assert not {case.name for case in thin} & INPROCESS
    tried = {stations[case.number] for case in thin if case.number}
    assert tried == {stations[case.number] for case in CASES if case.number}


# -- what only the firmware itself can do wrong ------------------------------------------------


def firmware() -> Any:
    """The firmware's own machine."""
    return start.machine


def live(story: Callable[[Bench], Awaitable[None]], seed: int = 5) -> None:
    """A story on an in-process machine, watched."""

    async def body(rig: Rig) -> None:
        bench = Bench(rig)
        try:
            await bench.prepare()
            await story(bench)
            bench.watch.check()
        finally:
            await bench.close()

    rigs.in_process(rigs.Wanted(seed=seed), body)


def test_two_counts_that_disagree() -> None:
    """I-1: every slot gave its card, the second count says otherwise: never ready."""

    async def story(bench: Bench) -> None:
        ledger = firmware().decks[link_pb2.RED].ledger
        ejected, seen = ledger.ejected, 0

        def miss_one() -> None:
            nonlocal seen
            seen += 1
            if seen != 7:
                ejected()

        ledger.ejected = miss_one
        since = len(bench.heard.events)
        await bench.shuffle("red")
        event = await bench.fault(since, "count", "the two counts disagree", SHUFFLE_S)
        assert event.fault.fault == faults.COUNTS_DISAGREE
        assert not bench.heard.all("ready")

    live(story)


def test_a_stack_that_is_not_what_was_ordered() -> None:
    """I-3 DS-11: the rules hear of two cards, by a defect: told, the round is void."""

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        real = firmware().rules.ask

        def ask(event: str, d: int = 0, a: int = 0, b: int = 0, c: int = 0) -> object:
            return real(event, d, 2 if event == "delivered" else a, b, c)

        firmware().rules.ask = ask
        since = len(bench.heard.events)
        await bench.step(bench.client.deal(bench.round, 1))
        event = await bench.fault(since, "count", "misdeal", STACK_S)
        assert event.fault.fault == faults.MISDEAL
        stack = bench.heard.all("stack", since)[0].stack
        assert (stack.position, stack.delivered) == (1, 3)
        assert bench.heard.all("round_void", since)

    live(story)


def test_a_defect_of_our_own() -> None:
    """An exception that nobody foresaw stops everything, and is told."""

    async def story(bench: Bench) -> None:
        firmware().wheel.start = None
        since = len(bench.heard.events)
        back = await bench.shuffle("red")
        event = await bench.fault(since, "machine", "internal error", SHUFFLE_S)
        assert event.fault.fault == faults.SOFTWARE
        await bench.refused(bench.client.cleared(), "EL-2", faults.SOFTWARE)
        assert back == "red"

    live(story)


def test_memory_that_refuses_writes() -> None:
    """What can not be kept is not begun: no card moves."""
    store = Block(64 * 1024)
    whole = InProcess(5, store=store)

    async def story(bench: Bench) -> None:
        store.refuse = lambda kind, offset: True
        since = len(bench.heard.events)
        await bench.table.dealer.load("red")
        with suppress(Refused):
            await bench.client.load(link_pb2.RED)
        event = await bench.fault(since, "journal", "memory refuses writes", SHUFFLE_S)
        assert event.fault.fault == faults.STORE
        assert len(whole.machine.infeed.stack) + len(whole.machine.infeed.path) == CARDS

    on(whole, story)


def test_the_journal_of_another_machine() -> None:
    """At power-on: the machine answers, and does nothing else."""
    store = Block(64 * 1024)

    async def nothing(bench: Bench) -> None:
        await bench.client.status()

    async def story(bench: Bench) -> None:
        status = await bench.client.status()
        assert (status.fault, status.state) == (faults.JOURNAL, link_pb2.UNAVAILABLE)

    on(InProcess(5, store=store), nothing)
    other = InProcess(5, store=store)
    other.hal.unique_id = b"otherone"
    on(other, story)


def test_a_configuration_that_is_not_signed() -> None:
    whole = InProcess(5)
    right, wrong = bytes(32), bytes(range(32))
    blob = make_profile(wrong, "let_it_ride", 0)
    put_settings(whole.store, b"simulate", {"key.service": right, "profile": blob})

    async def story(bench: Bench) -> None:
        status = await bench.client.status()
        assert (status.fault, status.state) == (faults.CONFIGURATION, link_pb2.UNAVAILABLE)

    on(whole, story)


def on(whole: InProcess, story: Callable[[Bench], Awaitable[None]]) -> None:
    """A story on this machine."""
    from host_tools.hands import SimulatedHands

    async def body() -> None:
        hands = SimulatedHands(whole.hands, 5)
        world = whole.world
        rig = Rig("in-process", whole.transport, hands, hands, whole.machine, world.now_ns)
        bench = Bench(rig)
        try:
            await bench.client.hello()
            await story(bench)
            bench.watch.check()
        finally:
            await bench.close()

    run(whole.world, beside(whole.start(), body()))


# -- what must be on flash before something moves ----------------------------------------------


def test_a_card_moves_only_when_it_is_on_flash_that_cards_are_inside() -> None:
    """I-10, EL-3: power that goes at the first step finds it in the journal."""
    store = Block(256 * 1024)
    whole = InProcess(5, store=store)
    kept: dict[str, list[str]] = {}
    for name in ("pick", "deal"):
        note_first_move(whole, name, store, kept)

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        await bench.deal(1)
        await bench.take(1)

    on(whole, story)
    assert kept["pick"][-1] == "shuffle_begun"
    assert kept["deal"][-2:] == ["opened", "no_more_bets"]


def note_first_move(whole: InProcess, name: str, store: Block, kept: dict[str, list[str]]) -> None:
    """What the flash says when this axis begins to move."""
    axis = whole.machine.axes[name]
    begin = axis.begin

    def first(*args: Any) -> None:
        kept.setdefault(name, [record.kind for record in records_of(bytes(store.cells))])
        begin(*args)

    setattr(axis, "begin", first)  # noqa: B010


def test_the_shoe_is_free_only_when_it_is_on_flash() -> None:
    """The next deck moves in when the remainder of the last is in the journal."""
    store = Block(256 * 1024)
    whole = InProcess(5, store=store)
    kept: list[str] = []

    async def story(bench: Bench) -> None:
        await bench.ready("red")
        await bench.shuffle("blue")
        await bench.step(bench.heard.wait("shuffle_done", 0, SHUFFLE_S, back=link_pb2.BLUE))
        flag = firmware().shoe_free
        real = flag.set

        def freed() -> None:
            kept.extend(record.kind for record in records_of(bytes(store.cells)))
            real()

        flag.set = freed
        await bench.whole_round()

    on(whole, story)
    assert "remainder" in kept


# -- what is left of the order, and of a stop --------------------------------------------------


def test_the_plan_is_forgotten_when_it_is_carried_out_or_broken_off() -> None:
    """I-8: it is zero before the deck leaves the wheel, and when it is stopped."""

    async def story(bench: Bench) -> None:
        since = len(bench.heard.events)
        await bench.shuffle("red")
        await asyncio.sleep(3.0)
        plan = firmware().plan
        assert sorted(plan) == list(range(CARDS))
        await bench.step(bench.heard.wait("shuffle_done", since, SHUFFLE_S))
        assert not any(plan)
        await bench.step(bench.heard.wait("ready", since, SHUFFLE_S))
        await bench.shuffle("blue")
        await asyncio.sleep(3.0)
        assert any(plan)
        await bench.hands.switch("lid", False)
        await bench.fault(since, "interlock", "lid open", 2.0)
        assert not any(plan)

    live(story)


@pytest.mark.parametrize("after_ms", [20, 45, 70])
def test_the_wheel_comes_to_rest_by_its_own_ramp(after_ms: int) -> None:
    """I-6: at any moment of a half turn; neither stopped dead nor sent on to its goal."""

    async def story(bench: Bench) -> None:
        assert bench.rig.machine is not None
        axis = bench.rig.machine.axes["wheel"]
        since = len(bench.heard.events)
        await bench.shuffle("red")
        # until a long move has begun
        while axis.profile is None or axis.profile.total < 2000 or axis.profile.total > 3000:
            await asyncio.sleep(0.001)
        goal = axis.profile.total
        first = axis.position
        await asyncio.sleep(after_ms / 1000)
        await bench.hands.switch("lid", False)
        await bench.fault(since, "interlock", "lid open", 2.0)
        await asyncio.sleep(0.5)
        axis.sync()
        assert abs(axis.position - first) < goal - 200
        assert axis.overrun == 0
        assert not bench.rig.machine.enabled

    live(story)


# -- what a scenario of a plant that the machine gets over must find -------------------------------


def played(case: Plant[Any]) -> None:
    """Play the scenario of this record in process."""
    one = plant_scenarios.entered(case)

    async def body(rig: rigs.Rig) -> None:
        await perform(one, rig)

    rigs.in_process(rigs.Wanted(seed=5, faults=one.faults, setup=one.setup), body)


def nothing(part: Any, size: int) -> None:
    """Strike, and change nothing."""


def test_a_record_that_names_another_try_is_found() -> None:
    case = OF_NAME["path.hold"]
    played(case)
    with pytest.raises(AssertionError, match="tried for faults"):
        played(replace(case, tried=(faults.MISFEED,)))


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ([replace(OF_NAME["path.hold"], does=nothing)], "nothing was tried"),
        ([], "never struck"),
    ],
    ids=["it does nothing", "nobody asks for it"],
)
def test_a_plant_that_does_not_strike_is_found(there: list[Plant[Any]], why: str) -> None:
    case = OF_NAME["path.hold"]
    asked = [one for one in AT_POINT[case.at] if one.name != case.name] + there
    with (
        mock.patch.dict(AT_POINT, {case.at: asked}),
        pytest.raises(AssertionError, match=why),
    ):
        played(case)

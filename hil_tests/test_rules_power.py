"""Rules that the power must not switch off: the age of a deck, the count that is due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from dovetail.journal import kinds
from dovetail.journal.journal import Journal  # pyright: ignore[reportUnknownVariableType]

from boards.shuffler_rp2040 import board
from hil_tests.bench import Bench
from hil_tests.service import by_the_supervisor
from host_tools.hands import SimulatedHands
from host_tools.link import link_pb2
from host_tools.play.table import BACKS
from host_tools.rigs import Rig, Setup, Wanted, beside, configured
from host_tools.rules.device import value
from sim import factory
from sim.hal import Store
from sim.inprocess import InProcess
from sim.loop import run

SEED = 5
MORNING = 1_800_000_000
HOUR_S = 3600
RED = BACKS["red"]

LIVES = (
    ("let_it_ride", 8, "CL-1"),
    ("caribbean_stud", 8, "CL-2"),
    ("double_down_stud", 8, "CL-3"),
    ("boston_5", 8, "CL-4"),
    ("poker", 4, "CL-5"),
    ("plain", 4, "CL-7"),
)

Story = Callable[[Bench], Awaitable[None]]


def switched_on(store: Store, story: Story) -> None:
    """A machine with this memory, from power-on to the end of the story."""
    whole = InProcess(SEED, store=store)
    hands = SimulatedHands(whole.hands, SEED)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)

    async def body() -> None:
        bench = Bench(rig)
        try:
            await bench.step(bench.client.hello())
            await story(bench)
        finally:
            await bench.close()

    run(whole.world, beside(whole.start(), body()))


async def tell(bench: Bench, time: int) -> None:
    """The controller says what time it is."""
    await bench.step(bench.client.request("set_clock", link_pb2.SetClock(time=time)))


@pytest.mark.parametrize(("game", "hours", "rule"), LIVES)
def test_a_deck_grows_older_without_power(game: str, hours: int, rule: str) -> None:
    """CL-1 CL-2 CL-3 CL-4 CL-5 CL-6 CL-7 EL-2: declared, switched off, and over its time."""
    store = configured(Wanted(setup=Setup(game, not value(game, "shoe"))))
    minutes_s = 600

    async def morning(bench: Bench) -> None:
        async with by_the_supervisor(bench):
            await tell(bench, MORNING)
        await bench.table.dealer.load("red")
        await bench.step(bench.client.load(RED))

    async def soon(bench: Bench) -> None:
        """A table's word does not say how long the power was off; the supervisor's does."""
        await bench.table.dealer.load("red")
        await bench.refused(bench.client.load(RED), rule)  # nobody has told the time yet
        await bench.refused(_set(bench, MORNING - HOUR_S), rule)
        await tell(bench, MORNING + minutes_s)
        await bench.refused(bench.client.load(RED), rule)
        async with by_the_supervisor(bench):
            await tell(bench, MORNING + minutes_s)
        await bench.step(bench.client.load(RED))

    async def late(bench: Bench) -> None:
        await bench.table.dealer.load("red")
        async with by_the_supervisor(bench):
            await tell(bench, MORNING + hours * HOUR_S + 60)
        await bench.refused(bench.client.load(RED), rule)
        await bench.refused(_set(bench, MORNING + (hours + 1) * HOUR_S), rule)
        await renewed(bench)

    switched_on(store, morning)
    switched_on(store, soon)
    switched_on(store, late)


def test_a_table_that_tells_the_time_ahead_makes_no_deck_younger() -> None:
    """CL-6: dated by a clock that a table alone has told, it is too old once the power was off."""
    store = configured(Wanted())

    async def ahead(bench: Bench) -> None:
        await tell(bench, MORNING + 6 * HOUR_S)
        await bench.table.dealer.load("red")
        await bench.step(bench.client.load(RED))

    async def after(bench: Bench) -> None:
        """Eight and a half hours old; by the table's word it would be two and a half."""
        await bench.table.dealer.load("red")
        async with by_the_supervisor(bench):
            await tell(bench, MORNING + 8 * HOUR_S + HOUR_S // 2)
        await bench.refused(bench.client.load(RED), "CL-1")

    switched_on(store, ahead)
    switched_on(store, after)


async def renewed(bench: Bench) -> None:
    """The red deck, which lies in the infeed, gives way to a new one."""
    await bench.refused(bench.client.remove_deck(RED), "CT-3")
    await bench.hands.clear()
    await bench.step(bench.client.remove_deck(RED))
    await bench.table.dealer.load("red")
    async with by_the_supervisor(bench):
        await bench.step(bench.client.load(RED, new_deck=True))


def test_a_deck_of_before_is_too_old_where_nobody_ever_tells_the_time() -> None:
    """CL-6: its age began anew with each power-on, once; a deck that it saw declared it counts."""
    store = configured(Wanted())

    async def first(bench: Bench) -> None:
        await bench.ready("red")
        await bench.whole_round()

    async def again(bench: Bench) -> None:
        await bench.table.dealer.load("red")
        await bench.refused(bench.client.load(RED), "CL-1")

    switched_on(store, first)
    switched_on(store, again)


def test_a_clock_that_is_far_off_needs_service() -> None:
    """CL-1 EL-2: after 31 days off it is not believed; set back, no deck's age is known."""
    store = configured(Wanted(setup=Setup("let_it_ride")))
    later = MORNING + 40 * 24 * HOUR_S
    hour = MORNING + HOUR_S

    def by_service(time: int) -> Story:
        async def story(bench: Bench) -> None:
            await bench.refused(_set(bench, time), "CL-1")
            client = bench.rig.client(bench.tap, role=link_pb2.ROLE_SERVICE)
            await bench.step(client.hello())
            await bench.step(client.request("set_clock", link_pb2.SetClock(time=time)))

        return story

    async def morning(bench: Bench) -> None:
        for time in (1, 0xFFFFFFFF):
            await bench.refused(_set(bench, time), "CL-1")
        await tell(bench, MORNING)
        await bench.table.dealer.load("red")
        await bench.step(bench.client.load(RED))

    async def too_old(bench: Bench) -> None:
        await bench.table.dealer.load("red")
        async with by_the_supervisor(bench):
            await tell(bench, later + 60)
        await bench.refused(bench.client.load(RED), "CL-1")

    async def in_doubt(bench: Bench) -> None:
        await bench.table.dealer.load("red")
        async with by_the_supervisor(bench):
            await tell(bench, hour + 60)
        await bench.refused(bench.client.load(RED), "CL-1")
        await renewed(bench)

    for story in (morning, by_service(later), too_old, by_service(hour), in_doubt):
        switched_on(store, story)


def _set(bench: Bench, time: int) -> Awaitable[object]:
    return bench.client.request("set_clock", link_pb2.SetClock(time=time))


def past(rounds: int, stub: bool, end: str = "closed") -> Store:
    """The memory of a machine whose counts disagreed, with rounds and a count by hand since.

    end: what is told last of the last round.
    """
    store = Store(board.JOURNAL_BYTES)
    factory.calibrate(store.cells, b"simulate", SEED)
    journal: Any = Journal(store, b"simulate")
    names: tuple[str, ...] = cast(Any, kinds).row("fault")[3]
    fault = dict.fromkeys(names, 0)
    rest: tuple[str, ...] = cast(Any, kinds).row("remainder")[3]
    journal.put("fault", {**fault, "fault": 602}, 1)
    journal.put("cleared", {"fault": 602}, 2)
    for number in range(1, rounds + 1):
        fields = {"round": number, "players": 2, "positions": 3, "back": 1, "owes": 0, "pair": 0}
        journal.put("opened", fields, 3)
        journal.put("remainder", {**dict.fromkeys(rest, 0), "round": number}, 4)
        if end == "closed" or number < rounds:
            journal.put("closed", {"round": number}, 4)
    if stub:
        journal.put("stub_counted", {"back": 1, "right": 1}, 5)
    journal.flush()
    return store


def test_the_five_round_clock_runs_on_without_power() -> None:
    """CT-1: five rounds since the own count was found wrong, switched off and on in between."""

    def last_round(number: int) -> Story:
        async def story(bench: Bench) -> None:
            bench.rig.last_round = number
            await bench.ready("blue")
            if number == 5:
                await bench.refused(bench.client.open_round(number + 1, 2), "CT-1")
                await bench.step(bench.client.stub_counted(RED, 52))
            await bench.whole_round()

        return story

    for rounds in (4, 5):
        for end in ("closed", "remainder"):  # what the power leaves open was played all the same
            switched_on(past(rounds, False, end), last_round(rounds))

    async def counted(bench: Bench) -> None:
        bench.rig.last_round = 5
        await bench.ready("blue")
        await bench.whole_round()

    switched_on(past(5, True), counted)


@pytest.mark.parametrize(("game", "stand"), [("boston_5", 2), ("let_it_ride", 0)])
def test_hands_that_were_complete_stand_also_after_a_power_cut(game: str, stand: int) -> None:
    """DS-8: by the game, as when the shoe fails."""
    store = configured(Wanted(setup=Setup(game)))

    async def cut(bench: Bench) -> None:
        await bench.ready("red")
        await bench.open()
        await bench.no_more_bets()
        for position in (1, 2):
            await bench.deal(position)
            await bench.take(position)

    async def after(bench: Bench) -> None:
        void = (await bench.heard.wait("round_void")).round_void
        assert (void.round, void.complete, void.stand) == (1, 2, stand)

    switched_on(store, cut)
    switched_on(store, after)

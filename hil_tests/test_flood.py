"""I-12: whoever floods the link, with every key, washes no record of play away."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from dovetail.journal.journal import Journal as DeviceJournal

from boards.shuffler_rp2040 import board
from hil_tests import watch
from hil_tests.flood import ASKED, UNTAGGED, Flood
from hil_tests.flooded_day import FloodedDay
from hil_tests.power import records_of
from hil_tests.request_table import COLUMNS, Setting
from host_tools import rigs
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, drawn
from host_tools.heard import Heard
from host_tools.journal.segments import Record
from host_tools.journal.wear import Life
from host_tools.link import link_pb2
from host_tools.rigs import Rig, Setup, Wanted, beside, configured
from sim.hal import UNIQUE_ID, Store
from sim.loop import run as run_virtual

SMALL = 768 * 1024  # the journal on a chip of 2 MB
LARGE = 8192 * 1024  # on one of 16 MB
SIZES = {"2 MB": SMALL, "16 MB": LARGE}
KEPT = 10_000  # records of play that the smallest chip still has after a day of flood
SHARE = 0.05  # of the ring that a day of flood takes at most
DAY_H = 24
REST_H = amount(DAY_H, 1)
PLAY_MIN = amount(DAY_H * 60, 10)
SEED = 3
STATES, CHIPS = 1, 1  # of a share
LIMIT_S = 60.0
# A record of these kinds is play: a card has moved for it, or it belongs to a round or a deck.
PLAY = {
    "declared",
    "shuffle_begun",
    "shuffle_done",
    "ready",
    "opened",
    "no_more_bets",
    "stack",
    "remainder",
    "closed",
    "round_void",
    "start_drawn",
    "whole_deck",
}
BUDGET, EARN_S, ROLES = 43, 1200, 4  # docs/protocol.md: of each role
OVER = 2  # an order of three records may begin with room for one
ONCE = 40  # what a state lets happen once: decks locked out, a deck given back, one idle table


def rig_on(store: Store, setup: Setup) -> tuple[Rig, Callable[[Awaitable[None]], None]]:
    """Make a machine on this store, and what runs a controller at it."""
    from host_tools.hands import SimulatedHands
    from sim.inprocess import InProcess

    whole = InProcess(SEED, cards=setup.cards, store=store, calibrated=False)
    hands = SimulatedHands(whole.hands, SEED)
    rig = Rig("in-process", whole.transport, hands, hands, whole.machine, whole.world.now_ns)
    rig.keys, rig.setup = rigs.of_seed(SEED), setup
    rig.spoil = whole.hal.noise.use
    return rig, lambda body: run_virtual(whole.world, beside(whole.start(), body))


def kinds(records: Iterable[Record]) -> Counter[str]:
    """Count them by kind."""
    return Counter(record.kind for record in records)


# ---- nothing goes round in a circle ------------------------------------------------------------


async def _whole_wheel(s: Setting) -> None:
    await s.load()
    await s.client.shuffle(link_pb2.RED)
    await s.heard.wait("shuffle_done", 0, LIMIT_S)
    await asyncio.sleep(5.0)


async def _by_hand(s: Setting) -> None:
    assert s.rig.dealer is not None
    await s.ready()
    await s.client.deliver()
    await s.heard.wait("whole_deck", 0, LIMIT_S)
    await s.rig.dealer.take()


async def _nothing(s: Setting) -> None:
    """The machine is empty, and a deck lies on the table."""


@dataclass(frozen=True)
class Situation:
    """Where a flood finds the machine."""

    reach: Callable[[Setting], Awaitable[None]]
    setup: Setup = field(default_factory=Setup)
    calibrated: bool = True
    role: link_pb2.Role = link_pb2.ROLE_TABLE


SITUATIONS = {
    name: Situation(column.reach, Setup(column.game), role=column.role)
    for name, column in COLUMNS.items()
    if column.role and name not in ("unheard", "audit", "supervisor")
} | {
    "empty": Situation(_nothing),
    "continuous": Situation(_whole_wheel, Setup("plain", continuous=True)),
    "by hand": Situation(_by_hand, Setup("double_draw", by_hand=True)),
    "not calibrated": Situation(_nothing, calibrated=False),
}
# A stub that is counted wrong, and a machine out of service, end much that can be said: so it is
# flooded without these too.
GENTLE = ("stub_counted", "out_of_service", "in_service", "remove_deck")
CASES = [(name, without) for name in SITUATIONS for without in ((), GENTLE)]


def ids(case: tuple[str, tuple[str, ...]]) -> str:
    return f"{case[0]}, gentle" if case[1] else case[0]


@pytest.mark.parametrize("case", drawn("flood", CASES, STATES), ids=ids)
@pytest.mark.proof(name="flood")
def test_no_way_to_have_records_written_without_end(case: tuple[str, tuple[str, ...]]) -> None:
    """I-12 (in-process): Every request, alone and in circles, in sessions of every role in turn."""
    situation, without = SITUATIONS[case[0]], case[1]
    wanted = Wanted(SEED, setup=situation.setup, calibrated=situation.calibrated)
    store = configured(wanted)
    rig, play = rig_on(store, situation.setup)
    seconds = amount(600, 200)
    found: Counter[str] = Counter()

    async def body() -> None:
        client = rig.client(nonce=bytes(16))
        heard = Heard(client)
        await client.hello()
        if situation.role == link_pb2.ROLE_SERVICE:
            await client.become(link_pb2.ROLE_SERVICE)
        await situation.reach(Setting(rig, client, heard))
        await heard.close()
        before = kinds(records_of(bytes(store.cells)))
        flood = Flood(client, rig.transport, rig.keys, SEED, without)
        await flood.on(asyncio.get_running_loop().time() + seconds)
        found.update(kinds(records_of(bytes(store.cells))) - before)
        await client.close()

    play(body())
    assert found["session"]
    assert found.total() <= ROLES * (BUDGET + OVER + seconds // EARN_S + 1) + ONCE, found


def test_the_flood_asks_every_request() -> None:
    """Those of the schema, and no list of ours."""
    fields = {one.name for one in link_pb2.Request.DESCRIPTOR.oneofs[0].fields}
    assert set(ASKED) | set(UNTAGGED) == fields


# ---- a day -------------------------------------------------------------------------------------


# What is written of a round here, for a ring that is full of play
A_ROUND: tuple[tuple[str, dict[str, int]], ...] = (
    ("opened", {"players": 5, "positions": 6, "back": 1, "owes": 0, "pair": 0}),
    ("no_more_bets", {"by_hand": 0}),
    (
        "remainder",
        {"delivered": 52, "dealt": 0, "expected": 52, "stub": 1, "inside": 0, "found": 0},
    ),
    ("closed", {}),
)


def played_before(store: Store, rounds: int) -> None:
    """Write the records of so many rounds, as an earlier day has left them."""
    journal = cast(Any, DeviceJournal)(store, UNIQUE_ID)
    for number in range(1, rounds + 1):
        for kind, fields in A_ROUND:
            if not journal.room(False):
                journal.prepare()
            journal.put(kind, {"round": number, **fields}, number * 1000, 0)
    journal.flush()


@pytest.mark.proof(name="flood")
def test_a_day_of_flood_at_a_machine_that_is_not_played(tell: Tell) -> None:
    """I-12 (in-process): On the smallest chip, full of play: the last 10,000 records of it stay."""
    store = Store(SMALL)
    made = configured(Wanted(SEED)).cells
    store.cells[: 2 * Store.SECTOR] = made[: 2 * Store.SECTOR]
    rounds = Life(SMALL).kept // len(A_ROUND) + 300
    played_before(store, rounds)
    rig, play = rig_on(store, Setup())

    async def body() -> None:
        client = rig.client(nonce=bytes(16))
        await client.hello()
        flood = Flood(client, rig.transport, rig.keys, SEED)
        loop = asyncio.get_running_loop()
        end = loop.time() + REST_H * 3600
        await flood.on(loop.time() + amount(600, 40))  # until every budget is spent
        while loop.time() < end:
            await asyncio.sleep(EARN_S / ROLES)  # what one role earns is spent at once
            await flood.steps(12)
        await client.close()

    play(body())
    records = records_of(bytes(store.cells))
    judged = judge(records, SMALL)
    tell(f"flood at rest: {REST_H} h, {judged.flood} records of {judged.play + judged.flood}")
    assert judged.wrong == []
    assert judged.play >= KEPT
    assert kinds(records)["started"] == 1, "the flood has restarted the machine"
    last = [record for record in records if record.get("round") > rounds - KEPT // len(A_ROUND)]
    for kind, _ in A_ROUND:
        assert kinds(last)[kind] == KEPT // len(A_ROUND), kind


def test_a_start_makes_the_budgets_anew() -> None:
    """I-12 (in-process): so a flood by starts needs a hand at the switch, for each of them."""
    store = configured(Wanted(SEED))
    done: list[int] = []
    for _ in range(2):
        rig, play = rig_on(store, Setup())
        flood: list[Flood] = []

        async def body(rig: Rig = rig, flood: list[Flood] = flood) -> None:
            client = rig.client(nonce=bytes(16))
            await client.hello()
            flood.append(Flood(client, rig.transport, rig.keys, SEED))
            await client.become(link_pb2.ROLE_SERVICE)
            for _ in range(BUDGET + 1):
                await flood[0].ask("configure")
            await client.close()

        play(body())
        done.append(flood[0].done["configure"])
    assert done == [BUDGET - 1, BUDGET - 1]  # one was the session's


@dataclass
class Judged:
    """What a ring shows after a day."""

    play: int
    flood: int
    wrong: list[str]


def judge(records: tuple[Record, ...], size: int) -> Judged:
    """Look at every record of a ring: none is missing, and few are of the flood."""
    count = kinds(records)
    play = sum(number for kind, number in count.items() if kind in PLAY)
    flood = count.total() - play
    wrong: list[str] = []
    numbers = [record.number for record in records]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        wrong.append("record numbers have a gap")
    if flood > SHARE * Life(size).kept:
        wrong.append(f"{flood} records of flood, more than {SHARE:.0%} of {Life(size).kept}")
    return Judged(play, flood, wrong)


@pytest.mark.slow
@pytest.mark.spends(1200)
@pytest.mark.parametrize("chip", drawn("flood chip", list(SIZES), CHIPS))
@pytest.mark.proof(name="flood")
def test_a_day_of_flood_and_dense_play(
    monkeypatch: pytest.MonkeyPatch, tell: Tell, chip: str
) -> None:
    """I-12 (in-process): Every record of play is there, or on the smallest chip the last 10,000."""
    monkeypatch.setattr(watch, "LOOK_S", 1.0)
    size = SIZES[chip]
    store = Store(size)
    made = configured(Wanted(SEED)).cells
    store.cells[: 2 * Store.SECTOR] = made[: 2 * Store.SECTOR]
    rig, play = rig_on(store, Setup())
    day = FloodedDay(rig, SEED)

    async def body() -> None:
        await day.play(PLAY_MIN / 60)

    play(body())
    records = records_of(bytes(store.cells))
    judged = judge(records, size)
    tell(
        f"flood in play, {chip}: {day.rounds} rounds in {PLAY_MIN} minutes, "
        f"{judged.play} records of play, {judged.flood} others, "
        f"{sum(day.flood.done.values())} orders of the flood done"
    )
    assert day.wrong == []
    assert judged.wrong == []
    whole = records[0].number == 1
    if whole:
        count = kinds(records)
        for kind in day.witnessed:
            assert count[kind] == day.witnessed[kind], kind
    else:
        assert judged.play >= KEPT
    oldest = min((r.get("round") for r in records if r.kind == "opened"), default=0)
    found = Counter(
        (r.kind, r.get("round")) for r in records if r.kind in PLAY and r.get("round") > oldest
    )
    assert found == Counter({key: n for key, n in day.by_round.items() if key[1] > oldest})


def test_the_journals_are_those_of_the_chips() -> None:
    """The largest one is that of the board as it is built."""
    assert board.JOURNAL_BYTES == LARGE

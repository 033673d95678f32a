"""The power goes at every operation on flash: nothing acknowledged is lost, nothing resumes."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code

from hil_tests import disturbances, power, power_emulated
from hil_tests.bench import Bench
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, drawn
from host_tools.hands import SimulatedHands
from host_tools.journal.segments import KIND_NAMES
from host_tools.link import link_pb2
from host_tools.rigs import Rig, beside
from sim.block import ERASED, TEARS, Block, Operation
from sim.inprocess import InProcess
from sim.loop import run
from sim.tests.images import image

SECTORS = 2 + 5  # so few that the ring goes round
SEED = 5
CUT_PARTS = amount(8, 2)  # every instant in either: fewer parts play the day less often
PARTS = amount(64, 2)
INSTANTS = 16  # of a run that takes a share
HOUR_S = 3700
NOON = 1_800_000_000

VOID = {"round": 2, "complete": 2, "fault": 402, "reason": int(link_pb2.BY_FAULT)}
# Kinds that no request leads to yet: said to the journal as the machine will
OTHERS: tuple[tuple[str, dict[str, int]], ...] = (
    ("out_of_service", {"on": 1, "inside": 0}),
    ("out_of_service", {"on": 0, "inside": 0}),
    ("setting", {"name": 3, "generation": 2}),
    ("auth", {"role": 1, "reason": 2, "failures": 3}),
    ("session", {"role": 1, "begun": 1}),
    ("service", {"what": 1}),
    ("retry", {"fault": 102, "card": 7, "tries": 2, "recovered": 1}),
    ("start_drawn", {"round": 3, "position": 4}),
    ("round_void", {**VOID, "stand": 2, "provisional": 1, "standing": 5}),
    ("round_void", {**VOID, "stand": 2, "provisional": 0, "standing": 5}),
    ("whole_deck", {"back": 1, "cards": 52, "expected": 52, "inside": 0, "order": 1}),
    ("stub_counted", {"back": 1, "right": 1}),
    ("sensor", {"sensor": 1, "quality": 3, "reading": 900, "wanted": 1500}),
    ("calibration", {"stage": 1, "inside": 1}),
    ("idle", {"decks": 2}),
    ("face_up", {"round": 3, "position": 1}),
    ("spared", {"records": 3}),
    ("keys_renewed", {"role": 4}),
    ("damage", {"what": 2, "segment": 1, "offset": 512, "bytes": 64, "first": 1, "records": 0}),
)


def rig_of(whole: InProcess) -> Rig:
    """A controller and a dealer at this machine."""
    hands = SimulatedHands(whole.hands, SEED)
    world = whole.world
    return Rig("in-process", whole.transport, hands, hands, whole.machine, world.now_ns)


def firmware() -> Any:
    """The firmware's own machine, to have it say what no request leads to yet."""
    return start.machine


async def story(bench: Bench) -> None:
    """A day in short: rounds, an open lid, a card missing, and all else that is ever written."""
    await bench.prepare()
    await bench.client.request("set_clock", link_pb2.SetClock(time=NOON))
    await bench.ready()
    await bench.whole_round()
    await disturbances.the_lid_is_opened_while_dealing(bench)
    await disturbances.a_deck_with_a_card_missing_is_locked_out(bench)
    await bench.hands.clear()
    for kind, fields in OTHERS:
        firmware().note(kind, fields)
        await firmware().settled()
    await asyncio.sleep(HOUR_S)


def fill(block: Block, n: int) -> None:
    """A past of n records, written by the firmware's journal."""
    from dovetail.journal.journal import Journal  # pyright: ignore[reportUnknownVariableType]

    journal: Any = Journal(block, b"simulate")
    for i in range(n):
        if not journal.room():
            journal.prepare()
        journal.put("alive", {"free": i}, i)
        journal.flush()


def cards_inside(whole: InProcess) -> bool:
    """By the machine's own truth: what lies at the pick roller is not in yet, the chute is out."""
    machine = whole.machine
    cards = machine.cards()
    for passenger in machine.infeed.path:
        passenger.follow()
    return any(cards[place] for place in ("wheel", "exit", "shoe")) or any(
        passenger.x > 0 for passenger in machine.infeed.path
    )


@pytest.mark.spends(3600)
@pytest.mark.proof(name="power_cuts")
@pytest.mark.parametrize("part", range(CUT_PARTS))
def test_every_operation_of_a_day(part: int, tell: Tell) -> None:
    """I-10 I-7 EL-3: every erase and every program, each torn in four ways, then a boot."""
    block = Block(SECTORS * Block.SECTOR)
    whole = InProcess(SEED, store=block)
    inside: list[bool] = []
    fill(block, 600)  # the ring has gone round twice, and the next segment is near
    block.on_operation = lambda: inside.append(cards_inside(whole))
    block.noted = []
    blank = bytes(block.cells)

    async def day() -> None:
        bench = Bench(rig_of(whole))
        try:
            await story(bench)
        finally:
            await bench.close()

    run(whole.world, beside(whole.start(), day()))
    operations, block.noted = block.noted, None
    written = {record.kind for record in power.records_of(bytes(block.cells))}
    assert written == set(KIND_NAMES)
    assert any(inside)
    assert any(one.kind == "erase" and one.before != ERASED for one in operations)
    every = list(power.instants(blank, operations, inside, TEARS, SEED))
    assert len(every) > 2 * len(operations)
    taken = every[part::CUT_PARTS]
    for instant in taken:
        after = InProcess(SEED, store=Block(len(instant.cells), instant.cells))
        rig = rig_of(after)
        run(after.world, beside(after.start(), power.check_machine(instant, rig)))
        power.check_records(instant, bytes(after.store.cells), rig.keys.audit)
    tell(f"power cuts, simulated: {len(taken)} of {len(every)} instants, a boot after each")


SEVERAL = ("none", "part", "bits", "part", "bits", "part", "bits", "part", "all")


@pytest.fixture(scope="module")
def emulated_day(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Operation], list[bool]]:
    """What the emulated board's flash saw of a day; made once for all workers."""
    images = image("production"), image()
    made_of = b"".join(path.read_bytes() for path in (*images, Path(power_emulated.__file__)))
    name = f"power_cuts-{hashlib.sha256(made_of).hexdigest()[:16]}"
    kept = tmp_path_factory.getbasetemp().parent / name
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(power_emulated.a_day(*images)))
        day: tuple[list[Operation], list[bool]] = pickle.loads(kept.read_bytes())
    return day


@pytest.mark.slow
@pytest.mark.spends(3600)
@pytest.mark.proof(name="board_power_cuts")
@pytest.mark.parametrize("part", range(PARTS))
def test_on_the_emulated_board(
    emulated_day: tuple[list[Operation], list[bool]], part: int, tell: Tell
) -> None:
    """EL-3 I-7 I-10 (emulated): its flash as it was at an instant, put back, and booted from."""
    operations, inside = emulated_day
    start = ERASED * (power_emulated.WATCHED // len(ERASED))
    every = list(power.instants(start, operations, inside, SEVERAL, SEED))
    assert len(every) >= 304
    taken = drawn("board cuts", every, INSTANTS)
    board = power_emulated.Rig(image("production"))
    for instant in taken[part::PARTS]:
        board.boot(instant)
    if part == 0:
        tell(f"power cuts, emulated: {len(taken)} of {len(every)} instants, a boot after each")

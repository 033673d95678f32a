"""The emulated board for power cuts: its flash is watched at work, and put back to boot from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from boards.shuffler_rp2040 import board as pins
from hil_tests import disturbances, power
from hil_tests.bench import Bench
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.journal.segments import KIND_NAMES
from host_tools.link import link_pb2
from sim.block import Operation
from sim.emulated.board import STORAGE_AT, EmulatedBoard
from sim.emulated.raw import RawPrompt
from sim.emulated.wiring import Board
from sim.hands import Hands
from sim.loop import run
from sim.machine import Machine

WATCHED = 16 * 4096  # of it: more than is written here
SEED = 5
STILL_S = 0.25

# On the board, with nothing but the journal: every kind once, made up from the table
EVERY_KIND = """
import board
from dovetail.hal.rp2 import Hal
from dovetail.journal.journal import Journal
from dovetail.journal.kinds import KINDS
import mechanics
hal = Hal(board, mechanics)
j = Journal(hal.store, hal.unique_id)
j.prepare()
for n, name, form, names, _ in KINDS:
    fields = {field: 1 for field in names}
    if name == "started": fields["image"] = b"0123456789ab"
    if name == "remainder": fields["found"] = 0
    if name == "locked_out": fields["back"], fields["round"] = 2, 0
    if name == "cleared": continue
    if name == "removed": fields["back"] = 1
    j.put(name, fields, 1000 * n)
    j.flush()
j.put("cleared", {"fault": 1}, 90000)
j.put("shuffle_begun", {"back": 1, "deck": 1, "service": 0}, 90000)
j.put("opened", {"round": 77, "players": 2, "positions": 3, "back": 1, "owes": 0, "pair": 0}, 90000)
j.flush()
"""


class Rig:
    """A board with a machine at its pins."""

    def __init__(self, image: Path) -> None:
        self.board = EmulatedBoard(image, cast(Board, pins), SEED)
        self.machine = Machine(self.board, SEED)
        self.board.wire(self.machine)
        self.hands = SimulatedHands(Hands(self.machine, ("red", "blue")), SEED)

    def rig(self) -> rigs.Rig:
        """For a controller."""
        return rigs.Rig(
            "emulated", self.board.line, self.hands, self.hands, self.machine, self.board.now_ns
        )

    def cells(self) -> bytes:
        """The journal's flash."""
        return bytes(self.board.chip.flash()[STORAGE_AT : STORAGE_AT + WATCHED])

    def put(self, cells: bytes) -> None:
        """With the power off."""
        self.board.chip.flash()[STORAGE_AT : STORAGE_AT + WATCHED] = cells

    def watch(self, operations: list[Operation], before: Callable[[], None]) -> None:
        """Note every change of the flash, by the chip-select line of its bus."""
        seen = self.cells()

        def selected(_new: object, _old: object) -> None:
            nonlocal seen
            now = self.cells()
            if now == seen:
                return
            first = next(i for i in range(WATCHED) if now[i] != seen[i])
            last = next(i for i in range(WATCHED - 1, -1, -1) if now[i] != seen[i])
            before()
            kind = "erase" if any(a & ~b for a, b in zip(now, seen, strict=True)) else "program"
            operations.append(Operation(kind, first, seen[first : last + 1], now[first : last + 1]))
            seen = now

        self.board.chip.mcu.qspi[1].add_listener(selected)

    def boot(self, instant: power.Instant) -> None:
        """The power comes back after this instant; what must hold is checked."""
        self.board.power_off()
        self.put(instant.cells)
        self.board.power_on()
        rig = self.rig()
        run(self.board, power.check_machine(instant, rig, STILL_S))
        power.check_records(instant, self.cells(), rig.keys.audit)


def a_day(production: Path, bench_image: Path) -> tuple[list[Operation], list[bool]]:
    """A shuffle, a round that an open lid ends, all other kinds of records: what flash saw."""
    operations: list[Operation] = []
    inside: list[bool] = []
    first = Rig(production)
    first.watch(operations, lambda: inside.append(bool(first.machine.cards()["wheel"])))

    async def play() -> None:
        bench = Bench(first.rig())
        try:
            await bench.prepare()
            await bench.client.request("set_clock", link_pb2.SetClock(time=1_800_000_000))
            await disturbances.the_lid_is_opened_while_dealing(bench)
        finally:
            await bench.close()

    first.board.power_on()
    run(first.board, play())
    second = Rig(bench_image)
    second.put(first.cells())
    second.watch(operations, lambda: inside.append(False))
    second.board.power_on()
    RawPrompt(second.board).run(EVERY_KIND)
    assert {record.kind for record in power.records_of(second.cells())} == set(KIND_NAMES)
    return operations, inside

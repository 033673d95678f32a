"""A machine on a flash that is watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

from hil_tests import power
from hil_tests.bench import Bench
from host_tools.hands import SimulatedHands
from host_tools.journal import meters
from host_tools.journal.segments import Journal, find
from host_tools.rigs import Rig, beside
from sim.block import Block
from sim.inprocess import InProcess
from sim.loop import run

SEED = 6
SECTORS = 2 + 16


class Table:
    """A machine on a flash that is watched."""

    def __init__(self, cells: bytes | None = None) -> None:
        self.block = Block(SECTORS * Block.SECTOR, cells)
        self.whole = InProcess(SEED, store=self.block)
        hands = SimulatedHands(self.whole.hands, SEED)
        machine, world = self.whole.machine, self.whole.world
        self.rig = Rig("", self.whole.transport, hands, hands, machine, world.now_ns)

    def run(self, story: Callable[[Bench], Awaitable[None]]) -> None:
        """A controller at it, from power-on to the end of the story."""

        async def body() -> None:
            bench = Bench(self.rig)
            try:
                await story(bench)
            finally:
                await bench.close()

        run(self.whole.world, beside(self.whole.start(), body()))

    def written(self) -> Counter[str]:
        """How many records of each kind are on flash."""
        return Counter(record.kind for record in power.records_of(bytes(self.block.cells)))


def counted(table: Table) -> dict[str, int]:
    """The meters as they are on flash."""
    return meters.after(Journal.of(find(bytes(table.block.cells))))

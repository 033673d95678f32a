"""The in-process depth: the firmware on CPython, its `hal` on the simulated machine."""

from __future__ import annotations

from dovetail.start import serve  # pyright: ignore[reportUnknownVariableType]: device code

from boards.shuffler_rp2040 import board
from sim import factory
from sim.faults import Faults
from sim.hal import UNIQUE_ID, Hal, Store
from sim.hands import Hands
from sim.line import Line
from sim.loop import HeapWorld
from sim.machine import Machine

IMAGE = {"board": "shuffler_rp2040", "variant": "in-process", "image": "source"}


class InProcess:
    """Firmware, machine, hands and line in one world."""

    def __init__(
        self,
        seed: int = 0,
        faults: Faults | None = None,
        backs: tuple[str, ...] = ("red", "blue"),
        cards: int = 52,
        store: Store | None = None,
        calibrated: bool = True,
    ) -> None:
        self.world = HeapWorld()
        self.machine = Machine(self.world, seed, faults)
        self.hands = Hands(self.machine, backs, cards)
        self.store = store or Store(board.JOURNAL_BYTES)
        if calibrated:
            factory.calibrate(self.store.cells, UNIQUE_ID, seed)
        self._seed, self._starts = seed, 0
        self._own = {name: list(one.listeners) for name, one in self.machine.inputs.items()}
        self.on()

    def on(self) -> None:
        """Put another processor at this machine, with its flash; `start` lets it run."""
        self.hal = Hal(self.machine, self.world, self.store, self._seed + (self._starts << 32))
        self.transport = Line(self.world, self.hal.uart)
        self._starts += 1

    def off(self) -> None:
        """Take the power away, once `start` was cancelled: nothing moves, the cards stay.

        Who listened to the machine's inputs hears nothing more of them.
        """
        for axis in self.machine.axes.values():
            if axis.profile is not None:
                axis.halt()
        self.machine.enable(False)
        for name, one in self.machine.inputs.items():
            one.listeners[:] = self._own[name]

    async def start(self) -> None:
        """Run the firmware, for ever."""
        await serve(self.hal, IMAGE)

"""A simulated machine whose power goes and comes back, with its cards where they lie."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

from dovetail.start import serve  # pyright: ignore[reportUnknownVariableType]: device code

from host_tools.hands import SimulatedHands
from host_tools.link.keys import of_seed
from host_tools.rigs import Rig, Setup, Wanted, configured
from sim.emulated.noise import stuck
from sim.faults import Faults
from sim.hal import Hal
from sim.inprocess import IMAGE, InProcess
from sim.line import Line


class Powered:
    """Firmware, machine, hands and a line; the firmware can be switched off and on."""

    def __init__(self, setup: Setup, seed: int) -> None:
        store = configured(Wanted(seed, setup=setup))
        self.whole = InProcess(seed, Faults({}, seed), cards=setup.cards, store=store)
        self.machine, self.hands, self.world = (
            self.whole.machine,
            self.whole.hands,
            self.whole.world,
        )
        hands = SimulatedHands(self.hands, seed)
        self.rig = Rig(
            "in-process", self.whole.transport, hands, hands, self.machine, self.world.now_ns
        )
        self.rig.keys, self.rig.setup = of_seed(seed), setup
        self._hal, self.seed, self._boots = self.whole.hal, seed, 0
        self._firmware: asyncio.Task[Any] | None = None

    def spoil(self) -> None:
        """Let the noise part fail."""
        self._hal.noise.use(stuck(1))

    def on(self) -> None:
        """Let the firmware run."""
        self._firmware = asyncio.create_task(serve(self._hal, IMAGE))

    async def off(self) -> None:
        """Cut the power: nothing moves any more, and what the firmware knew is gone."""
        assert self._firmware is not None
        self._firmware.cancel()
        with warnings.catch_warnings():  # a move that waited for its gate was never begun
            warnings.simplefilter("ignore", RuntimeWarning)
            await asyncio.gather(self._firmware, return_exceptions=True)
        for axis in self.machine.axes.values():
            if axis.profile is not None:
                axis.halt()
        self.machine.enable(False)
        for one in self.machine.inputs.values():
            one.listeners[:] = [hear for hear in one.listeners if not _of(hear, self._hal)]
        self._boots += 1
        noise = self.seed + (self._boots << 32)
        self._hal = Hal(self.machine, self.world, self.whole.store, noise)
        self.rig.transport = Line(self.world, self._hal.uart)

    def broken(self) -> BaseException | None:
        """Return why the firmware has ended, if it has."""
        firmware = self._firmware
        return firmware.exception() if firmware is not None and firmware.done() else None


def _of(hear: object, hal: Hal) -> bool:
    """Return whether a listener belongs to the board that is off now."""
    owner = getattr(hear, "__self__", None)
    return hasattr(owner, "late") or hal in _held(hear)


def _held(hear: object) -> list[object]:
    return [cell.cell_contents for cell in getattr(hear, "__closure__", None) or ()]

"""A simulated machine whose power goes and comes back, with its cards where they lie."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

from host_tools.hands import SimulatedHands
from host_tools.link.keys import of_seed
from host_tools.rigs import Rig, Setup, Wanted, configured
from sim.emulated.noise import stuck
from sim.faults import Faults
from sim.inprocess import InProcess


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
        self.rig.keys, self.rig.setup, self.seed = of_seed(seed), setup, seed
        self._firmware: asyncio.Task[Any] | None = None

    def spoil(self) -> None:
        """Let the noise part fail."""
        self.whole.hal.noise.use(stuck(1))

    def on(self) -> None:
        """Let the firmware run."""
        self._firmware = asyncio.create_task(self.whole.start())

    async def off(self) -> None:
        """Cut the power: nothing moves any more, and what the firmware knew is gone."""
        assert self._firmware is not None
        self._firmware.cancel()
        with warnings.catch_warnings():  # a move that waited for its gate was never begun
            warnings.simplefilter("ignore", RuntimeWarning)
            await asyncio.gather(self._firmware, return_exceptions=True)
        self.whole.off()
        self.whole.on()
        self.rig.transport = self.whole.transport

    def broken(self) -> BaseException | None:
        """Return why the firmware has ended, if it has."""
        firmware = self._firmware
        return firmware.exception() if firmware is not None and firmware.done() else None

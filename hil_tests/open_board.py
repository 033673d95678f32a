"""An image on its emulated board, with memory, noise and line laid open to a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from boards.shuffler_rp2040 import board as pins
from hil_tests.bench import CARDS, Bench
from host_tools.hands import SimulatedHands
from host_tools.rigs import Rig
from sim import hands as machine_hands
from sim.emulated import noise
from sim.emulated.board import EmulatedBoard
from sim.emulated.noise import Noise
from sim.emulated.wiring import Board
from sim.loop import run
from sim.machine import Machine
from sim.tests.images import image


class OpenBoard:
    """`samples`: all noise that the chip has read; `said`: all that it has sent."""

    def __init__(
        self, seed: int = 1, source: Noise | None = None, variant: str = "production"
    ) -> None:
        self.chip = EmulatedBoard(image(variant), cast(Board, pins), seed)
        self.machine = Machine(self.chip, seed)
        self.chip.wire(self.machine)
        self.samples: list[int] = []
        self.source = source or noise.good(seed)
        self.chip.noise(self._sample)
        self.said = bytearray()
        hands = machine_hands.Hands(self.machine, ("red", "blue"), CARDS)
        dealer = SimulatedHands(hands, seed)
        self.rig = Rig("emulated", self, dealer, dealer, self.machine, self.chip.now_ns)
        self.rig.spoil = self.spoil
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.chip.line.on_bytes = self._heard

    def play(
        self, story: Callable[[Bench], Awaitable[None]], begin: Callable[[], None] | None = None
    ) -> None:
        """Power on, or begin in another way, and live through this; the story says hello."""
        (begin or self.chip.power_on)()
        run(self.chip, self._play(story))

    async def _play(self, story: Callable[[Bench], Awaitable[None]]) -> None:
        bench = Bench(self.rig)
        try:
            await story(bench)
            bench.watch.check()
        finally:
            await bench.close()

    def ram(self) -> bytes:
        """All of it, as it is now."""
        return bytes(self.chip.chip.ram())

    def flash(self) -> bytes:
        """All of it, as it is now."""
        return self.chip.chip.snapshot()

    # -- noise and line --------------------------------------------------------------------

    def spoil(self, source: Noise) -> None:
        """What the ring oscillator gives from now on."""
        self.source = source

    def _sample(self) -> int:
        bit = self.source()
        self.samples.append(bit)
        return bit

    def write(self, data: bytes) -> None:
        """Bytes to the machine."""
        self.chip.line.write(data)

    def set_baud(self, baud: int) -> None:
        """Another rate, from the next byte on."""
        self.chip.line.set_baud(baud)

    def close(self) -> None:
        """Nothing more is heard."""
        self.chip.line.close()

    def _heard(self, data: bytes) -> None:
        self.said += data
        self.on_bytes(data)

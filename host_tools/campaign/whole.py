"""The machine that a campaign troubles: the firmware in this process, or its image on the board."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, cast

from boards.shuffler_rp2040 import board
from host_tools.build.tell import UsageError
from host_tools.link.transport import Transport
from host_tools.rigs import image_path
from sim import factory
from sim.block import Block
from sim.emulated.board import STORAGE_AT, UNIQUE_ID, EmulatedBoard
from sim.emulated.uf2 import ImageError
from sim.emulated.wiring import Board
from sim.hands import Hands
from sim.inprocess import InProcess
from sim.loop import RunningWorld
from sim.machine import Machine

STORE_BYTES = 256 * 1024  # that a campaign looks at
BACKS = ("red", "blue")


class Whole(Protocol):
    """Firmware, machine, hands and line in one world."""

    depth: str
    machine: Machine
    hands: Hands

    @property
    def world(self) -> RunningWorld:
        """Its time."""
        ...

    @property
    def transport(self) -> Transport:
        """Its line."""
        ...

    async def start(self) -> None:
        """Power on; it ends only if the firmware does."""
        ...

    def cells(self) -> bytes:
        """What lies on its flash."""
        ...

    def spoil(self, noise: Callable[[], int]) -> None:
        """Give it another source of noise."""
        ...


class Quick(InProcess):
    """In this process."""

    depth = "in-process"

    def __init__(self, seed: int) -> None:
        super().__init__(seed, store=Block(STORE_BYTES))

    def cells(self) -> bytes:
        """What lies on its flash."""
        return bytes(self.store.cells)

    def spoil(self, noise: Callable[[], int]) -> None:
        """Give it another source of noise."""
        self.hal.noise.use(noise)


class Flashed:
    """The image that is flashed, on the emulated board."""

    depth = "emulated"

    def __init__(self, seed: int) -> None:
        try:
            chip = EmulatedBoard(image_path("production"), cast(Board, board), seed)
        except ImageError as error:
            raise UsageError(str(error)) from error
        self.world = self._chip = chip
        self.machine = Machine(chip, seed)
        chip.wire(self.machine)
        self.hands = Hands(self.machine, BACKS)
        self.transport = chip.line
        flash = chip.chip.flash()
        factory.calibrate(flash[STORAGE_AT : STORAGE_AT + STORE_BYTES], UNIQUE_ID, seed)

    async def start(self) -> None:
        """Power on."""
        self._chip.power_on()
        await asyncio.get_running_loop().create_future()

    def cells(self) -> bytes:
        """What lies on its flash."""
        return bytes(self._chip.chip.flash()[STORAGE_AT : STORAGE_AT + STORE_BYTES])

    def spoil(self, noise: Callable[[], int]) -> None:
        """Give it another source of noise."""
        self._chip.noise(noise)


DEPTHS: dict[str, Callable[[int], Whole]] = {"in-process": Quick, "emulated": Flashed}

"""The emulated board: chip, metronome, serial line, prompt and noise, and the machine's wires."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sim import factory
from sim.emulated import noise, uf2
from sim.emulated.chip import Alarm, Chip
from sim.emulated.metronome import Metronome
from sim.emulated.prompt import Prompt
from sim.emulated.serial_line import SerialLine
from sim.emulated.wiring import Board, Machine, Wiring

UNIQUE_ID = b"\xff" * 8  # the emulated flash has no number of its own
STORAGE_AT = 0x100000  # where its storage area begins; from hal/rp2_store.py: PROGRAM


class EmulatedBoard:
    """A world for VirtualLoop: time passes as the chip executes its image.

    seed: also of the machine that is plugged in; the board is calibrated for it.
    """

    def __init__(self, image: Path, board: Board, seed: int = 0) -> None:
        if board.CHIP != "rp2040":
            raise uf2.ImageError(f"{board.NAME}: only the rp2040 can be emulated")
        self.board = board
        self.image = uf2.read(image, board.CHIP)
        self.chip = Chip(self.image, board.FLASH_BYTES, seed)
        self.metronome = Metronome(self.chip.mcu)
        self.line = SerialLine(self.chip, self.chip.mcu.uart[0], board.UART_BAUD)
        self.prompt = Prompt(self.chip)
        self.noise(noise.good(seed))
        factory.calibrate(self.chip.flash()[STORAGE_AT:], UNIQUE_ID, seed)

    def wire(self, machine: Machine) -> None:
        """Plug a machine in; before power_on()."""
        wiring = Wiring(self.chip.mcu, self.board, machine)
        self.chip.on_reset.append(wiring.let_go)

    def noise(self, source: Callable[[], int]) -> None:
        """What the ring oscillator gives from now on."""
        self.chip.mcu.rosc.random_bit = source

    def power_on(self) -> None:
        """Boot the image, or what restore() has put into flash."""
        self.chip.power_on()

    def power_off(self) -> None:
        """Cut the power."""
        self.chip.power_off()

    def install(self, image: uf2.Image) -> None:
        """Put another image into flash and boot it, as the bootloader's drive does."""
        self.image = image
        self.chip.write(image)
        self.chip.reset()

    # -- a world -------------------------------------------------------------------------------

    def now_ns(self) -> int:
        """The present, since the board was made."""
        return self.chip.now_ns()

    def at(self, ns: int, fn: Callable[[], None]) -> Alarm:
        """Call fn at that time, or next if it is past."""
        return self.chip.at(ns, fn)

    def advance(self, limit_ns: int | None) -> bool:
        """Run to the limit, or until stop(). False: nothing is left that could happen."""
        return self.chip.advance(limit_ns)

    def stop(self) -> None:
        """Make advance() return after the present instruction."""
        self.chip.stop()

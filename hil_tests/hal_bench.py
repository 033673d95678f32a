"""Test gear at the pins of an emulated board whose bench image runs nothing but the HAL."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import pairwise
from typing import cast

from boards import mechanics
from boards.shuffler_rp2040 import board as pins
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import END, READY, RawPrompt
from sim.emulated.wiring import SENSORS, SWITCHES, Board
from sim.faults import Faults
from sim.tests.images import image

AXES = tuple(mechanics.AXES)
SECOND_NS = 1_000_000_000
TICKS_US = 16_000  # of the emulator's clock

SETUP = """
import asyncio, gc, machine, micropython, time, board, mechanics
from dovetail.hal.rp2 import Hal
from dovetail.motion.ramp import ramp
hal = Hal(board, mechanics)
tables = {limits: ramp(*limits) for limits in set(mechanics.AXES.values())}
axes = {name: hal.stepper(name, *tables[limits]) for name, limits in mechanics.AXES.items()}
def rest():
    while any(a.busy() for a in axes.values()): time.sleep_ms(1)
"""


class Axis:
    """Notes when its driver sees a step, and calls somebody at chosen steps."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self.at: list[int] = []
        self.reverse: list[bool] = []
        self.calls: dict[int, Callable[[], None]] = {}

    def pulse(self, reverse: bool) -> None:
        """One step."""
        self.at.append(self._now())
        self.reverse.append(reverse)
        call = self.calls.get(len(self.at))
        if call is not None:
            call()

    def clear(self) -> None:
        """Forget the steps."""
        self.at.clear()
        self.reverse.clear()
        self.calls.clear()

    def periods_us(self) -> list[float]:
        """Between a step and the next."""
        return [(b - a) / TICKS_US for a, b in pairwise(self.at)]


class Input:
    """A beam or a switch."""

    def __init__(self) -> None:
        self.dark = False
        self.listeners: list[Callable[[bool], None]] = []

    def turn(self) -> None:
        """Dark becomes light, light dark."""
        self.dark = not self.dark
        for listener in self.listeners:
            listener(self.dark)


class Bench:
    """A board with nothing but test gear at its pins, and its prompt."""

    def __init__(self) -> None:
        self.board = EmulatedBoard(image(), cast(Board, pins), seed=2)
        clock = self.board.chip.mcu.clock
        self.axes = {name: Axis(lambda: clock.ticks) for name in AXES}
        self.inputs = {name: Input() for name in SENSORS + SWITCHES}
        self.levels: dict[str, int] = {}
        self.faults = Faults()
        self.lamps: dict[str, bool] = {}
        self.enabled: bool | None = None
        self.board.wire(self)
        self.board.power_on()
        self.prompt = Fresh(self.board)
        self.run = self.prompt.run

    def enable(self, on: bool) -> None:
        """Current in the motors."""
        self.enabled = on

    def lamp(self, name: str, on: bool) -> None:
        """A lamp or the buzzer."""
        self.lamps[name] = on

    def level(self, channel: str) -> int:
        """What was set for this channel."""
        return self.levels.get(channel, 0)  # the image's own machine asks for more

    def ask(self, source: str) -> list[int]:
        """Run source that ends by printing a list."""
        found: list[int] = ast.literal_eval(self.run(source).splitlines()[-1])
        return found


class Fresh(RawPrompt):
    """The prompt of an interpreter that was started anew and does not run main.py."""

    def __init__(self, board: EmulatedBoard) -> None:
        super().__init__(board)
        self.fresh()

    def fresh(self) -> None:
        """A soft reset."""
        self._came.clear()
        self._board.prompt.write(END)
        self._until(READY, 5 * SECOND_NS)
        self.run(SETUP)

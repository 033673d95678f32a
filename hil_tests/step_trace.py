"""The step pins of an emulated board: every pulse, and whether each move came as planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

from dovetail.motion.ramp import (
    ramp,  # pyright: ignore[reportUnknownVariableType]: device code
)
from dovetail.stations import wheel  # pyright: ignore[reportMissingTypeStubs]
from rp2040py.gpio_pin import GPIOPinState

from boards import mechanics
from boards.shuffler_rp2040 import board as pins
from sim.emulated.board import EmulatedBoard

TICKS_US = 16_000  # of the emulator's clock
LATE = 0.01  # of a period


# periods from rest; two moves of an axis lie further apart than any two steps of one
RAMPS = {
    name: list(cast(Sequence[int], ramp(*limits)[0])) for name, limits in mechanics.AXES.items()
}


class Trace:
    """When each pulse of each axis fell, in ticks of the emulator's clock."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board
        self.at: dict[str, list[int]] = {name: [] for name in mechanics.AXES}
        for name in mechanics.AXES:
            pin = board.chip.mcu.gpio[pins.PINS[f"step_{name}"]]
            pin.add_listener(self._listener(self.at[name]))

    def _listener(self, at: list[int]) -> Callable[[GPIOPinState, GPIOPinState], None]:
        clock = self.board.chip.mcu.clock

        def edge(state: GPIOPinState, _: GPIOPinState) -> None:
            if state is GPIOPinState.HIGH:
                at.append(clock.ticks)

        return edge

    def clear(self) -> None:
        """Forget all."""
        for at in self.at.values():
            at.clear()

    def moves(self, name: str) -> list[list[float]]:
        """The periods of every move, in microseconds."""
        apart_us = 1.5 * RAMPS[name][0]
        moves: list[list[float]] = [[]] if self.at[name] else []
        for a, b in pairwise(self.at[name]):
            us = (b - a) / TICKS_US
            if us > apart_us:
                moves.append([])
            else:
                moves[-1].append(us)
        return moves

    def late(self) -> tuple[int, int]:
        """Moves in which a step was late, early or missing; and how many moves there were."""
        late = total = 0
        for name, up in RAMPS.items():
            for periods in self.moves(name):
                total += 1
                late += not any(_as_planned(periods, plan) for plan in _plans(name, up, periods))
        return late, total

    def last_ns(self, name: str) -> int:
        """When the last pulse of an axis fell; 0 if there was none."""
        return self.at[name][-1] // 16 if self.at[name] else 0


def _plans(name: str, up: list[int], periods: list[float]) -> list[list[int]]:
    """What a move of so many steps may look like: at full speed, or as slow as homing is."""
    steps = len(periods) + 1
    slow = (wheel.FAST_US, wheel.SLOW_US) if name == "wheel" else ()
    plans: list[list[int]] = []
    for period in (up[-1], *slow):
        m = min(sum(us >= period for us in up), steps // 2)
        cruise = max(period, up[m - 1]) if m else up[0]
        plans.append([*up[:m], *[cruise] * (steps - 2 * m), *reversed(up[:m])][: steps - 1])
    return plans


def _as_planned(periods: list[float], plan: list[int]) -> bool:
    return all(abs(a - b) <= b * LATE for a, b in zip(periods, plan, strict=True))

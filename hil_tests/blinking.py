"""Red and amber in turn, as in service; a steady red is a stop."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from sim.machine import Machine

TURN_MS = 1000  # a lamp is lit for half a second, and looked after four times a second
LAMPS = ("red", "amber")


class Blinking:
    """Notes when a lamp of this machine has changed, from now on."""

    def __init__(self, machine: Machine, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self.changed_ns = now_ns()
        light = machine.lamp

        def lamp(name: str, on: bool) -> None:
            if name in LAMPS and machine.lamps[name] != on:
                self.changed_ns = now_ns()
            light(name, on)

        machine.lamp = lamp

    def goes_on(self) -> bool:
        """Whether one has changed a moment ago."""
        return self._now_ns() - self.changed_ns <= TURN_MS * 1_000_000


_watched: WeakKeyDictionary[Machine, Blinking] = WeakKeyDictionary()


def of(machine: Machine, now_ns: Callable[[], int]) -> Blinking:
    """The one of this machine."""
    if machine not in _watched:
        _watched[machine] = Blinking(machine, now_ns)
    return _watched[machine]

# An axis: plans a move within its limits, starts it, waits for its end.

from micropython import const
from dovetail import clock
from dovetail.faults import HELD, MOVE_LATE, Fault
from dovetail.motion.ramp import ramp

_MARGIN_MS = const(20)

_ramps = {}  # one pair of tables for axes with the same limits


class Axis:
    def __init__(self, hal, name):
        self.limits = limits = hal.mechanics.AXES[name]
        if limits not in _ramps:
            _ramps[limits] = ramp(*limits)
        self.up, down = _ramps[limits]
        self.stepper = hal.stepper(name, self.up, down)
        self._rise_us = sum(self.up)
        self.limit_ms = 0
        self.held = False  # after a stop nothing starts until the machine lets it

    def go(self, steps, reverse=0, slow_us=0):
        """Start a move of so many steps, no faster than one a slow_us."""
        if self.held:
            raise Fault(HELD)
        up = self.up
        m = len(up)
        if slow_us:
            while m and up[m - 1] < slow_us:
                m -= 1
        if m + m > steps:
            m = steps >> 1
        k = steps - m - m
        period = slow_us if slow_us else up[m - 1] if m else up[0]
        # the dead-man's limit: the time of the move, and a little
        self.limit_ms = (2 * self._rise_us + k * period) // 1000 + _MARGIN_MS
        self.stepper.flag.clear()
        self.stepper.run(reverse, m, k, period)

    async def finish(self):
        """Until the move has ended; a move that does not end in time is stopped."""
        # the loop may have been late itself: what the hardware says counts
        if not await clock.wait(self.stepper.flag, self.limit_ms) and self.stepper.busy():
            self.stepper.halt()
            raise Fault(MOVE_LATE)

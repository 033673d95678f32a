# An axis: plans a move within its limits, starts it, waits for its end.

import micropython
from micropython import const
from dovetail import clock
from dovetail.faults import HELD, MOVE_LATE, Fault
from dovetail.motion.ramp import ramp

_MARGIN_MS = const(20)
_LOOK_MS = const(10)  # so soon a waiting lane sees that it was stopped
_KNOWN = const(40)  # times that an axis keeps; most moves are of a few lengths

_ramps = {}  # one pair of tables for axes with the same limits


class Limit(ValueError):
    """A move that the axis must not make; names the limit and the number."""


class Axis:
    def __init__(self, hal, name):
        self.name = name
        self.limits = limits = hal.mechanics.AXES[name]
        self.reach = hal.mechanics.REACH[name]
        if limits not in _ramps:
            _ramps[limits] = ramp(limits[0], limits[1], hal.collect)
        self.up, down = _ramps[limits]
        self.stepper = hal.stepper(name, self.up, down)
        self.span_us = 0  # of the move that was planned last
        self._since_us = 0
        self.held = False  # after a stop nothing starts until the machine lets it
        self._rises = {}  # time of the first m steps from rest

    @micropython.native
    def rise_us(self, m):
        """The time that the first m steps from rest take."""
        us = self._rises.get(m)
        if us is None:
            us = sum(memoryview(self.up)[:m])
            if len(self._rises) < _KNOWN:
                self._rises[m] = us
        return us

    def expect(self, steps):
        """Moves of this length will come: what they need is computed now."""
        self.rise_us(min(len(self.up), steps >> 1))

    def go(self, steps, reverse=0, slow_us=0):
        """Start a move of so many steps, no faster than one a slow_us. Refused beyond a limit of the axis."""
        m, k, period = self._plan(steps, slow_us)
        self.stepper.flag.clear()
        self._since_us = clock.ticks_us()
        self.stepper.run(reverse, m, k, period)

    def extend(self, steps):
        """Let a move that still speeds up go on to so many steps; False when it does not any more: then it ends."""
        m, k, period = self._plan(steps, 0)
        return self.stepper.extend(m, k, period)

    @micropython.native
    def _plan(self, steps, slow_us):
        """Steps up the ramp, steps at one speed, and its period; within the limits."""
        up = self.up
        fastest_us = up[-1]
        if not 0 < steps <= self.reach:
            raise Limit("%s: %d steps asked, 1 to %d allowed" % (self.name, steps, self.reach))
        if slow_us and slow_us < fastest_us:
            raise Limit("%s: a step in %d us asked, %d us is the limit" % (self.name, slow_us, fastest_us))
        if self.held:
            raise Fault(HELD)
        m = len(up)
        if slow_us:
            while m and up[m - 1] < slow_us:
                m -= 1
        if m + m > steps:
            m = steps >> 1
        k = steps - m - m
        period = slow_us if slow_us else up[m - 1] if m else up[0]
        self.span_us = 2 * self.rise_us(m) + k * period
        return m, k, period

    @micropython.native
    def at_us(self, steps):
        """When a move reaches this step, not yet slowing down from full speed."""
        m = len(self.up)
        return self.rise_us(steps) if steps < m else self.rise_us(m) + (steps - m) * self.up[-1]

    def late_us(self, us):
        """How long it is since so long after the start of the move."""
        return clock.ticks_diff(clock.ticks_us(), self._since_us) - us

    async def until(self, us):
        """Until so long after the start of the move, or its end."""
        left_us = -self.late_us(us)
        if left_us > 0 and self.stepper.busy():
            await clock.soon(self.stepper.flag, (left_us + 999) // 1000, _LOOK_MS)

    async def met(self, flag):
        """Whether this is set before the move has ended, also by a stop; clears it."""
        while self.stepper.busy() and not flag.state:
            self.in_time()
            if await clock.soon(flag, _LOOK_MS):
                return True
        seen = flag.state
        flag.clear()
        return bool(seen)

    def in_time(self):
        """The dead-man's limit: a move that goes on behind its planned end is stopped. Who waits for it asks."""
        # the loop may have been late itself: what the hardware says counts
        if self.late_us(self.span_us) >= _MARGIN_MS * 1000 and self.stepper.busy():
            self.stepper.halt()
            raise Fault(MOVE_LATE)

    async def finish(self):
        """Until the move has ended, in time."""
        await self.until(self.span_us)
        while self.stepper.busy():
            self.in_time()
            await clock.soon(self.stepper.flag, _MARGIN_MS)

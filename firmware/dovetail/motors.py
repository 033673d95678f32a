# The motors together: what lets them go, what stops them, and for how long they may be under current.

import micropython
from micropython import const
from dovetail import clock
from dovetail.stations.wheel import UNKNOWN

_WHEEL_MS = const(120)   # from full speed to rest by its own ramp
_HOLD_MS = const(60000)  # the drivers are on at most so long after the last work


class Motors:
    def __init__(self, hal, rollers, wheel, uptime_ms):
        self.hal, self.rollers, self.wheel, self.uptime_ms = hal, rollers, wheel, uptime_ms
        self.driven = False  # current in them
        self.held_by = 0     # the interlock, or the supply, that stopped what service or a clearing moved
        self._worked_ms = 0  # when something was last at work with it

    def still(self, number=0):
        """The safe state of all motion: rollers at once, the wheel by its own ramp. Its place is no longer known."""
        self.held_by = self.held_by or number
        for axis in self.rollers:
            axis.held = True
            axis.stepper.halt()
        self.wheel.axis.held = True
        self.wheel.axis.stepper.brake()
        self.wheel.slot = UNKNOWN

    def release(self):
        """Moves may start again: the drivers are on, the wheel's place is to be found."""
        for axis in self.rollers:
            axis.held = False
        self.wheel.axis.held = False
        self.driven = True
        self.held_by = 0
        self.hal.enable(True)

    def let_go(self, busy):
        """The dead-man's limit of the drivers, also while a hand is waited for. A wheel without current is anywhere."""
        if not self.driven or busy or self.moving():
            self._worked_ms = self.uptime_ms()
        elif self.uptime_ms() - self._worked_ms > _HOLD_MS:
            self.power_down()

    def power_down(self):
        """No current in any motor."""
        self.hal.enable(False)
        self.driven = False
        self.wheel.slot = UNKNOWN

    @micropython.native
    def moving(self):
        return self.wheel.axis.stepper.busy() or self.rolling()

    @micropython.native
    def rolling(self):
        """Whether anything moves that carries a card past a sensor."""
        for axis in self.rollers:  # noqa: SIM110 any() of a generator is garbage
            if axis.stepper.busy():
                return True
        return False

    async def run_out(self):
        """After a stop: the wheel comes to rest by its own ramp, then the drivers go off."""
        await clock.sleep_ms(_WHEEL_MS)
        self.wheel.axis.stepper.halt()
        self.power_down()

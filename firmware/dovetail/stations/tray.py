# The tray: where a stack lies until it is taken.

from micropython import const
from dovetail import clock
from dovetail.calibration import TRAY
from dovetail.faults import TRAY_BLIND, TRAY_FULL, Fault

_POLL_MS = const(20)
_EMPTY = const(3)     # so many readings in a row, before a stack counts as taken
_LOOK_MS = const(5)
_FALL_MS = const(100)  # a card that has passed the deal beam lies in the tray after 60 ms


class Tray:
    def __init__(self, hal, sensors):
        self.hal = hal
        self.sensors = sensors
        self._first_ms = 0   # when the first card of a release left the deal beam
        self._sent = False

    def holds(self):
        return self.hal.level("tray") > self.hal.mechanics.PRESENT

    def empty(self):
        """Before cards are sent there."""
        if self.holds():
            raise Fault(TRAY_FULL)
        self.sensors.empty((TRAY,))
        self._sent = False

    def sent(self, at_ms):
        """A card has left the deal beam then, and others follow."""
        if not self._sent:
            self._sent, self._first_ms = True, at_ms
        self.look()

    def look(self):
        """Between two cards: from when the first must lie there it is seen each time, for a sensor may die later."""
        if not self._sent or clock.ticks_diff(clock.ticks_ms(), self._first_ms) < _FALL_MS:
            return
        if not (self.holds() or self.holds() or self.holds()):  # one reading may be wrong
            raise Fault(TRAY_BLIND)

    async def arrived(self, since_ms):
        """After cards were sent there: the sensor sees them. since_ms: the last one left the deal beam."""
        while True:
            level = self.hal.level("tray")
            if level > self.hal.mechanics.PRESENT:
                break
            if clock.ticks_diff(clock.ticks_ms(), since_ms) >= _FALL_MS:
                raise Fault(TRAY_BLIND)
            await clock.sleep_ms(_LOOK_MS)
        self.sensors.card(TRAY, level)

    async def taken(self):
        """Until the tray is empty."""
        seen = 0
        while seen < _EMPTY:
            seen = 0 if self.holds() else seen + 1
            await clock.sleep_ms(_POLL_MS)

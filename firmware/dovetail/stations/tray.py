# The tray: where a stack lies until it is taken.

from micropython import const
from dovetail import clock
from dovetail.faults import TRAY_BLIND, TRAY_FULL, Fault

_POLL_MS = const(20)
_EMPTY = const(3)     # so many readings in a row, before a stack counts as taken
_FALL_MS = const(10)
_FALLS = const(15)    # a card that has passed the deal beam lies in the tray after 60 ms


class Tray:
    def __init__(self, hal):
        self.hal = hal

    def holds(self):
        return self.hal.level("tray") > self.hal.mechanics.PRESENT

    def empty(self):
        """Before cards are sent there."""
        if self.holds():
            raise Fault(TRAY_FULL)

    async def arrived(self):
        """After cards were sent there: the sensor sees them."""
        for _ in range(_FALLS):
            if self.holds():
                return
            await clock.sleep_ms(_FALL_MS)
        raise Fault(TRAY_BLIND)

    async def taken(self):
        """Until the tray is empty."""
        seen = 0
        while seen < _EMPTY:
            seen = 0 if self.holds() else seen + 1
            await clock.sleep_ms(_POLL_MS)

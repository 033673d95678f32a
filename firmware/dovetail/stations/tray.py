# The tray: where a stack lies until it is taken.

from dovetail import clock

_POLL_MS = 20


class Tray:
    def __init__(self, hal):
        self.hal = hal

    def holds(self):
        return self.hal.level("tray") > self.hal.mechanics.PRESENT

    async def taken(self):
        """Until the tray is empty."""
        while self.holds():
            await clock.sleep_ms(_POLL_MS)

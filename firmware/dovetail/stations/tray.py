# The tray: where a stack lies until it is taken.


class Tray:
    def __init__(self, hal):
        self.hal = hal

    def holds(self):
        return self.hal.level("tray") > self.hal.mechanics.PRESENT

# The safe state of every output, whatever led to it; and the limit of the buzzer, the one output that nobody looks at.

from micropython import const

_CALL_MS = const(500)  # so long the buzzer sounds at most, and a look of the supervisor


def safe(hal):
    """No motor, no buzzer, red alone. Lamps need no limit: lit they do no harm, and red says that nothing goes on."""
    hal.enable(False)
    hal.buzzer(False)
    hal.lamp("green", False)
    hal.lamp("amber", False)
    hal.lamp("red", True)


class Buzzer:
    def __init__(self, hal, uptime_ms):
        self.hal, self.uptime_ms = hal, uptime_ms
        self._since_ms = -1  # silent

    def call(self):
        """Somebody is wanted at the machine."""
        self._since_ms = self.uptime_ms()
        self.hal.buzzer(True)

    def tend(self):
        """The dead-man's limit: silent in time, whoever called."""
        if self._since_ms >= 0 and self.uptime_ms() - self._since_ms >= _CALL_MS:
            self._since_ms = -1
            self.hal.buzzer(False)

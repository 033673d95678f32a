# The wheel: finds its home, turns a slot to the mouth or to the ejector, and proves that it is there.

from micropython import const
from dovetail.faults import WHEEL_HOME, WHEEL_LOST, Fault
from dovetail.motion.axis import Axis

_HOMING_US = const(250)
UNKNOWN = const(-1)


class Wheel:
    def __init__(self, hal):
        self.mechanics = hal.mechanics
        self.axis = Axis(hal, "wheel")
        self.home_mark = hal.edge("home", self.axis.stepper)
        self.tick = hal.edge("tick", self.axis.stepper)
        self.slot = UNKNOWN  # at the mouth; unknown is a state

    async def home(self):
        """One slow turn past the home mark, then on to slot 0."""
        m = self.mechanics
        self.slot = UNKNOWN
        mark = self.home_mark
        mark.reset()
        turn = m.WHEEL_STEPS_REV + 2 * m.HOME_HALF_STEPS + m.SLOT_STEPS
        self.axis.go(turn, 0, _HOMING_US)
        await self.axis.finish()
        for i in range(min(mark.n, len(mark.at)) - 1):
            width = mark.at[i + 1] - mark.at[i]
            if mark.level[i] and abs(width - 2 * m.HOME_HALF_STEPS) < 20:
                break
        else:
            raise Fault(WHEEL_HOME)
        middle = (mark.at[i] + mark.at[i + 1]) >> 1
        rest = (middle - turn) % m.WHEEL_STEPS_REV
        if rest:
            self.axis.go(rest)
            await self.axis.finish()
        self.slot = 0
        self._prove()

    async def turn_to(self, slot):
        """Bring this slot to the mouth by the shorter way."""
        m = self.mechanics
        if self.slot < 0:
            raise Fault(WHEEL_LOST)
        away = (slot - self.slot) % m.SLOTS
        if away == 0:
            self._prove()
            return
        reverse = away > m.SLOTS >> 1
        if reverse:
            away = m.SLOTS - away
        self.slot = UNKNOWN
        self.tick.reset()
        self.axis.go(away * m.SLOT_STEPS, reverse)
        await self.axis.finish()
        # every slot on the way has made its tick come and go
        if self.tick.n != 2 * away:
            raise Fault(WHEEL_LOST)
        self.slot = slot
        self._prove()

    def _prove(self):
        if not self.tick.dark() or self.home_mark.dark() != (self.slot == 0):
            self.slot = UNKNOWN
            raise Fault(WHEEL_LOST)

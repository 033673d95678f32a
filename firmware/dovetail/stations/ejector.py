# The ejector: one stroke of the crank takes the card out of the slot in front of it, through the exit beam.

from micropython import const
from dovetail.faults import EXIT_BLOCKED, EXIT_JAM, ROD_LOST, SLOT_EMPTY, Fault
from dovetail.motion.axis import Axis
from dovetail.stations.window import Window

_INCH = const(2)      # steps between two looks at the crank's sensor
_SLOW_US = const(500)


class Ejector:
    def __init__(self, hal):
        self.hal = hal
        m = self.mechanics = hal.mechanics
        self.axis = Axis(hal, "eject")
        self.exit = hal.edge("exit", self.axis.stepper)
        half = m.STROKE_STEPS >> 1
        self.lead = m.EXIT_BEAM_UM * half // m.PUSH_UM
        self.trail = (m.EXIT_BEAM_UM + m.CARD_LENGTH_UM) * half // m.PUSH_UM
        self.flicker = 1000 * half // m.PUSH_UM + 1
        self.windows = Window(m, 4000)
        self.half = 4000 * half // m.PUSH_UM  # the window, 4 mm of travel either way
        self.pushing = False  # a card is between its slot and the shoe, for all that is known

    async def stroke(self):
        """Push and come back; whether anything passed the exit beam."""
        if self.exit.dark():
            raise Fault(EXIT_BLOCKED)
        self.exit.reset()
        await self._turn()
        return self.exit.n > 0

    async def _turn(self):
        if not self.at_rest():
            raise Fault(ROD_LOST)
        self.axis.go(self.mechanics.STROKE_STEPS)
        await self.axis.finish()
        if not self.at_rest():
            raise Fault(ROD_LOST)

    def at_rest(self):
        """Whether the sensor of the crank sees that the rod is out of the slots."""
        return self.hal.level("crank") > self.mechanics.PRESENT

    async def home(self):
        """A stop, or the power, may have left the rod in a slot: slowly to where it rests, before the wheel turns."""
        left = self.mechanics.STROKE_STEPS
        while not self.at_rest():
            if left <= 0:
                raise Fault(ROD_LOST)
            self.axis.go(_INCH, 0, _SLOW_US)
            await self.axis.finish()
            left -= _INCH
            if self.at_rest():
                self.axis.go(self.mechanics.REST_HALF_STEPS - 1)  # from its edge to its middle
                await self.axis.finish()

    async def out_card(self):
        """One card from the slot to the shoe, proved by both its edges."""
        self.pushing = True
        seen = await self.stroke()
        beam = self.exit
        if beam.dark():
            raise Fault(EXIT_JAM)
        if not seen:
            raise Fault(SLOT_EMPTY)
        self.windows.settle(beam, self.flicker)
        at = beam.at
        if beam.n != 2 or abs(at[0] - self.lead) > self.half or abs(at[1] - self.trail) > self.half:
            raise Fault(EXIT_JAM)
        self.pushing = False

    async def stands(self):
        """Whether a card that came to the beam at its place stands there still: then a push may help."""
        return bool(self.exit.dark()) and abs(self.exit.at[0] - self.lead) <= self.half

    async def push(self):
        """Once more behind a card that stands in the beam, until it has gone."""
        beam = self.exit
        beam.reset()
        await self._turn()
        self.windows.settle(beam, self.flicker)
        if beam.n != 1 or beam.dark() or abs(beam.at[0] - self.trail) > self.half:
            raise Fault(EXIT_JAM)
        self.pushing = False

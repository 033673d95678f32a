# The ejector: one stroke of the crank takes the card out of the slot in front of it, through the exit beam.

from dovetail.faults import EXIT_BLOCKED, EXIT_JAM, SLOT_EMPTY, Fault
from dovetail.motion.axis import Axis
from dovetail.stations.window import Window


class Ejector:
    def __init__(self, hal):
        m = self.mechanics = hal.mechanics
        self.axis = Axis(hal, "eject")
        self.exit = hal.edge("exit", self.axis.stepper)
        half = m.STROKE_STEPS >> 1
        self.lead = m.EXIT_BEAM_UM * half // m.PUSH_UM
        self.trail = (m.EXIT_BEAM_UM + m.CARD_LENGTH_UM) * half // m.PUSH_UM
        self._out = False  # the rod is on its way
        self.flicker = 1000 * half // m.PUSH_UM + 1
        self.windows = Window(m, 4000)
        self.half = 4000 * half // m.PUSH_UM  # the window, 4 mm of travel either way

    async def stroke(self):
        """Push and come back; whether anything passed the exit beam."""
        if self.exit.dark():
            raise Fault(EXIT_BLOCKED)
        self.exit.reset()
        await self._turn()
        return self.exit.n > 0

    async def _turn(self):
        self._out = True
        self.axis.go(self.mechanics.STROKE_STEPS)
        await self.axis.finish()
        self._out = self.axis.stepper.steps() < self.mechanics.STROKE_STEPS  # stopped on its way

    async def withdraw(self):
        """A stop in the middle of a stroke has left the rod in a slot: to the end of it, before the wheel turns."""
        left = self.mechanics.STROKE_STEPS - self.axis.stepper.steps()
        if self._out and left > 0:
            self.axis.go(left)
            await self.axis.finish()
        self._out = False

    async def out_card(self):
        """One card from the slot to the shoe, proved by both its edges."""
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

    async def push(self):
        """Once more behind a card that stands in the beam, until it has gone."""
        beam = self.exit
        if not beam.dark() or abs(beam.at[0] - self.lead) > self.half:
            raise Fault(EXIT_JAM)
        beam.reset()
        await self._turn()
        self.windows.settle(beam, self.flicker)
        if beam.n != 1 or beam.dark() or abs(beam.at[0] - self.trail) > self.half:
            raise Fault(EXIT_JAM)

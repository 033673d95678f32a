# The feeder: takes one card from the infeed through entry beam and count station into the wheel's mouth.

from micropython import const
from dovetail import clock
from dovetail.faults import (
    BACK_UNREAD, BEAM_BLIND, DOUBLE_FEED, FACE_UP, FEED_JAM, FOREIGN_BACK, MISFEED, PATH_BLOCKED, SLIP, THICKNESS,
    WRONG_LENGTH, Fault,
)
from dovetail.motion.axis import Axis
from dovetail.stations.window import Window

_TRIES = const(3)


class Feeder:
    def __init__(self, hal):
        self.hal = hal
        m = self.mechanics = hal.mechanics
        self.pick = Axis(hal, "pick")
        self.feed = Axis(hal, "feed")
        # both rollers start together, so the feed's steps tell the card's place from the first
        self.entry = hal.edge("entry", self.feed.stepper)
        self.count = hal.edge("count", self.feed.stepper)
        self.windows = Window(m, 3000)
        self.pick_steps = self.windows.steps(m.FEED_NIP_UM + 6000)
        self.feed_steps = self.windows.steps(m.SEATED_UM + 4000)
        self.retries = 0

    def waiting(self):
        """Whether the infeed holds a card."""
        return self.hal.level("infeed") > self.mechanics.PRESENT

    async def next_card(self, back):
        """One card of this back into the wheel, proved by what the sensors saw."""
        for attempt in range(_TRIES):
            if await self._pass(back):
                self.retries += attempt
                return
        raise Fault(MISFEED)

    async def _pass(self, back):
        entry, count = self.entry, self.count
        if entry.dark() or count.dark():
            raise Fault(PATH_BLOCKED)
        entry.reset()
        count.reset()
        self.pick.go(self.pick_steps)
        self.feed.go(self.feed_steps)
        layers = colour = 0  # what nobody has measured is no card
        if await clock.wait(count.flag, self.feed.limit_ms) and count.dark():
            # the card is in the count station now, and stays for another 50 ms
            layers = self.hal.level("thickness_in")
            colour = self.hal.level("back")
            if not count.dark():
                layers = colour = 0  # too late: it was gone before the reading was taken
        await self.feed.finish()
        if not entry.n and not count.n:
            return False  # left nothing: nothing has moved, it may be tried again
        self._judge(back, layers, colour)
        return True

    def _judge(self, back, layers, colour):
        entry, count, m, windows = self.entry, self.count, self.mechanics, self.windows
        if entry.dark() or count.dark():
            raise Fault(FEED_JAM)
        if not entry.n or not count.n:
            # a card that one beam saw come and go has been at the other one too
            raise Fault(BEAM_BLIND)
        self._thickness(layers)
        if entry.n != 2 or not windows.length(count):
            raise Fault(WRONG_LENGTH)
        # as long as a card where it was counted: what is long at the entry has stood still there
        late = not windows.near(entry.at[0], m.ENTRY_BEAM_UM) or not windows.near(count.at[0], m.COUNT_BEAM_UM)
        if late or not windows.length(entry):
            raise Fault(SLIP)
        self._colour(colour, m.BACKS[back])

    def _thickness(self, layers):
        half = self.mechanics.THICKNESS_CARD // 2
        one = self.mechanics.THICKNESS_BASE + 2 * half
        if layers > one + half:
            raise Fault(DOUBLE_FEED)
        if layers < one - half:
            raise Fault(THICKNESS)

    def _colour(self, colour, back):
        m = self.mechanics
        if colour < m.BACK_NONE:
            raise Fault(BACK_UNREAD)
        if colour > m.FACE - m.BACK_HALF:
            raise Fault(FACE_UP)
        if abs(colour - back) > m.BACK_HALF:
            raise Fault(FOREIGN_BACK)

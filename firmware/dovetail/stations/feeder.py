# The feeder: brings one card after another from the infeed into the wheel, through entry beam and count station.
# A card waits staged before the wheel's mouth while its slot comes: there it is judged, lying still. The move that
# seats it brings the next one to where it was.

import micropython
from micropython import const
from dovetail import clock
from dovetail.calibration import BACK, COUNT, ENTRY, INFEED, THICKNESS_IN
from dovetail.faults import (
    BACK_UNREAD, BEAM_BLIND, DOUBLE_FEED, FACE_UP, FEED_JAM, FOREIGN_BACK, MISFEED, PATH_BLOCKED, SLIP, THICKNESS,
    WRONG_LENGTH, Fault,
)
from dovetail.motion.axis import Axis
from dovetail.stations.window import Window

_PAST_UM = const(2000)   # a card is driven so far past the place where it is seated, at full speed
_SHORT_UM = const(14000)  # a card may rest so far before its place: the pick was started late
_BACK_UM = const(15000)
_FORTH_UM = const(50000)
_CAREFUL_US = const(200)  # a step: 0.2 m/s
_NEAR_UM = const(500)    # a card that lies further forward than this waits until the wheel stands
_SHY_UM = const(1500)    # so far before the mouth ends a move that nobody has let go on
_SURE_UM = const(6000)   # a card that slides a little is seen all the same
_PROBES = const(2)       # the pick may slip on a card once
_STAND_MS = const(3)     # the motor comes to rest: two moves lie further apart than two steps of one
_SOON_US = const(1000)   # before something is due it is looked at all the time
_LATE_US = const(8000)   # later than this the pick does not start in the same move


class Feeder:
    def __init__(self, hal, sensors):
        self.hal = hal
        self.sensors = sensors
        m = self.mechanics = hal.mechanics
        self.pick = Axis(hal, "pick")
        self.feed = Axis(hal, "feed")
        self.entry = hal.edge("entry", self.pick.stepper)
        self.count = hal.edge("count", self.feed.stepper)
        w = self.windows = Window(m, 3000)
        # the pick slows down behind the nip: where both rollers hold the card they run alike
        self.pick_steps = w.steps(m.FEED_NIP_UM) + len(self.pick.up)
        self.probe_steps = w.steps(m.ENTRY_BEAM_UM + _SURE_UM)
        self.staged_steps = w.steps(m.STAGED_UM)
        self.clear_steps = w.steps(m.ENTRY_BEAM_UM + m.CARD_LENGTH_UM)
        self.seat_steps = w.steps(m.SEATED_UM + _PAST_UM)
        self.near_steps = w.steps(m.STAGED_UM + _NEAR_UM)
        self.mouth_steps = w.steps(m.WHEEL_MOUTH_UM - _SHY_UM)
        self._leant = False
        self.coming = False  # a card is staged, or on its way there
        self.staged = False   # a card lies staged, and was judged
        self.entering = False  # a card is between its place there and its slot, till it is counted as seated
        self._place = 0      # steps from the pick nip to the leading edge of the staged card
        self._moved = 0      # steps of the feed's move
        self._ahead = 0      # edges in this move that were made by the card ahead
        self._picked = False
        self._wrong = None   # what look() has found

    def waiting(self):
        """Whether the infeed holds a card."""
        return self.hal.level("infeed") > self.mechanics.PRESENT

    async def probe(self):
        """Whether the pick brings a card, whatever the sensor says: into the entry beam, where it can be taken out."""
        for _ in range(_PROBES):
            self.entry.reset()
            self.pick.go(self.pick_steps)  # as far as for any card: it may slip on one for all of that, once
            if await self.pick.met(self.entry.flag):
                self.pick.stepper.halt()
            await self.pick.finish()
            if self.came():
                self.coming = True
                break

    def came(self):
        """Whether something lies in the path."""
        return self.entry.dark() or self.count.dark()

    def fresh(self):
        """The path is empty."""
        self.coming = self._picked = self.staged = self.entering = self._leant = False
        self._wrong = None

    def begin(self):
        """Start to stage a card, nothing being ahead of it."""
        self.free()
        self.entry.reset()
        self.count.reset()
        self.coming = self._picked = True
        self._ahead = 0
        self._moved = self.staged_steps
        self.pick.go(self.pick_steps)
        self.feed.go(self._moved)

    def go_on(self):
        """Stage the card that probe() has brought into the entry beam: it stands there or a little further."""
        self.count.reset()
        self.coming = self._picked = True
        self._ahead = 0
        self._moved = self.staged_steps - self.probe_steps
        self.pick.go(self.pick_steps - self.probe_steps)
        self.feed.go(self._moved)

    def free(self):
        """Nothing lies in the path."""
        if self.came():
            raise Fault(PATH_BLOCKED)

    async def rest(self):
        """Until both rollers stand."""
        await self.feed.finish()
        await self.pick.finish()

    async def ready(self, back):
        """Until a card of this back is staged, proved by what the sensors see."""
        if self.staged:
            leant, self._leant = self._leant, False
            await self._stood(leant)
            return  # from before the wheel was looked for, or the card backed off
        await self.rest()
        if not self._picked and not self._wrong:
            self.begin()
            await self.rest()
        self.look(back)
        wrong, self._wrong = self._wrong, None
        if wrong:
            raise wrong

    def look(self, back):
        """Judge what came with the last move, the rollers standing: whether it is right. If not, ready() says why.

        When nothing came, the place where the next card will come must be free.
        """
        if not self._wrong and not self.staged:
            picked, self._picked = self._picked, False
            try:
                self._stage(back) if picked else self.free()
            except Fault as fault:
                self._wrong = fault
        return self._wrong is None

    def _stage(self, back):
        self.windows.settle(self.entry)
        self.windows.settle(self.count)
        if self.entry.n == self._ahead and self.count.n == self._ahead:
            raise Fault(MISFEED)  # it left nothing: nothing has moved
        self._judge(back)
        self.staged = True

    @micropython.native
    def _judge(self, back):
        """What lies staged: one card of this back, where the rollers have taken it."""
        entry, count, m, w, i = self.entry, self.count, self.mechanics, self.windows, self._ahead
        layers = self.hal.level("thickness_in")
        cards = self.sensors.calibration.cards(THICKNESS_IN, layers)
        if entry.n == i or (count.n == i and cards > 0):
            raise Fault(BEAM_BLIND)  # a card lies there that one of the beams has not seen
        if count.n == i or not count.dark():
            raise Fault(FEED_JAM)
        if cards > 1:
            raise Fault(DOUBLE_FEED)
        if cards < 1:
            raise Fault(THICKNESS)
        if entry.n != i + 1 or count.n != i + 1:
            raise Fault(WRONG_LENGTH)
        self._place = w.steps(m.COUNT_BEAM_UM) + self._moved - count.at[i]
        short = self.staged_steps - self._place
        if not -w.half <= short <= w.steps(_SHORT_UM):
            raise Fault(SLIP)  # it came, and late: the rollers do not hold it
        self._colour(m.BACKS[back])
        self.sensors.card(THICKNESS_IN, layers)
        self.sensors.card(ENTRY, self.hal.level("level_entry"))  # light from outside shows with a card in the beam
        self.sensors.card(COUNT, self.hal.level("level_count"))

    def _colour(self, back):
        m, reading = self.mechanics, self.hal.level("back")
        if reading < m.BACK_NONE:
            raise Fault(BACK_UNREAD)
        colour = self.sensors.calibration.colour(reading)
        if colour > m.FACE - m.BACK_HALF:
            raise Fault(FACE_UP)
        if abs(colour - back) > m.BACK_HALF:
            raise Fault(FOREIGN_BACK)
        self.sensors.card(BACK, reading)

    # ---- into the slot -------------------------------------------------------------------------

    def far(self):
        """Whether it lies where it needs longer to the mouth than the wheel to its end, once that is nearly there."""
        return self._place <= self.near_steps

    def lean(self):
        """Begin the move that seats the staged card, the wheel not yet proved: its plan ends before the mouth."""
        self._present()
        self.entry.reset()
        self.count.reset()
        self._ahead = 1
        half = (self.mouth_steps - self._place) >> 1
        if half > 0:
            self._leant = True
            self.feed.go(2 * half)

    def _present(self):
        if not self.count.dark() or (self._place < self.clear_steps and not self.entry.dark()):
            raise Fault(FEED_JAM)  # somebody took it

    async def launch(self):
        """The wheel is proved: the staged card goes on into its slot, where it is when the wheel stands, not before."""
        if not self._leant:
            self.lean()
        leant, self._leant = self._leant, False
        self._moved = self.seat_steps - self._place + len(self.feed.up)
        if not leant or not self.feed.extend(self._moved):
            await self._stood(leant)  # we came late: from where it stands before the mouth
            self._present()
            self._moved = self.seat_steps - self._place + len(self.feed.up)
            self.feed.go(self._moved)
        self.staged = self.coming = False
        self.entering = True

    async def _stood(self, leant):
        """What has leant forward lies where its planned stop was."""
        if leant:
            await self.feed.finish()
            self._place += self.feed.stepper.steps()
            await clock.sleep_ms(_STAND_MS)

    async def follow(self):
        """Start the next card so that it is staged when this move ends; only behind a card that has moved on."""
        level = self.hal.level("infeed")
        self.coming = level > self.mechanics.PRESENT
        if not self.coming:
            return
        self.sensors.card(INFEED, level)
        feed, pick = self.feed, self.pick
        # when the next card is in the feed's nip, so much of the move must be left as takes it to its place
        nip = self.windows.steps(self.mechanics.FEED_NIP_UM)
        due_us = feed.at_us(self._moved - self.staged_steps + nip) - pick.at_us(nip)
        await feed.until(due_us)
        if self.entry.n and not self.entry.dark() and feed.late_us(due_us) < _LATE_US:
            self._picked = True
            pick.go(self.pick_steps)

    def _gone(self):
        """The card's end has left the count station."""
        if not self.count.n or self.count.level[0]:
            raise Fault(FEED_JAM)

    async def seated(self):
        """Until the card lies in its slot, as the count station has told by its end."""
        feed, count, w = self.feed, self.count, self.windows
        travel = self._moved - len(feed.up)
        await feed.until(feed.at_us(travel) - _SOON_US)
        while feed.stepper.busy() and feed.stepper.steps() < travel:
            feed.in_time()
            await clock.moment()
        self._gone()
        length = self._place + count.at[0] - w.steps(self.mechanics.COUNT_BEAM_UM)
        if abs(length - w.card) > w.half:
            raise Fault(WRONG_LENGTH)

    async def stands(self):
        """Whether something can be tried with a card that sticks: to back it off, or to look at the wheel before it."""
        await self.rest()
        return self.entering or not (self._picked or not self.count.dark())

    async def back_off(self):
        """What sticks before the mouth: back a little, then forward until its end has left the entry beam.

        That tells its place again; it lies staged then, nearer to the mouth.
        """
        entry, feed, w = self.entry, self.feed, self.windows
        if self._picked or not self.count.dark():
            raise Fault(FEED_JAM)  # the next card is on its way; or this one is further in than can be told
        feed.go(w.steps(_BACK_UM), 1, _CAREFUL_US)
        await feed.finish()
        if not entry.dark():
            raise Fault(FEED_JAM)
        entry.reset()
        feed.go(w.steps(_FORTH_UM), 0, _CAREFUL_US)
        await feed.met(entry.flag)
        met = feed.stepper.steps()
        feed.stepper.brake()
        await feed.finish()
        if entry.dark() or not self.count.dark():
            raise Fault(FEED_JAM)
        self._place = self.clear_steps + feed.stepper.steps() - met
        self.staged = True
        self.entering = False

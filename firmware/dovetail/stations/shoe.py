# The shoe: gives one card after another to the tray, each counted by the deal beam.

from micropython import const
from dovetail import clock
from dovetail.calibration import DEAL, SHOE, THICKNESS_OUT
from dovetail.faults import (
    DEAL_BLIND, DEAL_BLOCKED, DEAL_DOUBLE, DEAL_JAM, DEAL_LENGTH, DEAL_MISFEED, DEAL_SLIP, DEAL_THICKNESS, SHOE_SHORT,
    Fault,
)
from dovetail.motion.axis import Axis
from dovetail.stations.window import Window

_JOG_UM = const(12000)
_TORN_UM = const(5500)  # a card that leaves the roller so far before its place is torn: the chute's speed counts too
_LATE_UM = const(2000)  # a card that is late by more may not have left the roller at the end of its move
_CAREFUL_US = const(200)  # a step: slower than the chute, so that there is a gap behind each card
_CHUTE_MS = const(160)  # a card that is free slides clear of the beam in 80 ms
_LOOK_MS = const(10)
_SLIDE_MS = const(200)  # and lies in the tray 60 ms later
_SURE = const(16)       # hundredths of a card: three may be off by so much, each by 5 and the reading by 1;
_STEADY = const(8)      # and what single ones read before them by so much


class Shoe:
    def __init__(self, hal, sensors):
        self.hal = hal
        self.sensors = sensors
        m = self.mechanics = hal.mechanics
        self.roller = Axis(hal, "deal")
        self.beam = hal.edge("deal", self.roller.stepper)
        self.windows = Window(m, 4000)
        self.held = self.windows.steps(m.CARD_LENGTH_UM - m.DEAL_BEAM_UM)  # from the beam until it is let go
        self.torn = self.windows.steps(_TORN_UM)
        self.chute_us = m.DEAL_BEAM_UM * 1000 // (m.CHUTE_UM_S // 1000)  # from there until its end has left the beam
        self.quick_us = self.chute_us * 19 // 20  # a quick chute's, by 5 %
        self.staged_um = 0  # how far the next card stands out of the nip
        self.passed = 0       # cards that the last move has brought into the tray, all of them proved
        self.unsure = False   # a card was sent, and what went by is not known: more may lie in the tray than counted
        self.layers = 0       # what the thickness sensor read of it
        self.sent_ms = 0      # when the last card was clear of the beam
        self._usual = 0       # what a card adds to it, as the last ones have; 0: none yet
        self._late = 0       # steps that it has come later than it had to; the roller may hold its end so much longer
        self._loose = False  # how far it stands out is not known: its leading edge proves nothing

    def holds(self):
        """Whether the shoe's own sensor sees a card."""
        return self.hal.level("shoe") > self.mechanics.PRESENT

    def look(self):
        """Before a card is dealt: whether it is seen."""
        level = self.hal.level("shoe")
        seen = level > self.mechanics.PRESENT
        if seen:
            self.sensors.card(SHOE, level)
        return seen

    def sliding(self):
        """Whether what has gone may still be on its way into the tray."""
        return 0 <= clock.ticks_diff(clock.ticks_ms(), self.sent_ms) < _SLIDE_MS

    def fresh(self):
        """A new deck has fallen into the shoe: its first card lies at the nip."""
        self.staged_um = 0
        self._usual = 0
        self._loose = self.unsure = False

    async def deal_card(self):
        """One card into the tray; or several at once, where the thickness tells clearly how many."""
        beam, m = self.beam, self.mechanics
        if beam.dark():
            raise Fault(DEAL_BLOCKED)
        beam.reset()
        lead = m.DEAL_BEAM_UM - self.staged_um
        self.passed, self.unsure = 0, True
        steps = self.windows.steps(m.CARD_LENGTH_UM + m.STAGE_UM - self.staged_um)
        self.roller.go(steps)
        await self.roller.finish()
        in_time = self._measure(steps)
        if not beam.n:
            if not in_time:
                raise Fault(DEAL_THICKNESS)
            if self.sensors.calibration.cards(THICKNESS_OUT, self.layers) > 0:
                raise Fault(DEAL_BLIND, 0, await self._slides())
            raise Fault(DEAL_MISFEED if self.holds() else SHOE_SHORT)
        await self._clear()
        self.windows.settle(beam)
        self._late = beam.at[0] - self.windows.steps(lead)
        if beam.dark() or beam.n != 2:
            raise Fault(DEAL_JAM)
        loose, self._loose = self._loose, False
        # the next card has come as far with this one as this one stood out further than was known
        self.staged_um = m.STAGE_UM + lead - self.windows.um(beam.at[0])
        self._judge()
        slid = not loose and not self.windows.near(beam.at[0], lead)
        if (self._late > 0 or not slid) and self._short(steps):  # one that slides is not shorter for it
            raise Fault(DEAL_LENGTH, 0, self.passed)
        if slid:
            raise Fault(DEAL_SLIP, 0, self.passed)

    def _measure(self, steps):
        """What lies under the thickness sensor as the roller stands; whether that was read in time.

        All that the roller has let go is there, till its end has left the beam, and what else has come as far as the
        beam: a card behind the first one by however much has either gone with it, and counts, or stands in the beam.
        """
        self.layers = self.hal.level("thickness_out")
        light = self.hal.level("level_deal")
        beam, roller = self.beam, self.roller
        left = max(steps - beam.at[0] - self.held, 0) if beam.n else self.windows.steps(self.mechanics.STAGE_UM)
        if roller.late_us(roller.span_us) > self.quick_us - roller.at_us(left):
            self.layers = 0  # what nobody has measured is no card
            return False
        if beam.dark():
            self.sensors.card(DEAL, light)
        return True

    def _short(self, steps):
        """Whether the roller has let it go before the end of a whole card was there.

        Its end is seen when the chute has carried it on for a known time: how long before the end of the move that was.
        """
        beam, roller = self.beam, self.roller
        left = max(steps - beam.at[0] - self.held, 0) + self.torn
        us = roller.span_us - roller.at_us(beam.at[0]) - clock.ticks_diff(beam.us[1], beam.us[0]) + self.chute_us
        return us > roller.rise_us(left)

    async def turn_out(self):
        """Forced emptying, from wherever the cards stand: slowly until one meets the beam, then until it is through."""
        beam, w, m = self.beam, self.windows, self.mechanics
        past = 0
        beam.reset()
        if not beam.dark():
            self.roller.go(self.roller.reach, 0, _CAREFUL_US)
            await self.roller.met(beam.flag)
            self.roller.stepper.brake()
            await self.roller.finish()
            if not beam.n:
                raise Fault(DEAL_MISFEED)
            past = self.roller.stepper.steps() - beam.at[0]
        rest = w.steps(m.CARD_LENGTH_UM - m.DEAL_BEAM_UM + m.STAGE_UM) - past
        self.roller.go(max(rest, 1), 0, _CAREFUL_US)  # seen late, it has gone further than it had to
        await self.roller.finish()
        await self._clear()
        if beam.dark():
            raise Fault(DEAL_JAM)

    async def _slides(self):
        """Where the beam sees nothing: whether what the thickness sensor reads slides on, and is in the tray then."""
        calibration, began = self.sensors.calibration, clock.ticks_ms()
        while clock.ticks_diff(clock.ticks_ms(), began) < _CHUTE_MS:
            await clock.sleep_ms(_LOOK_MS)
            if calibration.cards(THICKNESS_OUT, self.hal.level("thickness_out")) < 1:
                self.sent_ms = clock.ticks_ms()
                return 1
        return 0

    async def _clear(self):
        """Until the card has slid out of the beam."""
        beam, began = self.beam, clock.ticks_ms()
        while beam.dark():
            left_ms = _CHUTE_MS - clock.ticks_diff(clock.ticks_ms(), began)
            beam.flag.clear()
            if left_ms <= 0 or (beam.dark() and not await clock.soon(beam.flag, left_ms)):
                return
        self.sent_ms = clock.ticks_ms()

    def _judge(self):
        """How many cards that was. One may be bent, and reads a third more; of several it must be clear how many."""
        calibration = self.sensors.calibration
        cards = calibration.cards(THICKNESS_OUT, self.layers)
        if cards < 1:
            raise Fault(DEAL_THICKNESS, 0, 1)
        if cards > 1 and not self._clearly(cards):
            raise Fault(DEAL_DOUBLE, 0, 1)  # one at least: more is not claimed
        if cards == 1:
            self.sensors.card(THICKNESS_OUT, self.layers)
            layers = calibration.of_card(THICKNESS_OUT, self.layers)
            self._usual = (self._usual + layers) >> 1 if self._usual else layers
        self.passed, self.unsure = cards, False

    def _clearly(self, cards):
        """So many, not one more or less: as it was calibrated, and as it has read the last cards. It may drift."""
        calibration, usual = self.sensors.calibration, self._usual
        off = calibration.off(THICKNESS_OUT, self.layers, cards)
        if cards == 3:  # two of which one is badly bent read as much, when the sensor reads a quarter too much
            drift = calibration.off(THICKNESS_OUT, calibration.at[2 * THICKNESS_OUT] + usual, 1) if usual else 0
            return off <= _SURE and drift <= _STEADY
        if usual > 0:
            layers = calibration.of_card(THICKNESS_OUT, self.layers)
            off = max(off, abs(layers - cards * usual) * 100 // usual)
        return cards == 2 and off <= 25

    async def again(self):
        """Nothing has left the shoe: the whole way once more."""
        self.staged_um = 0
        self._loose = True
        await self.deal_card()

    async def hangs(self):
        """Whether a card stands in the beam whose end the roller may still hold.

        One that came at its time has left the roller: then it sticks there, or another one has come behind it.
        """
        return bool(self.beam.dark()) and not self._loose and self._late >= self.windows.steps(_LATE_UM)

    async def jog(self):
        """A card stands in the beam, held by its end: a little further."""
        w = self.windows
        self._late -= w.steps(_JOG_UM)  # what is left of it; a blind push would bring the next card along, uncounted
        self.roller.go(w.steps(_JOG_UM))
        await self.roller.finish()
        await self._clear()
        if self.beam.dark():
            raise Fault(DEAL_JAM)
        self.staged_um = 0
        self._loose = True  # the next card has come a little way, nobody knows how far
        self._judge()

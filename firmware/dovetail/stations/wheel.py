# The wheel: finds its home, turns a slot to the mouth or to the ejector, and proves that it is there.

import micropython
from micropython import const
from dovetail import clock
from dovetail.faults import LOST_STEPS, WHEEL_HOME, WHEEL_LOST, Fault
from dovetail.hal import EDGES
from dovetail.motion.axis import Axis

FAST_US = const(50)   # homing: until the mark is met
SLOW_US = const(150)  # and across it, to measure it
_WIDTH = const(20)     # the mark may measure so many steps more or less
_RUN_IN = const(40)    # steps on either side of the mark that are taken slowly
_CLOSE_US = const(17000)  # before its end a move is so slow that the last tick is still ahead
_LEAN_US = const(22000)  # a staged card takes 20 ms to the mouth, and we some to begin
_ROCK = const(9)  # steps: a card at a wall is 12 off its slot or more, a tick 20
_STAND_MS = const(3)  # the motor comes to rest before it turns back
UNKNOWN = const(-1)


class Wheel:
    def __init__(self, hal):
        self.mechanics = m = hal.mechanics
        self.axis = Axis(hal, "wheel")
        self.home_mark = hal.edge("home", self.axis.stepper)
        self.tick = hal.edge("tick", self.axis.stepper)
        for slots in range(1, (m.SLOTS >> 1) + 1):
            self.axis.expect(slots * m.SLOT_STEPS)  # all, or what is kept would tell which turns a plan had
        self.slot = UNKNOWN  # at the mouth; unknown is a state
        self.slack = m.ALIGN_STEPS >> 1  # a mark may be met so many steps from its place
        self.away = 0  # slots of the turn under way, where it began and where it leads
        self._from = self._to = self._reverse = 0

    async def home(self):
        """Fast until the mark is met, then slowly across it: its middle is slot 0."""
        m = self.mechanics
        self.slot = UNKNOWN
        middle = await self._meet()
        width, middle = await self._cross(middle)
        self._marked(abs(width - 2 * m.HOME_HALF_STEPS) <= _WIDTH)
        await self._by(middle)
        self.slot = 0
        self._prove()

    async def _meet(self):
        """Turns until an edge of the mark is seen, stops; where the middle of the mark is from here."""
        m, mark, axis = self.mechanics, self.home_mark, self.axis
        mark.reset()
        axis.go(m.WHEEL_STEPS_REV + m.SLOT_STEPS, 0, FAST_US)
        met = await axis.met(mark.flag)
        if met:
            axis.stepper.brake()
        await axis.finish()
        self._marked(met)
        half = m.HOME_HALF_STEPS if mark.level[0] else -m.HOME_HALF_STEPS
        return mark.at[0] + half - axis.stepper.steps()

    async def _cross(self, middle):
        """Slowly over the mark, whose middle is about there; its width, and where its middle is from here."""
        m, mark, axis = self.mechanics, self.home_mark, self.axis
        half = m.HOME_HALF_STEPS + _RUN_IN
        await self._by(middle - half)
        mark.reset()
        axis.go(2 * half, 0, SLOW_US)
        await axis.finish()
        self._marked(mark.n == 2 and mark.level[0])
        return mark.at[1] - mark.at[0], ((mark.at[0] + mark.at[1]) >> 1) - axis.stepper.steps()

    def _marked(self, right):
        if not right:
            raise Fault(WHEEL_HOME)

    async def _by(self, steps):
        if steps:
            self.axis.go(abs(steps), steps < 0)
            await self.axis.finish()

    async def turns(self):
        """Whether it has turned at all in the move that went wrong: else something binds it."""
        await self.axis.finish()
        return self.tick.n > 0

    async def find(self):
        """Its place was lost on the way: home once more."""
        await self.home()

    # ---- turning -------------------------------------------------------------------------------

    def start(self, slot):
        """Begin to bring this slot to the mouth, by the shorter way."""
        m = self.mechanics
        if self.slot < 0:
            raise Fault(WHEEL_LOST)
        self._prove()
        away = (slot - self.slot) % m.SLOTS
        reverse = away > m.SLOTS >> 1
        if reverse:
            away = m.SLOTS - away
        self.away, self._from, self._to, self._reverse = away, self.slot, slot, reverse
        self.slot = UNKNOWN
        self.tick.reset()
        self.home_mark.reset()
        if away:
            self.axis.go(away * m.SLOT_STEPS, reverse)

    def left_ms(self):
        """Until the turn that was begun ends."""
        return max(-self.axis.late_us(self.axis.span_us) // 1000, 0) if self.away else 0

    def lean_ms(self):
        """Until the staged card may begin to move."""
        return max(self.left_ms() - _LEAN_US // 1000, 0)

    async def soon(self):
        """Until the staged card may begin to move: it needs longer to the mouth than the wheel to its end."""
        if self.away:
            await self.axis.until(self.axis.span_us - _LEAN_US)

    async def near(self):
        """Until the tick of the wanted slot has come; each tick was where it must be. The wheel hardly moves now."""
        axis, tick, want = self.axis, self.tick, 2 * self.away
        if not want:
            self._ticks(0)
            return
        await axis.until(axis.span_us - _CLOSE_US)
        ahead = tick.n
        if ahead < want:
            self._ticks(max(ahead + 1 - EDGES, 0), ahead)  # while the last one is still to come, in the oldest's place
        while tick.n < want and axis.stepper.busy():
            axis.in_time()
            await clock.moment()
        self._ticks(ahead if ahead < want else 0)

    async def arrive(self):
        """Until the wheel stands, proved by its marks."""
        if self.away:
            await self.axis.finish()
        self._ticks(0)
        self._index()
        self.slot = self._to
        self._prove()

    async def turn_to(self, slot):
        """Bring this slot to the mouth."""
        self.start(slot)
        await self.arrive()

    async def rock(self):
        """A little to either side, no further than a card in the mouth gives way: the tick stays if a slot is there.

        The tick is wider than a slot's mouth. Steps lost in the last of a turn show in this alone.
        """
        axis, tick = self.axis, self.tick
        tick.reset()
        for way in (1, 0, 0, 1):
            axis.go(_ROCK, way, SLOW_US)
            await axis.finish()
            await clock.sleep_ms(_STAND_MS)
        if tick.n or not tick.dark():
            self.slot = UNKNOWN
            raise Fault(LOST_STEPS)

    async def nudge(self):
        """A slot on, proved by its ticks: the way back then tells as much of the slot that it stood at."""
        await self.turn_to((self.slot + 1) % self.mechanics.SLOTS)

    # ---- proofs --------------------------------------------------------------------------------

    @micropython.native
    def _ticks(self, first, n=-1):
        """Every slot on the way has made its tick come and go, and the last of them at their steps.

        Only edges from the first on; only up to n while the turn lasts.
        """
        tick, m = self.tick, self.mechanics
        if n < 0:
            n = 2 * self.away
            if tick.n != n:
                raise Fault(LOST_STEPS)
        for i in range(max(n - EDGES, first), n):
            at = (i >> 1) * m.SLOT_STEPS
            at += m.SLOT_STEPS - m.TICK_HALF_STEPS if i & 1 else m.TICK_HALF_STEPS
            if abs(tick.at[i % EDGES] - at) > self.slack:
                raise Fault(LOST_STEPS)

    def _index(self):
        """The home mark has come and gone where slot 0 passed the mouth, and nowhere else."""
        mark, m = self.home_mark, self.mechanics
        ahead = (self._from if self._reverse else m.SLOTS - self._from) % m.SLOTS
        n = 0
        if not self._from and self.away:
            n = self._met(n, m.HOME_HALF_STEPS)
        elif ahead <= self.away and self.away:
            n = self._met(n, ahead * m.SLOT_STEPS - m.HOME_HALF_STEPS)
            if ahead < self.away:
                n = self._met(n, ahead * m.SLOT_STEPS + m.HOME_HALF_STEPS)
        if mark.n != n:
            raise Fault(WHEEL_LOST)

    def _met(self, i, at):
        if self.home_mark.n <= i or abs(self.home_mark.at[i] - at) > self.slack:
            raise Fault(WHEEL_LOST)
        return i + 1

    def _prove(self):
        if not self.tick.dark() or self.home_mark.dark() != (self.slot == 0):
            self.slot = UNKNOWN
            raise Fault(WHEEL_LOST)

# The machine: all rooms put together. Lanes do the work, requests ask for it, one place stops it.

import asyncio
import micropython
from dovetail import clock, faults, lamps
from dovetail.alive import Alive
from dovetail.calibration import SETTING
from dovetail.cards.configuration import DEFAULT, configured
from dovetail.cards.profile import Profile
from dovetail.chance.chance import Chance
from dovetail.chance.fault import ChanceFault
from dovetail.continuous import Slots
from dovetail.deck import Deck
from dovetail.faults import Fault
from dovetail.keys import wipe_foreign
from dovetail.link.roles import SERVICE
from dovetail.memory import Memory
from dovetail.motion.gate import Gate
from dovetail.motors import Motors
from dovetail.reports import tell_fault
from dovetail.sensors import Sensors
from dovetail.safe import Buzzer
from dovetail.stations.ejector import Ejector
from dovetail.stations.feeder import Feeder
from dovetail.stations.shoe import Shoe
from dovetail.stations.tray import Tray
from dovetail.stations.wheel import Wheel
from dovetail.table import decks
from dovetail.table.layout import (
    BLUE, INSIDE, JOB, LOOK, NOTHING, OPEN, ORDER_RED, RED, ROUND, SHOE, START, TRAY, VOID, WANTED, WHEEL,
)
from dovetail.table.rulebook import Rulebook
from dovetail.voids import Voids

_SWITCHES = (("lid", faults.LID_OPEN), ("door", faults.DOOR_OPEN), ("mount", faults.NOT_MOUNTED))
# Which count of ledger.passed a record tells
_PASSED = {"shuffle_done": 0, "ready": 1, "stack": 2, "remainder": 2, "whole_deck": 2}


def _silence():
    return int(0)


class Machine:
    def __init__(self, hal, image):
        self.hal = hal
        self.image = image  # a dict that names board, variant and image
        self.sensors = Sensors(hal)
        self.feeder = Feeder(hal, self.sensors)
        self.wheel = Wheel(hal)
        self.ejector = Ejector(hal)
        self.shoe = Shoe(hal, self.sensors)
        self.tray = Tray(hal, self.sensors)
        self.gate = Gate()
        self.alive = Alive()
        self.error = None     # what nobody foresaw
        self.fault = 0        # its number; that there is one, the rules know
        self.order = (0, 0)   # position and cards of the stack that is dealt
        self.voids = Voids(self)
        self.resting = False  # the wheel runs out after a stop
        self.role = 0         # whose session is open
        self.in_vain = False  # a look whether all is out has found something since the fault
        self.asker = 0        # whose session has asked for the look whether all is out
        self.guest = 0  # 1: the card of a calibration is inside
        self.trial = False  # the deck inside was shuffled for service
        self.next_game = False  # another one is set up, in force from the next power-on: no round before that
        self.free = hal.free()  # bytes of heap, as they were a moment ago
        self.hears = _silence  # whether a request is on its way; this and the next are the link's, set by start.py
        self.said = _silence  # how many frames it has sent
        self._ticks = clock.ticks_ms()
        self._uptime = 0
        rollers = (self.feeder.pick, self.feeder.feed, self.ejector.axis, self.shoe.roller)
        self.motors = Motors(hal, rollers, self.wheel, self.uptime_ms)
        self.buzzer = Buzzer(hal, self.uptime_ms)
        self.memory = Memory(hal, self.gate, self.uptime_ms, self.quiet, self.memory_failed, self.alive)
        self.journal = self.memory.journal
        self.settings = self.journal.settings
        self.settled = self.memory.settled
        self.state = state = self.journal.state
        try:
            wipe_foreign(self)
        except OSError:
            self.fault = faults.STORE
        self.next_deck = state.next_deck
        try:
            self.profile = configured(self.settings)
        except ValueError:
            self.profile = Profile(DEFAULT)
            self.fault = faults.CONFIGURATION
        self.calibrated()
        self.cards = self.profile.cards
        self.plan = bytearray(self.cards)  # which slot each card goes to; zero but while the wheel is being filled
        self.slots = Slots(self.cards) if self.profile.continuous else None  # SH-7
        self.rules = Rulebook(self.profile, state.round)
        self.decks = (None, Deck(RED, self.rules), Deck(BLUE, self.rules))
        self.chance = Chance(hal.noise, hal.unique_id, self.state.boots + 1, hal.wipe, hal.collect)
        self.wheel_work = clock.Flag()
        self.deal_work = clock.Flag()
        self.shoe_free = clock.Flag()
        self.clear_work = clock.Flag()
        self.bench_work = clock.Flag()
        self.bench = None  # what service has asked for: a coroutine
        self.at_bench = False
        self.lamps_tried = False  # the self-test has the lamps
        self.emptying = False  # wheel and shoe are forced empty, not only looked at

    def calibrated(self):
        """What the settings say of this board's sensors, into force; .why it is not enough to play with."""
        self.sensors.calibration.load(self.settings.get(SETTING), self.hal.unique_id, self.state.seconds)

    @micropython.native
    def stale(self):
        """Return whether the calibration has grown too old; with nothing inside the machine stops, as at a start."""
        if self.fault or not self.sensors.calibration.stale(self.state.seconds):
            return False
        if not self.busy() and not self.inside():
            self.calibrated()
            self.stop(faults.CALIBRATION)
        return True

    # ---- the rules -----------------------------------------------------------------------------

    @micropython.native
    def tell(self, event, d=0, a=0, b=0, c=0):
        """Something happened, or is asked for: what the rules say to it."""
        before = self.rules.state
        no = self.rules.ask(event, d, a, b, c)
        if self.rules.state[ROUND] == VOID and before[ROUND] != VOID:
            self.voids.happened(before)
        return no

    @micropython.native
    def sense(self, sure=False):
        """Switches, supply and tray, before the rules are asked. sure: what is open is so for longer than a jolt."""
        rules = self.rules
        number = self.unsafe()
        for deck in self.decks[1:]:
            if rules.state[deck.number] == decks.DECLARED and not self.feeder.waiting():
                self.tell("unloaded", deck.number)
        if sure and number and not rules.state[OPEN]:
            self.tell("opened")
            if "stop" in rules.actions:
                self.stop(number)
        elif not number and rules.state[OPEN]:
            self.tell("closed_again")
        if rules.state[JOB] == NOTHING:
            holds = self.tray.holds()
            if holds != rules.state[TRAY]:
                self.tell("tray_seen" if holds else "taken")
        rules.fault = rules.unsafe = ""
        rules.vouched = self.memory.vouched
        if self.fault:
            row = faults.row(self.fault)
            rules.fault = "%s: %s: %s" % (row[2], row[1], row[4])
            if self.fault == faults.CALIBRATION:
                rules.fault = "%s: %s, %s: %s" % (row[2], row[1], self.sensors.calibration.why, row[4])
        if number:
            row = faults.row(number)
            rules.unsafe = "%s: %s" % (row[1], row[4])
        return number

    def time(self):
        """The controller's, 0 when it was not told since power-on."""
        return self.memory.time(self.uptime_ms())

    def order_of(self, deck):
        """Return how the order that a deck has was made, of layout.py."""
        return self.rules.at(ORDER_RED - RED + deck.number)

    @property
    def service(self):
        """Return whether a service session is open."""
        return self.role == SERVICE

    @property
    def in_wheel(self):
        return self.decks[self.rules.state[WHEEL]]

    @property
    def in_shoe(self):
        return self.decks[self.rules.state[SHOE]]

    @property
    def in_play(self):
        """The deck that is dealt from."""
        return self.in_wheel if self.slots else self.in_shoe

    @property
    def clearing(self):
        return self.rules.state[LOOK]

    @property
    def dealing(self):
        return self.rules.state[JOB] != NOTHING or self.rules.state[START] == WANTED

    # ---- what is told --------------------------------------------------------------------------

    def event(self, kind, fields, more=None):
        """For the journal and the link; more: fields of the record only."""
        self._passed(kind)
        self.memory.tell(kind, fields, more)

    def note(self, kind, fields):
        """For the journal only."""
        self._passed(kind)
        self.memory.tell(kind, fields, say=False)

    def _passed(self, kind):
        """A record of this kind tells how many cards have passed a roller: meters count each once."""
        if kind in _PASSED:
            for deck in self.decks[1:]:
                deck.ledger.passed[_PASSED[kind]] = 0

    def memory_failed(self):
        self.stop(faults.STORE)

    def quiet(self):
        return not self.busy()

    # ---- the one place that stops --------------------------------------------------------------

    def stop(self, number, card=0, struck=None):
        """Everything still, every deck inside broken, the round void. The first fault wins, but for two."""
        if self.fault and not self._must_show(number):
            return
        self.fault, self.in_vain = number, False
        self.motors.still()
        self.buzzer.call()
        self.forget_plan()
        before = self.state.locks
        if faults.row(number)[3] == faults.LOCK and struck is not None:
            # a wrong count is the fault of one deck only; what else is inside is merely interrupted
            self.tell("lock", struck.number)
        else:
            self.tell("down" if faults.row(number)[3] == faults.DOWN else "stop")
        locked = self.locked() & ~before
        self.voids.tell(number)
        tell_fault(self, card, self.inside(), locked)
        for deck in self.decks[1:]:
            if locked >> deck.number & 1:  # a second record: one that is damaged unlocks nothing
                self.tell_locked(deck)
                self.voids.settle(deck.number, False)
        self.memory.at_once()
        self.lamps_tried = False
        self.show()
        self.wheel_work.set()
        self.shoe_free.set()
        self.resting = True
        self.rest = asyncio.create_task(self._rest())

    def _must_show(self, number):
        """EL-4: that randomness failed is hidden by no fault; that flash did, by none that can be cleared."""
        if number == faults.NOISE:
            return self.fault != faults.NOISE
        return number == faults.STORE and faults.row(self.fault)[3] != faults.DOWN

    def tell_locked(self, deck, number=0):
        """A deck is locked out; number: of the round that is void with it, and is told as that next."""
        self.event("locked_out", {"back": deck.number}, {"deck": self.state.decks[deck.number].number, "round": number})

    def instead(self, number, card=0):
        """A stop for this, in place of one that says less; what is over at power-on alone stands."""
        if number and not (self.fault and faults.row(self.fault)[3] == faults.DOWN):
            self.fault = 0
            self.stop(number, card)

    def locked(self):
        """A bit for each deck that is locked out."""
        return sum(1 << number for number in (RED, BLUE) if self.rules.state[number] == decks.LOCKED)

    def beams(self):
        """Those that a card passes."""
        return (self.feeder.entry, self.feeder.count, self.ejector.exit, self.shoe.beam)

    def inside(self):
        """Return how many cards are inside, by count; 1 when that is not known."""
        return sum(deck.ledger.inside() for deck in self.decks[1:]) or self.rules.at(INSIDE) or self.guest

    async def _rest(self):
        await self.motors.run_out()
        await self.settled()
        self.resting = False

    def forget_plan(self):
        """And what the interpreter keeps of it: in the frames of what has run, every slot was a number once."""
        plan = self.plan
        for i in range(len(plan)):
            plan[i] = 0
        self.hal.collect()

    # ---- what it looks like --------------------------------------------------------------------

    @micropython.native
    def unsafe(self):
        """The fault number of the first interlock that is open, or of the supply; 0 when all is safe."""
        for name, number in _SWITCHES:
            if not self.hal.switch(name):
                return number
        if self.hal.level("supply") < self.hal.mechanics.SUPPLY_MIN:
            return faults.SUPPLY_LOST
        return 0

    def cause(self, number):
        """What a fault of service or of a clearing comes of: what was open, also for a moment, before what it is."""
        return self.unsafe() or self.motors.held_by or number or self.fault

    def on_trial(self):
        """A deck that service has shuffled lies whole inside. One that was interrupted is cleared like any other."""
        return self.trial and bool(self.rules.at(INSIDE)) and not self.fault

    def filling(self):
        deck = self.in_wheel
        return deck is not None and deck.state == decks.SHUFFLING and not self.fault

    def busy(self):
        return self.at_bench or self.clearing or self.dealing or self.wheel_busy()

    def wheel_busy(self):
        deck = self.in_wheel
        return deck is not None and deck.state in (decks.SHUFFLING, decks.MOVING, decks.TAKING)

    def show(self):
        lamps.show(self)

    @micropython.native
    def uptime_ms(self):
        """Since power-on; the ticks of the clock turn over after twelve days, this does not."""
        now = clock.ticks_ms()
        self._uptime += clock.ticks_diff(now, self._ticks)
        self._ticks = now
        return self._uptime

    async def guard(self, lane, deck):
        """A lane that works on a deck ends in a fault, never in silence."""
        try:
            await lane
        except Fault as fault:
            # a lid or a supply that is open is the cause of whatever a station found a moment before it was seen
            self.stop(self.unsafe() or fault.number, fault.card, deck)
        except ChanceFault:
            self.stop(faults.NOISE)
        except Exception as error:  # a defect of our own: first everything stands still and says so
            self.error = error  # for the bench's prompt
            self.stop(faults.SOFTWARE)

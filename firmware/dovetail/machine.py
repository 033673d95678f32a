# The machine: all rooms put together. Lanes do the work, requests ask for it, one place stops it.

import asyncio
from micropython import const
from dovetail import clock, faults
from dovetail.alive import Alive
from dovetail.cards.ledger import SHOE as SHOE_HELD, WHEEL as WHEEL_HELD, Ledger
from dovetail.cards import life
from dovetail.cards.configuration import DEFAULT, configured
from dovetail.cards.profile import Profile
from dovetail.chance.chance import Chance
from dovetail.chance.fault import ChanceFault
from dovetail.continuous import Slots
from dovetail.faults import Fault
from dovetail.journal.state import CONDITIONS, RUNNING
from dovetail.journal.mount import FAILED
from dovetail.memory import Memory
from dovetail.motion.gate import Gate
from dovetail.stations.ejector import Ejector
from dovetail.stations.feeder import Feeder
from dovetail.stations.shoe import Shoe
from dovetail.stations.tray import Tray
from dovetail.stations.wheel import UNKNOWN, Wheel
from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BLUE, CLOCK, DOUBT, INSIDE, JOB, LAST, LOOK, NOTHING, OPEN, OUT, RED, ROUND, ROUNDS_PER_COUNT, SHOE,
    STACKS, START, VOID, WANTED, WHEEL,
)
from dovetail.table.rulebook import COLOURS, Rulebook

_SWITCHES = (("lid", faults.LID_OPEN), ("door", faults.DOOR_OPEN), ("mount", faults.NOT_MOUNTED))
_WHEEL_MS = const(120)
_LOOK_MS = const(25)
_LOOKS = const(10)
_HOLD_MS = const(60000)  # the drivers are on at most so long after the last work
_SCARCE = const(115000)  # bytes of heap: below, even what moves is kept waiting for garbage to be collected
_TIDY = const(140000)  # bytes of heap: below, garbage is collected when nothing moves
_PASSED = {"shuffle_done": 0, "ready": 1, "stack": 2, "remainder": 2}  # which count of ledger.passed it tells
_CAUSES = ("power", "watchdog", "reset")


class Deck:
    def __init__(self, number, rules):
        self.number = number
        self.back = COLOURS[number]
        self.rules = rules
        self.ledger = Ledger()
        self.since_ms = 0  # uptime at its declaration

    @property
    def state(self):
        return self.rules.state[self.number]


class Machine:
    def __init__(self, hal, image):
        self.hal = hal
        self.image = image  # a dict that names board, variant and image
        self.feeder = Feeder(hal)
        self.wheel = Wheel(hal)
        self.ejector = Ejector(hal)
        self.shoe = Shoe(hal)
        self.tray = Tray(hal)
        self.axes = (self.feeder.pick, self.feeder.feed, self.ejector.axis, self.shoe.roller)
        self.gate = Gate()
        self.alive = Alive()
        self.error = None     # what nobody foresaw
        self.fault = 0        # its number; that there is one, the rules know
        self.order = (0, 0)   # position and cards of the stack that is dealt
        self.voided = False   # the round has become void, and nobody has been told
        self.driven = False   # current in the motors
        self._moved_ms = 0    # when something was last at work with it
        self.resting = False  # the wheel runs out after a stop
        self.service = False  # a service session is open
        self.trial = False  # the deck inside was shuffled for service
        self.free = hal.free()  # bytes of heap, as they were a moment ago
        self._ticks = clock.ticks_ms()
        self._uptime = 0
        self.memory = Memory(hal, self.gate, self.uptime_ms, self.quiet, self.memory_failed, self.alive)
        self.journal = self.memory.journal
        self.settings = self.journal.settings
        self.settled = self.memory.settled
        self.state = state = self.journal.state
        self.next_deck = state.next_deck
        try:
            self.profile = configured(self.settings)
        except ValueError:
            self.profile = Profile(DEFAULT)
            self.fault = faults.CONFIGURATION
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

    # ---- start ---------------------------------------------------------------------------------

    def begin(self):
        """Once, before anything moves: what the last power-off left, and whether chance can be trusted."""
        state, journal, memory = self.state, self.journal, self.memory
        self._remember()
        last_fault, condition, cut = state.fault, CONDITIONS[state.condition], state.round_state in RUNNING
        if journal.status == FAILED:
            self.fault = faults.JOURNAL
        else:
            try:
                journal.prepare()
            except OSError:
                self.fault = faults.STORE
        if state.down and self.hal.reset_cause != "power":
            self.fault = self.fault or faults.NOISE  # I-9: only a power-on gives randomness another try
        else:
            try:
                self.chance.start()
            except ChanceFault:
                self.fault = self.fault or faults.NOISE
        tests = (
            self.chance.trust, journal.status != FAILED, self.settings.state < 2,
            not self.unsafe(), self.hal.level("supply") >= self.hal.mechanics.SUPPLY_MIN,
        )  # fmt: skip
        passed = sum(1 << i for i in range(len(tests)) if tests[i])
        fields = {
            "boots": state.boots + 1, "cause": self.hal.reset_cause, "may_be_inside": bool(state.inside),
            "last_fault": last_fault, "condition": condition, "self_test": passed, "journal": journal.text(),
        }  # fmt: skip
        found, journal.damage = journal.damage, []
        more = {
            "cause": _CAUSES.index(self.hal.reset_cause), "last_fault": last_fault, "last_state": state.condition,
            "self_test": passed, "journal": journal.status, "inside": state.inside, "damage": len(found),
            "image": self.image["image"].encode()[:12],
        }  # fmt: skip
        memory.tell("started", fields, more)
        for damage in found:
            self.note("damage", damage)
        if cut:  # DS-8: what was dealt when the power went is void, its complete stacks are told
            self.event("round_void", {"round": state.round, "complete": state.stacks, "fault": faults.INSIDE})
        memory.at_once()
        self.tell("power", 0, 1 if self.fault else 0)
        self.voided = False
        if not self.fault and state.inside:
            self.fault = faults.INSIDE  # EL-3: whatever happened, never "empty"
        if self.fault:
            self.tell_fault(0, self.inside())
            memory.at_once()
        self.show()

    def _remember(self):
        """What has survived the power, into the rules."""
        kept, known = self.state, bytearray(self.rules.state)
        for number in (RED, BLUE):
            if kept.gone >> number & 1:
                known[number] = decks.GONE
            elif kept.locks >> number & 1:
                known[number] = decks.LOCKED
        known[OUT], known[LAST], known[INSIDE] = kept.out, kept.last_back, kept.inside
        known[DOUBT] = 1 if kept.doubt else 0
        known[CLOCK] = min(kept.doubt - 1, ROUNDS_PER_COUNT) if kept.doubt else 0  # CT-1: the power stops no clock
        self.rules.state = bytes(known)

    # ---- the rules -----------------------------------------------------------------------------

    def tell(self, event, d=0, a=0, b=0, c=0):
        """Something happened, or is asked for: what the rules say to it."""
        before = self.rules.state[ROUND]
        no = self.rules.ask(event, d, a, b, c)
        if self.rules.state[ROUND] == VOID and before != VOID:
            self.voided = True
        return no

    def sense(self):
        """Switches, supply and tray, before the rules are asked."""
        rules = self.rules
        number = self.unsafe()
        if number and not rules.at(OPEN):
            self.tell("opened")
            if "stop" in rules.actions:
                self.stop(number)
        elif not number and rules.at(OPEN):
            self.tell("closed_again")
        if rules.at(JOB) == NOTHING:
            self.tell("tray_seen" if self.tray.holds() else "taken")
        rules.fault = rules.unsafe = ""
        if self.fault:
            row = faults.row(self.fault)
            rules.fault = "%s: %s: %s" % (row[2], row[1], row[4])
        if number:
            row = faults.row(number)
            rules.unsafe = "%s: %s" % (row[1], row[4])
        return number

    def time(self):
        """The controller's, 0 when it was not told since power-on."""
        return self.memory.time(self.uptime_ms())

    def ages(self):
        """How old the decks are, for the rules; told when it changes."""
        now_ms, now = self.uptime_ms(), self.time()
        hours, rule = self.profile.life()
        for deck in self.decks[1:]:
            known = self.state.decks[deck.number]
            if not known.number:
                continue
            age = life.age_s(known.since, now, (now_ms - deck.since_ms) // 1000)
            level = life.level(hours, age)
            if level != self.rules.at(AGE_RED - RED + deck.number):
                self.tell("age", deck.number, level)
                left = 0 if age is None else max(hours * 3600 - age, 0) // 60
                self.event("deck_age", {"back": deck.number, "level": level, "minutes": left, "rule": rule})

    def tell_void(self):
        """A round that has become void is told once: how many stacks were complete, and how many of them stand."""
        if self.voided:
            self.voided = False
            stacks = self.rules.at(STACKS)
            stand = stacks if self.profile.keeps else 0
            fields = {"round": self.rules.number, "complete": stacks, "fault": self.fault, "stand": stand}
            self.event("round_void", fields)

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

    def untold(self, place):
        """Cards that have passed since such a record."""
        n = 0
        for deck in self.decks[1:]:
            n += deck.ledger.passed[place]
            deck.ledger.passed[place] = 0
        return min(n, 255)

    def memory_failed(self):
        self.stop(faults.STORE)

    def quiet(self):
        return not self.busy()

    # ---- the one place that stops --------------------------------------------------------------

    def stop(self, number, card=0, struck=None):
        """Everything still, every deck inside broken, the round void. The first fault wins."""
        if self.fault:
            return
        self.fault = number
        self.still()
        self.forget_plan()
        before = self.state.locks
        if faults.row(number)[3] == faults.LOCK and struck is not None:
            # a wrong count is the fault of one deck only; what else is inside is merely interrupted
            self.tell("lock", struck.number)
        else:
            self.tell("down" if faults.row(number)[3] == faults.DOWN else "stop")
        locked = self.locked() & ~before
        self.tell_void()
        self.tell_fault(card, self.inside(), locked)
        for deck in self.decks[1:]:
            if locked >> deck.number & 1:  # a second record: one that is damaged unlocks nothing
                self.note("locked_out", {"back": deck.number, "deck": self.state.decks[deck.number].number})
        self.memory.at_once()
        self.show()
        self.wheel_work.set()
        self.shoe_free.set()
        self.resting = True
        self.rest = asyncio.create_task(self._rest())

    def locked(self):
        """A bit for each deck that is locked out."""
        return sum(1 << number for number in (RED, BLUE) if self.rules.state[number] == decks.LOCKED)

    def still(self):
        """The safe state of all motion: rollers at once, the wheel by its own ramp. Its place is no longer known."""
        for axis in self.axes:
            axis.held = True
            axis.stepper.halt()
        self.wheel.axis.held = True
        self.wheel.axis.stepper.brake()
        self.wheel.slot = UNKNOWN

    def release(self):
        """Moves may start again: the drivers are on, the wheel's place is to be found."""
        for axis in self.axes:
            axis.held = False
        self.wheel.axis.held = False
        self.driven = True
        self.hal.enable(True)

    def let_go(self):
        """The dead-man's limit of the drivers. A wheel without current is anywhere."""
        if not self.driven or self.busy() or self.moving():
            self._moved_ms = self.uptime_ms()
        elif self.uptime_ms() - self._moved_ms > _HOLD_MS:
            self.power_down()

    def power_down(self):
        """No current in any motor."""
        self.hal.enable(False)
        self.driven = False
        self.wheel.slot = UNKNOWN

    def moving(self):
        return self.wheel.axis.stepper.busy() or self.rolling()

    def rolling(self):
        """Whether anything moves that carries a card past a sensor."""
        return any(axis.stepper.busy() for axis in self.axes)

    def inside(self):
        """How many cards are inside, by count; 1 when that is not known."""
        return sum(deck.ledger.inside() for deck in self.decks[1:]) or self.rules.at(INSIDE)

    def where(self):
        """Where the cards are of every deck that is at work, as the sensors have counted them."""
        said = []
        for deck in self.decks[1:]:
            ledger = deck.ledger
            if ledger.counted_in or deck.state == decks.SHUFFLING:
                at, out = ledger.at, self.cards - ledger.counted_in
                text = "%s: %d in the wheel, %d in the shoe, %d dealt" % (
                    deck.back, at[WHEEL_HELD], at[SHOE_HELD], ledger.dealt,
                )  # fmt: skip
                said.append(text + (", %d not counted" % out if out > 0 else ""))
        return "; ".join(said)

    def tell_fault(self, card, inside, locked=0):
        row = faults.row(self.fault)
        fields = {
            "fault": row[0], "name": row[1], "station": row[2], "card": card, "action": row[4], "inside": inside,
            "cards": self.where(),
        }  # fmt: skip
        more = {"locks": locked, "picked": self.untold(0), "ejected": self.untold(1), "dealt": self.untold(2)}
        self.event("fault", fields, more)

    async def _rest(self):
        """The wheel comes to rest by its own ramp, then the drivers go off."""
        await clock.sleep_ms(_WHEEL_MS)
        self.wheel.axis.stepper.halt()
        self.power_down()
        await self.settled()
        self.resting = False

    def forget_plan(self):
        """And what the interpreter keeps of it: in the frames of what has run, every slot was a number once."""
        plan = self.plan
        for i in range(len(plan)):
            plan[i] = 0
        self.hal.collect()

    # ---- what it looks like --------------------------------------------------------------------

    def unsafe(self):
        """The fault number of the first interlock that is open, or of the supply; 0 when all is safe."""
        for name, number in _SWITCHES:
            if not self.hal.switch(name):
                return number
        if self.hal.level("supply") < self.hal.mechanics.SUPPLY_MIN:
            return faults.SUPPLY_LOST
        return 0

    def on_trial(self):
        """A deck that service has shuffled lies whole inside. One that was interrupted is cleared like any other."""
        return self.trial and bool(self.rules.at(INSIDE)) and not self.fault

    def filling(self):
        deck = self.in_wheel
        return deck is not None and deck.state == decks.SHUFFLING and not self.fault

    def busy(self):
        return self.clearing or self.dealing or self.wheel_busy()

    def wheel_busy(self):
        deck = self.in_wheel
        return deck is not None and deck.state in (decks.SHUFFLING, decks.MOVING, decks.TAKING)

    def show(self):
        """Lamps: red a fault, amber at work, green a counted deck to deal from; red and amber in turn in service."""
        hal = self.hal
        if self.service or self.on_trial():
            turn = self.uptime_ms() >> 9 & 1
            hal.lamp("red", bool(turn))
            hal.lamp("amber", not turn)
            hal.lamp("green", False)
            return
        hal.lamp("red", bool(self.fault))
        hal.lamp("amber", self.wheel_busy() or self.clearing)
        deck = self.in_play
        counted = deck is not None and deck.state in (decks.READY, decks.DEALING, decks.MIXED)
        hal.lamp("green", not self.fault and counted)

    def uptime_ms(self):
        """Since power-on; the ticks of the clock turn over after twelve days, this does not."""
        now = clock.ticks_ms()
        self._uptime += clock.ticks_diff(now, self._ticks)
        self._ticks = now
        return self._uptime

    # ---- run -----------------------------------------------------------------------------------

    async def supervise(self):
        """Interlocks and supply, and the only place that feeds the watchdog."""
        looks = 0
        while True:
            # the supply has no interrupt: what moves on it is asked for often
            if not await clock.wait(self.hal.interlock, _LOOK_MS):
                looks += 1
                if looks % _LOOKS and (self.hal.level("supply") >= self.hal.mechanics.SUPPLY_MIN or not self.moving()):
                    continue
            if self.sense() and self.clearing:
                self.still()
            self.ages()
            self.uptime_ms()
            if self.service or self.trial:
                self.show()
            self.tidy(_SCARCE if self.moving() else _TIDY)
            self.let_go()
            if self.alive.all():
                self.hal.feed()

    def tidy(self, least=_TIDY):
        """Garbage is collected at a moment of our own, never while a card is between two sensors."""
        self.free = self.hal.free()
        if self.free < least and not (self.gate.passed() and self.rolling()):
            self.hal.collect()

    async def room(self, ample):
        """Between two cards; ample: there is time. When heap is scarce, it is waited until nothing rolls."""
        self.tidy(_TIDY if ample else _SCARCE)
        while self.hal.free() < _SCARCE and self.rolling():
            await clock.sleep_ms(2)
        self.tidy(_SCARCE)

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

# Cards from the infeed into the wheel: a whole deck in the drawn order, or discards to slots that chance chose.

import asyncio
from micropython import const
from dovetail import alive, clock, faults
from dovetail.calibration import BACK, COUNT, ENTRY, INFEED, THICKNESS_IN
from dovetail.cards.ledger import STACK
from dovetail.chance.fault import ChanceFault
from dovetail.faults import Fault
from dovetail.garbage import hush, room
from dovetail.lanes.common import Halted, drive, find_home, gated, told
from dovetail.lanes.emptying import shoe_empty
from dovetail.recovery import AGAIN, BACK_OFF, FIND, tried
from dovetail.table.layout import BROUGHT, ORDER_RED, RED

_BEFORE_MS = const(8)  # the first card: long enough for a collection
_NONE = const(-1)


async def fill(machine, deck):
    began = clock.ticks_ms()
    ledger = deck.ledger
    ledger.clear()
    identity = machine.state.decks[deck.number].number
    machine.note("shuffle_begun", {"back": deck.number, "deck": identity, "service": machine.trial})
    await room(machine, _BEFORE_MS)
    await machine.settled()  # on flash before a card is inside
    await clock.sleep_ms(0)  # others have their turn behind what was written
    if machine.in_shoe is None:
        shoe_empty(machine)  # told now, not when the wheel is full
    drive(machine)
    machine.show()
    await gated(machine, alive.WHEEL, _first(machine))
    plan, feeder = machine.plan, machine.feeder
    if _brought(machine, deck):
        for i in range(len(plan)):  # SH-6: carried over in its order
            plan[i] = i
    else:
        await _plan(machine)
    filling, last = _Filling(machine, deck), len(plan) - 1
    try:
        while feeder.coming or await _more(machine, ledger.counted_in, machine.cards, machine.cards):
            i = ledger.counted_in
            if machine.ejector.exit.dark():
                raise Fault(faults.EXIT_BLOCKED)  # not only when the wheel is full
            wrong = filling.wrong()
            move = filling.card(plan[i], i < last, plan[i + 1] if i < last else _NONE)
            await gated(machine, alive.WHEEL, move, wrong)
            ledger.seated()
            feeder.entering = False
    finally:
        filling.slot = filling.next = 0
    await _forget_plan(machine)
    await clock.sleep_ms(0)  # who has waited for that goes first
    if machine.fault:
        raise Halted
    machine.sensors.empty((INFEED,))
    machine.sensors.tell(machine.event)
    if machine.slots:
        machine.slots.full()
    told(machine, ledger.counted_in, "filled", 0, ledger.counted_in)
    if machine.slots:
        fields = {
            "back": deck.number, "counted_in": ledger.counted_in, "counted_out": 0, "expected": machine.cards,
            "order": machine.order_of(deck),
        }  # fmt: skip
        machine.note("ready", fields)  # for the meters: only shuffle_done is told
    took = clock.ticks_diff(clock.ticks_ms(), began)
    fields = {
        "back": deck.number, "counted_in": ledger.counted_in, "expected": machine.cards, "took_ms": took,
        "order": machine.order_of(deck),
    }  # fmt: skip
    machine.event("shuffle_done", fields, {"picked": ledger.counted_in})


def _brought(machine, deck):
    return machine.rules.at(ORDER_RED - RED + deck.number) == BROUGHT


async def take_back(machine, deck):
    """SH-7: discards, while a round is played or between two; each to a slot that chance chose."""
    try:
        began, slots, feeder, ledger = clock.ticks_ms(), machine.slots, machine.feeder, deck.ledger
        before, plan, at = slots.inside(), machine.plan, 0
        drive(machine)
        await gated(machine, alive.WHEEL, _first(machine))
        await _plan(machine)
        filling = _Filling(machine, deck)
        while feeder.coming or await _more(machine, ledger.counted_in, 0, ledger.counted_in + ledger.at[STACK]):
            slot, at = slots.put(plan, at)
            if slot is None or not ledger.returned():
                await feeder.rest()
                raise Fault(faults.WRONG_DECK if feeder.came() else faults.INFEED_SENSOR, ledger.counted_in + 1)
            await gated(machine, alive.WHEEL, filling.card(slot, ledger.at[STACK]), filling.wrong())
            ledger.seated()
            feeder.entering = False
        await _forget_plan(machine)
        inside = slots.inside()
        told(machine, inside, "filled", 0, inside)
        took = clock.ticks_diff(clock.ticks_ms(), began)
        fields = {
            "back": deck.number, "counted_in": inside, "expected": machine.cards, "took_ms": took,
            "order": machine.order_of(deck),
        }  # fmt: skip
        machine.event("shuffle_done", fields, {"picked": inside - before})
    except Halted:
        pass


async def _more(machine, card, least, most):
    """Return whether cards come behind the last one; else no beam has stayed dark, for no next one would find that.

    The infeed's sensor alone makes no deck a wrong one: where it says that a card is left, or the count that one is
    missing, the pick tries to bring one. Cards that a hand puts in late belong to the others while some are missing.
    """
    feeder = machine.feeder
    try:
        feeder.free()
    except Fault as fault:
        fault.card = card
        raise
    waits = feeder.waiting()
    if waits and card < most:
        await gated(machine, alive.WHEEL, _late(feeder, feeder.begin))
        return True
    if waits or card < least:
        await gated(machine, alive.WHEEL, feeder.probe())
        came, late = feeder.came(), feeder.waiting() and not waits
        if late and card < most:  # they came while it was tried
            await gated(machine, alive.WHEEL, _late(feeder, feeder.go_on if came else feeder.begin))
            return True
        if waits != came:
            raise Fault(faults.INFEED_SENSOR, card + 1)
        if waits:
            raise Fault(faults.WRONG_DECK, card + 1)
    return False


async def _late(feeder, begin):
    await feeder.rest()  # from the last card
    begin()
    await feeder.rest()


async def _first(machine):
    """What takes time before the first card can be seated, all at once: noise, the wheel's home, the card itself."""
    feeder, wheel = machine.feeder, machine.wheel
    feeder.fresh()
    if not feeder.entry.dark() and not feeder.count.dark():
        machine.sensors.empty((ENTRY, COUNT, THICKNESS_IN, BACK))
    if feeder.waiting():
        feeder.begin()
    wrong = []
    noise = asyncio.create_task(_kept(_noise(machine), wrong))
    home = asyncio.create_task(_kept(find_home(machine), wrong)) if wheel.slot < 0 else None
    if feeder.coming:  # known soonest: it is not told only when the wheel has been looked for
        deck = machine.in_wheel

        async def staged():
            await feeder.ready(deck.back)

        await _proved(machine, deck, staged, {AGAIN: staged}, {})
    await noise
    _raised(wrong)
    if home:
        await home
        _raised(wrong)
    await feeder.rest()
    if machine.fault:
        raise Halted  # stopped meanwhile: no order is drawn any more


async def _plan(machine):
    """The order is drawn, which takes 10 ms in all."""
    await hush(machine)
    if machine.fault:
        raise Halted
    machine.chance.plan(len(machine.plan), machine.plan)
    await clock.sleep_ms(0)


async def _forget_plan(machine):
    """Forget the order between two cards of the other lane: garbage is collected with it."""
    await machine.gate.close()
    try:
        machine.forget_plan()
    finally:
        machine.gate.open()


async def _noise(machine):
    """Fresh noise for the plan, a slice at a time; a true pause in between, or an interlock waits for all of it.

    A slice takes 4 ms: it begins when no request is on its way.
    """
    if not _brought(machine, machine.in_wheel):
        try:
            while not machine.fault and machine.chance.tend():
                await hush(machine)
        except ChanceFault:
            machine.stop(faults.NOISE)  # at once: the card beside it may meet a fault of its own


class _Filling:
    """One card after another to its slot; what goes wrong is made good as the table of recovery says."""

    def __init__(self, machine, deck):
        self.machine, self.deck, self.wheel, self.feeder = machine, deck, machine.wheel, machine.feeder
        self.slot = 0  # of the card that is staged, or will be
        self.next = _NONE  # of the card behind it
        self.more = False  # whether there may be one
        self.begun = False  # the wheel turns to slot already
        self.seat = self._seat  # bound once, not once a card
        self.remedies = {AGAIN: self._again, BACK_OFF: self._back_off, FIND: self._find}
        self.able = {BACK_OFF: self.feeder.stands, FIND: self._may_find}

    def wrong(self):
        """Before it waits at the gate: whether what lies staged already is not right."""
        return self.machine.gate.wanted() and not self.feeder.look(self.deck.back)

    async def card(self, slot, more, following=_NONE):
        self.slot, self.more, self.next = slot, more, following
        await _proved(self.machine, self.deck, self.seat, self.remedies, self.able)

    async def _seat(self):
        """The staged card to its slot; the next one is staged meanwhile, while the wheel turns for it."""
        machine, wheel, feeder = self.machine, self.wheel, self.feeder
        if not self.begun:
            wheel.start(self.slot)
        self.begun = False
        await feeder.ready(self.deck.back)
        await room(machine, wheel.lean_ms())  # nothing is between two sensors
        if feeder.far():
            await wheel.soon()
            feeder.lean()
            await wheel.near()
        else:
            await wheel.arrive()  # it is nearer to the mouth than the wheel to its end
        await feeder.launch()
        await wheel.arrive()
        if self.more:
            await feeder.follow()
        await feeder.seated()
        if machine.gate.wanted() or not self.more:
            await feeder.rest()  # what is told after the last card is written at once
        elif self.next >= 0 and feeder.coming:
            self._on()

    def _on(self):
        """The next turn, before anything else is done: nothing can come between the two cards any more."""
        try:
            self.wheel.start(self.next)
            self.begun = True
        except Fault:
            pass  # the next card finds the same, and it is told as that card's

    async def _again(self):
        await self.wheel.arrive()
        await self._seat()

    async def _may_find(self):
        """Not when a card may be in the mouth."""
        return not self.feeder.entering and await self.wheel.turns()

    async def _find(self):
        await self.wheel.find()
        await self._seat()

    async def _back_off(self):
        if self.feeder.entering:
            await self.feeder.rest()
            await self.wheel.rock()  # what the card has met may be a wall
        await self.feeder.back_off()
        await self._seat()


async def _proved(machine, deck, move, remedies, able):
    """The next card's move, with what may be tried; a fault of it names the card."""
    card = deck.ledger.counted_in + 1
    try:
        await tried(machine, card, move, remedies, able)
    except Fault as fault:
        fault.card = card
        raise


async def _kept(work, wrong):
    """What runs beside the first card: its fault is told when that card's is known."""
    try:
        await work
    except Exception as error:
        wrong.append(error)


def _raised(wrong):
    if wrong:
        raise wrong[0]

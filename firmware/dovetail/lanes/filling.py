# Cards from the infeed into the wheel: a whole deck in the drawn order, or discards to slots that chance chose.

from micropython import const
from dovetail import alive, clock, faults
from dovetail.calibration import BACK, COUNT, ENTRY, INFEED, THICKNESS_IN
from dovetail.cards.ledger import STACK
from dovetail.faults import Fault
from dovetail.garbage import room
from dovetail.lanes.common import Halted, drive, find_home, gated, told
from dovetail.recovery import AGAIN, BACK_OFF, FIND, tried
from dovetail.table.layout import ASIS

_LONG = const(6)     # slots: a turn that leaves time to collect garbage


async def fill(machine, deck):
    began = clock.ticks_ms()
    ledger = deck.ledger
    ledger.clear()
    identity = machine.state.decks[deck.number].number
    machine.note("shuffle_begun", {"back": deck.number, "deck": identity, "service": machine.trial})
    await machine.settled()  # on flash before a card is inside
    drive(machine)
    machine.show()
    await gated(machine, alive.WHEEL, _first(machine))
    plan, feeder = machine.plan, machine.feeder
    if machine.rules.at(ASIS) == deck.number:
        for i in range(len(plan)):  # SH-6: carried over in its order
            plan[i] = i
    else:
        machine.chance.plan(len(plan), plan)
    while feeder.coming:
        i = ledger.counted_in
        await gated(machine, alive.WHEEL, _load(machine, deck, plan[i], i + 1 < len(plan)))
        ledger.seated()
    if feeder.waiting():
        raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
    machine.forget_plan()
    machine.sensors.empty((INFEED,))
    machine.sensors.tell(machine.event)
    if machine.slots:
        machine.slots.full()
    told(machine, ledger.counted_in, "filled", 0, ledger.counted_in)
    if machine.slots:
        fields = {"back": deck.number, "counted_in": ledger.counted_in, "counted_out": 0, "expected": machine.cards}
        machine.note("ready", fields)
    took = clock.ticks_diff(clock.ticks_ms(), began)
    machine.event(
        "shuffle_done",
        {"back": deck.number, "counted_in": ledger.counted_in, "expected": machine.cards, "took_ms": took},
    )


async def take_back(machine, deck):
    """SH-7: discards, while a round is played or between two; each to a slot that chance chose."""
    try:
        began, slots, feeder, ledger = clock.ticks_ms(), machine.slots, machine.feeder, deck.ledger
        before, plan, at = slots.inside(), machine.plan, 0
        drive(machine)
        await gated(machine, alive.WHEEL, _first(machine))
        machine.chance.plan(len(plan), plan)
        while feeder.coming:
            slot, at = slots.put(plan, at)
            if slot is None or not ledger.returned():
                raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
            await gated(machine, alive.WHEEL, _load(machine, deck, slot, ledger.at[STACK]))
            ledger.seated()
        if feeder.waiting():
            raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
        machine.forget_plan()
        inside = slots.inside()
        told(machine, inside, "filled", 0, inside)
        took = clock.ticks_diff(clock.ticks_ms(), began)
        fields = {"back": deck.number, "counted_in": inside, "expected": machine.cards, "took_ms": took}
        machine.event("shuffle_done", fields, {"counted_in": inside - before})
    except Halted:
        pass


async def _first(machine):
    """What takes time before the first card can be seated: noise, then the wheel's home; the card itself meanwhile."""
    feeder, wheel = machine.feeder, machine.wheel
    feeder.fresh()
    if not feeder.entry.dark() and not feeder.count.dark():
        machine.sensors.empty((ENTRY, COUNT, THICKNESS_IN, BACK))
    if feeder.waiting():
        feeder.begin()
    await _noise(machine)
    if machine.fault:
        raise Halted
    if feeder.coming:  # known now: it is not told only when the wheel has been looked for
        deck = machine.in_wheel

        async def staged():
            await feeder.ready(deck.back)

        await _proved(machine, deck, staged, {AGAIN: staged})
    if wheel.slot < 0:
        # not while noise is read: an interlock is seen too late then for the wheel to stand in time
        await find_home(machine)
    await feeder.rest()
    if machine.fault:
        raise Halted  # stopped meanwhile: no order is drawn any more


async def _noise(machine):
    """Fresh noise for the plan, a slice at a time; a true pause in between, or an interlock waits for all of it."""
    if machine.rules.at(ASIS) != machine.in_wheel.number:
        while not machine.fault and machine.chance.tend():
            await clock.sleep_ms(1)


async def _load(machine, deck, slot, more):
    """A card to its slot, with more behind it or not; what goes wrong is made good as the table of recovery says."""
    wheel, feeder = machine.wheel, machine.feeder

    async def seat():
        await _seat(machine, deck, slot, more)

    async def again():
        await wheel.arrive()
        await seat()

    async def find():
        if feeder.entering:
            raise Fault(faults.LOST_STEPS)  # a card may be in the mouth
        await wheel.find()
        await seat()

    async def back_off():
        await feeder.back_off()
        await seat()

    await _proved(machine, deck, seat, {AGAIN: again, BACK_OFF: back_off, FIND: find})


async def _proved(machine, deck, move, remedies):
    """The next card's move, with what may be tried; a fault of it names the card."""
    card = deck.ledger.counted_in + 1
    try:
        await tried(machine, card, move, remedies)
    except Fault as fault:
        fault.card = card
        raise


async def _seat(machine, deck, slot, more):
    """The staged card to its slot; the next one is staged meanwhile, while the wheel turns for it."""
    wheel, feeder = machine.wheel, machine.feeder
    wheel.start(slot)
    await feeder.ready(deck.back)
    await room(machine, wheel.away >= _LONG)  # nothing is between two sensors, and a long turn takes longer
    await wheel.near()
    feeder.launch()
    await wheel.arrive()
    if more:
        await feeder.follow()
    await feeder.seated()
    if machine.gate.wanted() or not more:
        await feeder.rest()  # what is told after the last card is written at once

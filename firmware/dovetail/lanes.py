# The two lanes that move cards: infeed to wheel to shoe, and shoe to tray. They run side by side.

from micropython import const
from dovetail import alive, clock, continuous, faults
from dovetail.cards.ledger import REMAINDER, STACK
from dovetail.faults import Fault
from dovetail.recovery import AGAIN, BACK_OFF, FIND, JOG, PUSH, tried
from dovetail.table import decks
from dovetail.table.layout import (
    ASIS, CARD, DRAW, EXTRA, JOB, OWED, REST, ROUND, STACK as A_STACK, START, VOID, WANTED, WHOLE,
)


_LONG = const(6)     # slots: a turn that leaves time to collect garbage

_FAULTS = {"wrong_deck": faults.WRONG_DECK, "disagree": faults.COUNTS_DISAGREE, "misdeal": faults.MISDEAL}


class Halted(Exception):
    """The machine was stopped by somebody else; there is nothing left to say."""


def _told(machine, card, *event):
    """Tell the rules what was counted. Where they find it wrong the lane ends in that fault."""
    if machine.tell(*event):
        raise Halted
    for action in machine.rules.actions:
        if action in _FAULTS:
            raise Fault(_FAULTS[action], card)


async def _card(machine, lane, moves):
    """One card's moves, between the gates; a stop in the meantime ends the lane."""
    gate = machine.gate
    machine.alive.here(lane)
    await gate.enter()
    try:
        if machine.fault:
            moves.close()
            raise Halted
        await moves
    except Fault:
        if machine.fault:
            raise Halted from None
        raise
    finally:
        gate.leave()


def _drive(machine):
    """The drivers may have been switched off since the last move."""
    if machine.fault:
        raise Halted
    machine.release()


async def wheel_lane(machine):
    """Waits for a deck to shuffle, fills the wheel, empties it into the shoe when that is free."""
    while True:
        await machine.alive.wait(alive.WHEEL, machine.wheel_work)
        deck = machine.in_wheel
        if machine.fault or deck is None:
            continue
        if deck.state == decks.SHUFFLING:
            await machine.guard(_turn(machine, deck), deck)
        elif deck.state == decks.TAKING:
            await machine.guard(_take_back(machine, deck), deck)
        machine.show()


async def _turn(machine, deck):
    try:
        await _fill(machine, deck)
        if deck.state == decks.MIXED:
            return  # it stays in the wheel
        while machine.in_shoe is not None and not machine.fault and not machine.rules.out():
            await machine.alive.wait(alive.WHEEL, machine.shoe_free)
        await _empty(machine, deck)
    except Halted:
        pass


async def _fill(machine, deck):
    began = clock.ticks_ms()
    ledger = deck.ledger
    ledger.clear()
    identity = machine.state.decks[deck.number].number
    machine.note("shuffle_begun", {"back": deck.number, "deck": identity, "service": machine.trial})
    await machine.settled()  # on flash before a card is inside
    _drive(machine)
    machine.show()
    await _card(machine, alive.WHEEL, _first(machine))
    plan, feeder = machine.plan, machine.feeder
    if machine.rules.at(ASIS) == deck.number:
        for i in range(len(plan)):  # SH-6: carried over in its order
            plan[i] = i
    else:
        machine.chance.plan(len(plan), plan)
    while feeder.coming:
        i = ledger.counted_in
        await _card(machine, alive.WHEEL, _load(machine, deck, plan[i], i + 1 < len(plan)))
        ledger.seated()
    if feeder.waiting():
        raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
    machine.forget_plan()
    if machine.slots:
        machine.slots.full()
    _told(machine, ledger.counted_in, "filled", 0, ledger.counted_in)
    if machine.slots:
        fields = {"back": deck.number, "counted_in": ledger.counted_in, "counted_out": 0, "expected": machine.cards}
        machine.note("ready", fields)
    took = clock.ticks_diff(clock.ticks_ms(), began)
    machine.event(
        "shuffle_done",
        {"back": deck.number, "counted_in": ledger.counted_in, "expected": machine.cards, "took_ms": took},
    )


async def _take_back(machine, deck):
    """SH-7: discards, while a round is played or between two; each to a slot that chance chose."""
    try:
        began, slots, feeder, ledger = clock.ticks_ms(), machine.slots, machine.feeder, deck.ledger
        before, plan, at = slots.inside(), machine.plan, 0
        _drive(machine)
        await _card(machine, alive.WHEEL, _first(machine))
        machine.chance.plan(len(plan), plan)
        while feeder.coming:
            slot, at = slots.put(plan, at)
            if slot is None or not ledger.returned():
                raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
            await _card(machine, alive.WHEEL, _load(machine, deck, slot, ledger.at[STACK]))
            ledger.seated()
        if feeder.waiting():
            raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
        machine.forget_plan()
        inside = slots.inside()
        _told(machine, inside, "filled", 0, inside)
        took = clock.ticks_diff(clock.ticks_ms(), began)
        fields = {"back": deck.number, "counted_in": inside, "expected": machine.cards, "took_ms": took}
        machine.event("shuffle_done", fields, {"counted_in": inside - before})
    except Halted:
        pass


async def _first(machine):
    """What takes time before the first card can be seated: noise, then the wheel's home; the card itself meanwhile."""
    feeder, wheel = machine.feeder, machine.wheel
    feeder.fresh()
    if feeder.waiting():
        feeder.begin()
    await _noise(machine)
    if machine.fault:
        raise Halted
    if wheel.slot < 0:
        await wheel.home()  # not while noise is read: an interlock is seen too late then for the wheel to stand in time
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

    try:
        await tried(machine, deck.ledger.counted_in + 1, seat, {AGAIN: again, BACK_OFF: back_off, FIND: find})
    except Fault as fault:
        fault.card = deck.ledger.counted_in + 1
        raise


async def _seat(machine, deck, slot, more):
    """The staged card to its slot; the next one is staged meanwhile, while the wheel turns for it."""
    wheel, feeder = machine.wheel, machine.feeder
    wheel.start(slot)
    await feeder.ready(deck.back)
    await machine.room(wheel.away >= _LONG)  # nothing is between two sensors, and a long turn takes longer
    await wheel.near()
    feeder.launch()
    await wheel.arrive()
    if more:
        await feeder.follow()
    await feeder.seated()
    if machine.gate.wanted() or not more:
        await feeder.rest()  # what is told after the last card is written at once


async def _empty(machine, deck):
    ledger, m = deck.ledger, machine.hal.mechanics
    _told(machine, 0, "moved")
    _drive(machine)
    machine.show()
    if machine.wheel.slot < 0:
        await _card(machine, alive.WHEEL, machine.wheel.home())
    for slot in range(machine.cards):
        place = (slot - m.EXIT_SLOTS) % m.SLOTS
        await _card(machine, alive.WHEEL, _eject(machine, deck, place))
        ledger.ejected()
    machine.shoe.fresh()
    _told(machine, ledger.counted_out, "emptied", 0, ledger.counted_in, ledger.counted_out)
    text = "%d of %d" % (ledger.counted_out, machine.cards)
    machine.event(
        "ready",
        {
            "back": deck.number,
            "counted_in": ledger.counted_in,
            "counted_out": ledger.counted_out,
            "expected": machine.cards,
            "text": text,
            "cut_required": False,  # SH-3: straight into the shoe
        },
    )


async def _eject(machine, deck, slot):
    wheel, ejector = machine.wheel, machine.ejector

    async def out():
        wheel.start(slot)
        machine.tidy()  # it takes less than the turn by one slot
        await wheel.arrive()
        await ejector.out_card()

    async def find():
        await wheel.find()
        await out()

    try:
        await tried(machine, deck.ledger.counted_out + 1, out, {FIND: find, AGAIN: out, PUSH: ejector.push})
    except Fault as fault:
        fault.card = deck.ledger.counted_out + 1
        raise


async def deal_lane(machine):
    """Waits for an order: a stack, a draw, the remainder; or for a starting position."""
    while True:
        await machine.alive.wait(alive.DEAL, machine.deal_work)
        if machine.fault:
            continue
        if machine.rules.at(START) == WANTED:
            await machine.guard(_start(machine), None)
        if machine.dealing:
            await machine.guard(_deal(machine), machine.in_play)
        machine.show()


async def _start(machine):
    """DS-13: from the same chance as the shuffle."""
    while machine.chance.tend():
        await clock.sleep_ms(1)
    position = machine.chance.position(machine.rules.at(OWED))
    machine.tell("start_drawn", 0, position)
    fields = {"round": machine.rules.number, "position": position}
    machine.note("position", fields)
    machine.event("start_drawn", fields)


async def _deal(machine):
    try:
        _drive(machine)
        if machine.rules.at(JOB) in (A_STACK, DRAW, CARD):
            await _stack(machine)
        else:
            await _rest(machine)
    except Halted:
        pass


async def _stack(machine):
    deck, rules = machine.in_play, machine.rules
    position, ordered = machine.order
    before = deck.ledger.at[STACK]
    spare = rules.at(EXTRA) if rules.at(JOB) == A_STACK else 0  # DS-10: it lies on the table already
    await machine.settled()  # that the round is open, and its bets closed
    try:
        machine.tray.empty()
        while deck.ledger.at[STACK] - before + spare < ordered:
            await _give(machine, deck, STACK)
    finally:
        delivered = deck.ledger.at[STACK] - before + spare
        # I-3: what was measured is told with its position, also when it is not what was ordered
        machine.event(
            "stack", {"round": rules.number, "position": position, "ordered": ordered, "delivered": delivered}
        )
    _told(machine, delivered, "delivered", 0, delivered, ordered)
    await machine.tray.arrived()
    machine.alive.idle(alive.DEAL)  # a person's time
    await machine.tray.taken()
    machine.alive.at_work(alive.DEAL)
    machine.tell("taken")
    machine.event("taken", {"round": rules.number, "position": position})


async def _give(machine, deck, place):
    ledger = deck.ledger
    shoe = machine.shoe
    remedies = {AGAIN: shoe.again, JOG: shoe.jog}
    try:
        if machine.slots:
            await _bring(machine, deck)
        await machine.room(True)
        await _card(machine, alive.DEAL, tried(machine, ledger.dealt + 1, shoe.deal_card, remedies))
    except Fault as fault:
        fault.card = ledger.dealt + 1
        for _ in range(fault.passed):
            ledger.given(place)
        raise
    if not ledger.given(place):
        raise Fault(faults.WRONG_DECK, ledger.dealt)


async def _bring(machine, deck):
    """SH-7: one card, uniform over those inside, from the wheel into the shoe."""
    m = machine.hal.mechanics
    if machine.wheel.slot < 0:
        await _card(machine, alive.DEAL, machine.wheel.home())
    place = (await continuous.drawn(machine) - m.EXIT_SLOTS) % m.SLOTS
    await _card(machine, alive.DEAL, _eject(machine, deck, place))
    deck.ledger.ejected()
    machine.shoe.fresh()


async def _rest(machine):
    """All that is left in the shoe in one release, counted: a remainder, or a deck that nobody has played."""
    deck, rules = machine.in_shoe, machine.rules
    ledger = deck.ledger
    dealt = ledger.dealt
    played = rules.at(JOB) == REST
    machine.tray.empty()
    while machine.shoe.holds():
        await _give(machine, deck, REMAINDER)
    rest = ledger.at[REMAINDER]
    if rest:
        await machine.tray.arrived()
    whole = rules.at(JOB) == WHOLE
    fields = {
        "round": rules.number if played else 0,
        "delivered": rest,
        "dealt": dealt,
        "expected": machine.cards,
        "stub": bool(machine.profile.stub) or rules.at(ROUND) == VOID,
    }
    inside = {"inside": machine.in_wheel is not None or ledger.dealt != machine.cards}
    if whole:
        fields.update(inside)
        machine.note("remainder", fields)
    else:
        machine.event("remainder", fields, inside)
    _told(machine, ledger.dealt, "rest_out", 0, ledger.dealt, rest)  # CT-3: every stack was right, the total is not
    if whole:
        cut = bool(machine.profile.cut)  # SH-3
        fields = {"back": deck.number, "cards": rest, "expected": machine.cards, "cut_required": cut}
        machine.event("whole_deck", fields)
    await machine.settled()
    machine.shoe_free.set()

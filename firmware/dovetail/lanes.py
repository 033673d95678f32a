# The two lanes that move cards: infeed to wheel to shoe, and shoe to tray. They run side by side.

from dovetail import clock, faults
from dovetail.cards.ledger import REMAINDER, STACK
from dovetail.faults import Fault
from dovetail.table import decks
from dovetail.table.rounds import RELEASED


class Halted(Exception):
    """The machine was stopped by somebody else; there is nothing left to say."""


async def _card(machine, moves):
    """One card's moves, between the gates; a stop in the meantime ends the lane."""
    gate = machine.gate
    await gate.enter()
    try:
        if machine.fault:
            raise Halted
        await moves
    except Fault:
        if machine.fault:
            raise Halted from None
        raise
    finally:
        gate.leave()


async def wheel_lane(machine):
    """Waits for a deck to shuffle, fills the wheel, empties it into the shoe when that is free."""
    while True:
        await machine.wheel_work.wait()
        deck = machine.in_wheel
        if machine.fault or deck is None or deck.state != decks.SHUFFLING:
            continue
        await machine.guard(_turn(machine, deck), deck)
        machine.show()


async def _turn(machine, deck):
    try:
        await _fill(machine, deck)
        while machine.in_shoe is not None and not machine.fault:
            await machine.shoe_free.wait()
        await _empty(machine, deck)
    except Halted:
        pass


async def _fill(machine, deck):
    began = clock.ticks_ms()
    wheel, ledger = machine.wheel, deck.ledger
    ledger.clear()
    identity = machine.state.decks[deck.number].number
    machine.note("shuffle_begun", {"back": deck.number, "deck": identity, "service": 0})
    await machine.settled()  # on flash before a card is inside
    if machine.fault:
        raise Halted
    machine.release()
    machine.show()
    if wheel.slot < 0:
        await _card(machine, wheel.home())
    plan = machine.plan
    while machine.chance.tend():  # fresh noise, a slice at a time: the link is answered in between
        await clock.sleep_ms(0)
        if machine.fault:
            raise Halted
    machine.chance.plan(len(plan), plan)
    while machine.feeder.waiting():
        if ledger.counted_in == len(plan):
            raise Fault(faults.WRONG_DECK, ledger.counted_in + 1)
        await _card(machine, _load(machine, deck, plan[ledger.counted_in]))
        ledger.seated()
    machine.forget_plan()
    if ledger.counted_in != machine.cards:
        raise Fault(faults.WRONG_DECK, ledger.counted_in)
    deck.state = decks.step(deck.state, decks.LOADED)
    took = clock.ticks_diff(clock.ticks_ms(), began)
    machine.event(
        "shuffle_done",
        {"back": deck.number, "counted_in": ledger.counted_in, "expected": machine.cards, "took_ms": took},
    )


async def _load(machine, deck, slot):
    await machine.wheel.turn_to(slot)
    try:
        await machine.feeder.next_card(deck.back)
    except Fault as fault:
        fault.card = deck.ledger.counted_in + 1
        raise


async def _empty(machine, deck):
    ledger, m = deck.ledger, machine.hal.mechanics
    if machine.fault:
        raise Halted
    deck.state = decks.step(deck.state, decks.MOVE)
    machine.in_shoe = deck
    machine.show()
    for slot in range(machine.cards):
        await _card(machine, _eject(machine, deck, (slot - m.EXIT_SLOTS) % m.SLOTS))
        ledger.ejected()
    if ledger.counted_out != machine.cards or ledger.counted_in != ledger.counted_out:
        raise Fault(faults.COUNTS_DISAGREE)
    machine.in_wheel = None
    machine.shoe.fresh()
    deck.state = decks.step(deck.state, decks.COUNTED)
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
    await machine.wheel.turn_to(slot)
    try:
        await machine.ejector.out_card()
    except Fault as fault:
        fault.card = deck.ledger.counted_out + 1
        raise


async def deal_lane(machine):
    """Waits for an order: a stack, or the remainder."""
    while True:
        await machine.deal_work.wait()
        order, machine.job = machine.job, None
        if order is None or machine.fault:
            continue
        machine.dealing = True
        await machine.guard(_deal(machine, order), machine.in_shoe)
        machine.dealing = False
        machine.show()


async def _deal(machine, position):
    try:
        if position:
            await _stack(machine, position)
        else:
            await _remainder(machine)
    except Halted:
        pass


async def _stack(machine, position):
    deck, rnd = machine.in_shoe, machine.round
    delivered = 0
    await machine.settled()  # that the round is open, and its bets closed
    try:
        while delivered < rnd.stack:
            await _give(machine, deck, STACK)
            delivered += 1
        rnd.stacks += 1
    finally:
        # I-3: what was measured is told with its position, also when it is not what was ordered
        machine.event(
            "stack", {"round": rnd.number, "position": position, "ordered": rnd.stack, "delivered": delivered}
        )
    await machine.tray.taken()
    machine.event("taken", {"round": rnd.number, "position": position})


async def _give(machine, deck, place):
    ledger = deck.ledger
    try:
        await _card(machine, machine.shoe.deal_card())
    except Fault as fault:
        fault.card = ledger.dealt + 1
        raise
    if not ledger.given(place):
        raise Fault(faults.WRONG_DECK, ledger.dealt)


async def _remainder(machine):
    deck, rnd = machine.in_shoe, machine.round
    ledger = deck.ledger
    dealt = ledger.dealt
    while machine.shoe.holds():
        await _give(machine, deck, REMAINDER)
    machine.event(
        "remainder",
        {
            "round": rnd.number,
            "delivered": ledger.at[REMAINDER],
            "dealt": dealt,
            "expected": machine.cards,
            "stub": machine.profile["stub"][0],
        },
        {"inside": machine.in_wheel is not None or ledger.dealt != machine.cards},
    )
    if ledger.dealt != machine.cards:
        raise Fault(faults.WRONG_DECK, ledger.dealt)  # CT-3: every stack was right, the total is not
    rnd.state = RELEASED
    deck.state = decks.step(deck.state, decks.RELEASED)
    machine.in_shoe = None
    await machine.settled()
    machine.shoe_free.set()

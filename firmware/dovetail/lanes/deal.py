# The lane of the shoe: shoe to tray. Stacks, draws, the remainder; and a round's starting position.

from micropython import const
from dovetail import alive, clock, continuous, faults
from dovetail.calibration import DEAL, THICKNESS_OUT
from dovetail.cards.ledger import REMAINDER, SHOE, STACK
from dovetail.faults import Fault
from dovetail.garbage import room
from dovetail.lanes.common import Halted, drive, find_home, gated, told
from dovetail.lanes.emptying import FALL_MS, eject, shoe_empty
from dovetail.recovery import AGAIN, JOG, note, tell, tried
from dovetail.table.layout import (
    BROUGHT, CARD, DRAW, EXTRA, JOB, OWED, REST, ROUND, STACK as A_STACK, START, VOID, WANTED, WHOLE,
)

# What is said of a stack
_AS_ORDERED = const(0)  # from link/link.proto: AS_ORDERED
_ONE_MORE = const(1)  # from link/link.proto: ONE_MORE
_HAND_VOID = const(3)  # from link/link.proto: HAND_VOID
_MISDEALT = const(4)  # from link/link.proto: MISDEALT
_CUT_SHORT = const(5)  # from link/link.proto: CUT_SHORT
_NOT_COUNTED = const(6)  # from link/link.proto: NOT_COUNTED
# What a remainder has shown; else the number of the deck whose cards are not right
_RIGHT = const(0)
_MISDEAL = const(3)
_LAST = const(2)  # cards of a stack; while they are dealt the other lane comes to rest, so that it can be told at once
_BETWEEN_MS = const(50)  # two cards there is as much time, now and then
_VERDICTS = {"one_more": _ONE_MORE, "hand_void": _HAND_VOID, "misdeal": _MISDEALT}


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
    while not machine.fault and machine.chance.tend():
        await clock.sleep_ms(1)
    if machine.rules.at(START) != WANTED:
        return  # stopped meanwhile: the draw was given up
    position = machine.chance.position(machine.rules.at(OWED))
    machine.tell("start_drawn", 0, position)
    machine.event("start_drawn", {"round": machine.rules.number, "position": position})


async def _deal(machine):
    try:
        drive(machine)
        if not machine.shoe.beam.dark():
            machine.sensors.empty((DEAL, THICKNESS_OUT))
        if machine.rules.at(JOB) in (A_STACK, DRAW, CARD):
            await _stack(machine)
        else:
            await _rest(machine)
    except Halted:
        pass


async def _stack(machine):
    deck, rules, shoe = machine.in_play, machine.rules, machine.shoe
    position, ordered = machine.order
    before = deck.ledger.at[STACK]
    spare = rules.at(EXTRA)  # DS-10: it lies on the table already
    shoe.unsure = False
    verdict = _CUT_SHORT
    await machine.settled()  # that the round is open, and its bets closed
    try:
        machine.tray.empty()
        while deck.ledger.at[STACK] - before + spare < ordered:
            if ordered - spare - deck.ledger.at[STACK] + before <= _LAST:
                machine.gate.keep(alive.DEAL)
            await _give(machine, deck, STACK)
            machine.tray.sent(shoe.sent_ms)
        if machine.tell("delivered", 0, deck.ledger.at[STACK] - before + spare, ordered, position):
            raise Halted
        verdict = _verdict(rules.actions)
    finally:
        delivered = deck.ledger.at[STACK] - before
        # I-3: what was measured is told with its position, also when it is not what was ordered, or not all is known
        fields = {
            "round": rules.number, "position": position, "ordered": ordered, "delivered": delivered,
            "from_table": spare, "verdict": _NOT_COUNTED if shoe.unsure else verdict,
        }  # fmt: skip
        machine.event("stack", fields, {"ejected": deck.ledger.out_untold() if machine.slots else 0})
        if verdict in (_CUT_SHORT, _MISDEALT):
            machine.gate.keep(0)
    if verdict == _MISDEALT:
        raise Fault(faults.MISDEAL, deck.ledger.dealt)
    try:
        if delivered:  # all of it may lie on the table
            await machine.tray.arrived(machine.shoe.sent_ms)
        await machine.settled()
    finally:
        machine.gate.keep(0)
    if delivered:
        machine.alive.idle(alive.DEAL)  # a person's time
        await machine.tray.taken()
        machine.alive.at_work(alive.DEAL)
    machine.tell("taken")
    machine.event("taken", {"round": rules.number, "position": position})


def _verdict(actions):
    for action in actions:
        return _VERDICTS[action]
    return _AS_ORDERED


async def _give(machine, deck, place):
    ledger = deck.ledger
    shoe, card = machine.shoe, ledger.dealt + 1
    remedies = {AGAIN: shoe.again, JOG: shoe.jog}
    try:
        if machine.slots:
            await _bring(machine, deck)
        await room(machine, _BETWEEN_MS)
        machine.tray.look()  # that may have taken long
        seen = shoe.look()
        await gated(machine, alive.DEAL, tried(machine, card, shoe.deal_card, remedies, {JOG: shoe.hangs}))
    except Fault as fault:
        fault.card = card if fault.number != faults.TRAY_BLIND else 0
        for _ in range(fault.passed):
            ledger.given(place)
        raise
    if shoe.passed > 1:  # DS-10: they are counted; one too many is the first of the next stack
        tell(machine, faults.DEAL_DOUBLE, card, 0)
        note(machine, faults.DEAL_DOUBLE, card, 0, 1)
    for _ in range(shoe.passed):
        if not ledger.given(place):
            raise Fault(faults.WRONG_DECK, ledger.dealt)
    if not seen:
        raise Fault(faults.SHOE_SENSOR, ledger.dealt)  # a card came that it did not see


async def _bring(machine, deck):
    """SH-7: one card, uniform over those inside, from the wheel into the shoe."""
    m = machine.hal.mechanics
    shoe_empty(machine)
    if machine.wheel.slot < 0:
        await gated(machine, alive.DEAL, find_home(machine))
    place = (await continuous.drawn(machine) - m.EXIT_SLOTS) % m.SLOTS
    await gated(machine, alive.DEAL, eject(machine, deck, place))
    deck.ledger.ejected()
    machine.shoe.fresh()
    await clock.sleep_ms(FALL_MS)


async def _rest(machine):
    """All that is left in the shoe in one release, counted: a remainder, or a deck that nobody has played."""
    deck, rules = machine.in_shoe, machine.rules
    ledger = deck.ledger
    dealt = ledger.dealt
    played = rules.at(JOB) == REST
    machine.shoe.unsure = False
    machine.tray.empty()
    while machine.shoe.holds() or ledger.at[SHOE]:
        try:
            await _give(machine, deck, REMAINDER)
        except Fault as fault:
            if fault.number == faults.SHOE_SHORT:
                break  # sensor and roller say that it is empty: the count will tell
            if fault.number == faults.DEAL_MISFEED and not ledger.at[SHOE]:
                raise Fault(faults.SHOE_SENSOR, fault.card) from None  # all are out, none comes, and it sees one
            raise
        machine.tray.sent(machine.shoe.sent_ms)
    rest = ledger.at[REMAINDER]
    machine.sensors.tell(machine.event)
    if rest:
        await machine.tray.arrived(machine.shoe.sent_ms)
    whole = rules.at(JOB) == WHOLE
    inside, found = machine.in_wheel is not None or ledger.dealt != machine.cards, _RIGHT
    fields = {
        "round": rules.number if played else 0,
        "delivered": rest,
        "dealt": dealt,
        "expected": machine.cards,
        "stub": bool(machine.profile.stub) or rules.at(ROUND) == VOID,
    }
    try:
        told(machine, ledger.dealt, "rest_out", 0, ledger.dealt, rest)  # CT-3: every stack was right, the total is not
    except Fault:
        found = _MISDEAL if ledger.dealt == machine.cards else deck.number
        raise
    finally:  # one record has the count and what it means: the power may go before the next one
        if not whole:
            machine.event("remainder", fields, {"inside": inside, "found": found})
    machine.voids.settle(deck.number, True)
    if whole:
        order = machine.order_of(deck)
        cut = machine.profile.cut_owed(order == BROUGHT)  # SH-3
        fields = {"back": deck.number, "cards": rest, "expected": machine.cards, "cut_required": cut, "order": order}
        machine.event("whole_deck", fields, {"inside": inside})
    await machine.settled()
    machine.shoe_free.set()

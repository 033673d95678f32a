# Cards from the wheel into the shoe.

from micropython import const
from dovetail import alive
from dovetail.calibration import EXIT, SHOE
from dovetail.faults import SHOE_FULL, SHOE_SENSOR, Fault
from dovetail.garbage import room
from dovetail.lanes.common import drive, find_home, gated, told
from dovetail.recovery import AGAIN, FIND, PUSH, tried

FALL_MS = const(50)  # until a card that has passed the exit beam lies at the shoe's nip


async def empty(machine, deck):
    ledger, m = deck.ledger, machine.hal.mechanics
    told(machine, 0, "moved")
    shoe_empty(machine)
    if not machine.ejector.exit.dark():
        machine.sensors.empty((EXIT, SHOE))
    drive(machine)
    machine.show()
    if machine.wheel.slot < 0:
        await gated(machine, alive.WHEEL, find_home(machine))
    for slot in range(machine.cards):
        place = (slot - m.EXIT_SLOTS) % m.SLOTS
        await gated(machine, alive.WHEEL, eject(machine, deck, place))
        ledger.ejected()
    machine.shoe.fresh()
    if not machine.shoe.holds():
        raise Fault(SHOE_SENSOR, ledger.counted_out)  # a whole deck lies there
    told(machine, ledger.counted_out, "emptied", 0, ledger.counted_in, ledger.counted_out)
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
            "order": machine.order_of(deck),
        },
    )
    machine.voids.settle(deck.number, True)  # by both counts


def shoe_empty(machine):
    """Before a card falls there: what lies in the shoe already was counted by nobody, or its sensor is wrong."""
    if machine.shoe.holds():
        raise Fault(SHOE_FULL)


async def eject(machine, deck, slot):
    wheel, ejector = machine.wheel, machine.ejector

    async def out():
        wheel.start(slot)
        await room(machine, wheel.left_ms())
        await wheel.arrive()
        await ejector.out_card()

    async def again():
        await wheel.nudge()  # the rod may have met a wall
        await out()

    async def find():
        await wheel.find()
        await out()

    try:
        remedies = {FIND: find, AGAIN: again, PUSH: ejector.push}
        await tried(machine, deck.ledger.counted_out + 1, out, remedies, {FIND: wheel.turns, PUSH: ejector.stands})
    except Fault as fault:
        fault.card = deck.ledger.counted_out + 1
        raise

# After a fault, or a power cut with cards inside: the operator has removed every card, the machine looks for itself.
# Nothing is believed: each slot is pushed out once, every sensor must see nothing. Only then does the fault go.

from dovetail import faults
from dovetail.faults import Fault
from dovetail.table import decks


async def clear_lane(machine):
    while True:
        await machine.clear_work.wait()
        if not machine.fault:
            continue
        number, found = machine.fault, 0
        try:
            found = await _look(machine)
            if found:
                number = faults.INSIDE
        except Fault as fault:
            number = machine.unsafe() or fault.number
            found = machine.inside()
        if found or number != machine.fault:
            machine.fault = number
            machine.tell_fault(0, found)
            machine.hal.enable(False)
        else:
            await _clear(machine)
        machine.clearing = False
        machine.show()


async def _look(machine):
    """How many cards, or places that are not empty, were found."""
    m = machine.hal.mechanics
    machine.release()
    machine.show()
    found = 0
    for beam in (machine.feeder.entry, machine.feeder.count, machine.ejector.exit, machine.shoe.beam):
        found += beam.dark()
    if found:
        return found
    await machine.wheel.home()
    for slot in range(m.SLOTS):
        await machine.wheel.turn_to(slot)
        found += await machine.ejector.stroke()
    return found + machine.feeder.waiting() + machine.shoe.holds() + machine.tray.holds()


async def _clear(machine):
    number, machine.fault = machine.fault, 0
    for deck in machine.decks[1:]:
        deck.state = decks.step(deck.state, decks.CLEAR)
        deck.ledger.clear()
    machine.in_wheel = machine.in_shoe = machine.job = None
    machine.event("cleared", {"fault": number})
    await machine.settled()

# After a fault, or a power cut with cards inside: the operator has removed every card, the machine looks for itself.
# Nothing is believed: each slot is pushed out once, every sensor must see nothing. Only then does the fault go.

from dovetail import alive, faults
from dovetail.faults import Fault
from dovetail.reports import tell_fault


async def clear_lane(machine):
    while True:
        await machine.alive.wait(alive.CLEAR, machine.clear_work)
        if not machine.clearing:
            continue
        number, found = machine.fault, 0
        try:
            found = await _look(machine)
            if found:
                number = faults.INSIDE
        except Fault as fault:
            number = machine.unsafe() or fault.number
            found = machine.inside() or 1
        machine.sense()
        machine.tell("found", 0, found)
        if "cleared" in machine.rules.actions:
            await _clear(machine)
        else:
            machine.fault = number or machine.unsafe()
            tell_fault(machine, 0, found)
            machine.motors.power_down()
        machine.show()


async def _look(machine):
    """How many cards, or places that are not empty, were found."""
    m = machine.hal.mechanics
    machine.motors.release()
    machine.show()
    found = _dark(machine)
    if found:
        return found
    await machine.ejector.home()
    await machine.wheel.home()
    for slot in range(m.SLOTS):
        machine.alive.here(alive.CLEAR)
        await machine.wheel.turn_to(slot)
        found += await machine.ejector.stroke()
    found += _dark(machine)  # what fell meanwhile
    return found + machine.feeder.waiting() + machine.shoe.holds() + machine.tray.holds()


def _dark(machine):
    """How many beams see something."""
    found = 0
    for beam in (machine.feeder.entry, machine.feeder.count, machine.ejector.exit, machine.shoe.beam):
        found += beam.dark()
    return found


async def _clear(machine):
    number, machine.fault = machine.fault, 0
    for deck in machine.decks[1:]:
        deck.ledger.clear()
    machine.shoe.fresh()
    machine.event("cleared", {"fault": number})
    if machine.state.out:
        machine.note("out_of_service", {"on": 0, "inside": 0})
    await machine.settled()

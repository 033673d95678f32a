# After a fault, or a power cut with cards inside: the operator has removed every card, the machine looks for itself.
# Nothing is believed: each slot is pushed out once, every sensor must see nothing. Only then does the fault go.

from micropython import const
from dovetail import alive, faults
from dovetail.cards.ledger import SHOE, WHEEL
from dovetail.faults import DEAL_BLIND, DEAL_MISFEED, SHOE_FULL, Fault
from dovetail.reports import tell_fault

# I-12: records that can be asked for again and again without a hand at the machine
_IN_SERVICE = const(3)  # out of service, cleared, in service
_UNCALIBRATED = const(2)  # cleared, and the fault that stands again
_TRIES = const(2)  # of the roller, where it brings none: it slips now and then


async def clear_lane(machine):
    while True:
        await machine.alive.wait(alive.CLEAR, machine.clear_work)
        if not machine.clearing:
            continue
        number, found, seen = machine.fault, 0, True
        emptying, machine.emptying = machine.emptying, False
        try:
            if emptying:
                found, seen = await _push_out(machine)
            else:
                found = await _look(machine)
            if found:
                number = faults.INSIDE
        except Fault as fault:
            number = machine.cause(fault.number)
            found = machine.inside() or 1
            seen = not emptying  # what the wheel holds is known by count alone
        except Exception as error:  # a defect of our own
            machine.error, number, found = error, faults.SOFTWARE, machine.inside() or 1
        machine.sense(True)
        machine.tell("found", 0, found)
        if "cleared" in machine.rules.actions:
            await _clear(machine)
        elif number == faults.SOFTWARE:
            machine.instead(number)
        elif machine.fault != faults.NOISE:  # EL-4: it may have failed meanwhile
            machine.fault = number or machine.unsafe()
            machine.memory.spend(machine.asker, 1)  # I-12: nobody has touched a card, and it can be asked for again
            machine.in_vain = True
            tell_fault(machine, 0, found, seen=seen)
            machine.motors.power_down()
        machine.show()


async def _push_out(machine):
    """Forced emptying: what the shoe holds into the tray; else what the wheel holds, through the shoe.

    One deck at a time, for the tray holds no more. How many were found or are left, and whether it has seen all of the
    machine: what wheel and shoe hold by count is told until it has come out, or somebody says that he has it.
    """
    ejector, shoe = machine.ejector, machine.shoe
    if machine.tray.holds():
        return machine.inside() or 1, not machine.inside()
    machine.motors.release()
    machine.show()
    await _gated(machine, ejector.home())
    held, from_wheel, from_shoe = _held(machine, SHOE), 0, await _turn_out(machine)
    if ejector.pushing and from_shoe > held:
        _moved(machine, WHEEL, None)  # it had fallen
    ejector.pushing = False  # it is out, in the beam, or in its slot
    if _held(machine, SHOE) and shoe.holds():
        raise Fault(SHOE_FULL)  # by count and by its sensor: no roller brings it
    if not from_shoe and not _held(machine, SHOE) and not _dark(machine):
        from_wheel = await _strokes(machine)
        from_shoe = await _turn_out(machine)
    machine.event("emptied", {"from_wheel": from_wheel, "from_shoe": from_shoe})
    if from_shoe:
        await machine.tray.arrived(shoe.sent_ms)
        shoe.fresh()
    elif shoe.holds():
        raise Fault(SHOE_FULL)
    held = _held(machine, WHEEL) + _held(machine, SHOE)
    if held:
        return held, False
    left = from_wheel or from_shoe or _dark(machine) or machine.feeder.waiting() or machine.tray.holds()
    return 1 if left else 0, True


async def _turn_out(machine):
    """What the shoe holds into the tray, whatever its sensor sees, until the roller brings none; how many came."""
    came = tries = 0
    while came < machine.cards and tries < _TRIES:
        try:
            await _gated(machine, machine.shoe.turn_out())
        except Fault as fault:
            if fault.number != DEAL_MISFEED or machine.unsafe() or machine.motors.held_by:
                raise
            if machine.tray.holds() and not came:
                raise Fault(DEAL_BLIND) from None
            tries += 1
            continue
        came, tries = came + 1, 0
        _passed(machine, 2)
        _moved(machine, SHOE, None)
    return came


def _held(machine, place):
    """Return how many lie there by count."""
    return sum(deck.ledger.at[place] for deck in machine.decks[1:])


async def _strokes(machine):
    """Each slot of the wheel pushed out once; how many held something."""
    found = 0
    await _gated(machine, machine.wheel.home())
    for slot in range(machine.hal.mechanics.SLOTS):
        if await _gated(machine, _stroke(machine, slot)):
            found += 1
            _passed(machine, 1)
            _moved(machine, WHEEL, SHOE)
    for deck in machine.decks[1:]:
        deck.ledger.at[WHEEL] = 0  # whatever was counted
    return found


async def _stroke(machine, slot):
    await machine.wheel.turn_to(slot)
    return await machine.ejector.stroke()


async def _gated(machine, move):
    """No flash is written while it lasts; a sign of life before it."""
    machine.alive.here(alive.CLEAR)
    await machine.gate.enter()
    try:
        return await move
    finally:
        machine.gate.leave()


def _moved(machine, place, to):
    """A card has left this place; of whose it is, there lie fewer now."""
    for deck in machine.decks[1:]:
        at = deck.ledger.at
        if at[place]:
            at[place] -= 1
            if to is not None:
                at[to] += 1
            return


def _passed(machine, place):
    """A card has passed a roller; whose it is nobody knows. The fault that follows tells how many, for the meters."""
    passed = machine.decks[1].ledger.passed
    passed[place] = min(passed[place] + 1, 255)


async def _look(machine):
    """Return how many cards, or places that are not empty, were found."""
    machine.motors.release()
    machine.show()
    found = _dark(machine) + machine.shoe.holds()
    if found:
        return found  # nothing is pushed on a deck that lies in the shoe
    await _gated(machine, machine.ejector.home())
    found = await _strokes(machine)
    found += _dark(machine)  # what fell meanwhile
    return found + machine.feeder.waiting() + machine.shoe.holds() + machine.tray.holds()


def _dark(machine):
    """Return how many beams see something."""
    found = 0
    for beam in machine.beams():
        found += beam.dark()
    return found


async def _clear(machine):
    number, machine.fault, machine.guest = machine.fault, 0, 0
    for deck in machine.decks[1:]:
        deck.ledger.clear()
    machine.feeder.fresh()
    machine.shoe.fresh()
    machine.ejector.pushing = False
    machine.event("cleared", {"fault": number})
    if machine.state.out:
        machine.note("out_of_service", {"on": 0, "inside": 0})
        machine.memory.spend(machine.asker, _IN_SERVICE)
    if machine.sensors.calibration.why:
        machine.memory.spend(machine.asker, _UNCALIBRATED)
        machine.stop(faults.CALIBRATION)
    await machine.settled()

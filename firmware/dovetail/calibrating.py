# The bench's calibration: one good card goes through the machine, past every sensor. Each is read with nothing there
# and with the card. What is good or marginal everywhere is kept in the settings, with the board's number. A self-test
# with a card sends one the same way, and keeps nothing.

import asyncio
from micropython import const
from dovetail import alive, calibration, clock, faults
from dovetail.calibration import (
    BACK, COUNT, DEAL, DIRTY, ENTRY, EXIT, GOOD, INFEED, SENSORS, SETTING, SHOE, THICKNESS_IN, THICKNESS_OUT, TRAY,
    WORDS,
)
from dovetail.faults import Fault
from dovetail.lanes.emptying import FALL_MS

BEGUN = const(1)
PASSED = const(2)
FAILED = const(3)
TESTING = const(4)
TESTED = const(5)
# Where a card stuck only the sensors that its fault speaks of may be to blame
_ACCUSES = {
    faults.BEAM_BLIND: (ENTRY, COUNT), faults.THICKNESS: (THICKNESS_IN,), faults.BACK_UNREAD: (BACK,),
    faults.SLOT_EMPTY: (EXIT,), faults.SHOE_SHORT: (SHOE, DEAL), faults.SHOE_SENSOR: (SHOE,),
    faults.DEAL_BLIND: (DEAL,), faults.DEAL_THICKNESS: (THICKNESS_OUT,), faults.TRAY_BLIND: (TRAY,),
}  # fmt: skip
_SET = const(4)  # name of the setting; from journal/kinds.py: _CALIBRATION
_POLLS = const(300)  # of a millisecond: longer than a card takes to a beam


def hinder(machine):
    """Why it can't begin, in words; "" when it can."""
    if machine.fault not in (0, faults.CALIBRATION):
        return "the machine is stopped: %s" % faults.row(machine.fault)[1]
    if machine.unsafe():
        return faults.row(machine.unsafe())[1]
    if machine.state.inside or machine.inside():
        return "cards may be inside: remove them, and tell the machine that it is cleared"
    if machine.shoe.holds() or machine.tray.holds() or _dark(machine):
        return "a card lies in the shoe, in the tray or in a beam: take it out"
    if not machine.feeder.waiting():
        return "lay one good card into the infeed"
    return ""


def _dark(machine):
    return any(beam.dark() for beam in machine.beams())


async def calibrate(machine):
    """Tells how it ended; the card lies in the tray then, or somewhere inside."""
    sensors, passed = machine.sensors, False
    number = await _sent(machine, BEGUN)
    text = faults.row(number)[1] if number else ""
    sensors.calibration.plain()
    poor = sensors.judge()
    for sensor in (THICKNESS_IN, THICKNESS_OUT):  # of a bent card two would count as one
        if sensors.told[sensor] > GOOD and SENSORS[sensor][0] not in poor:
            poor.append(SENSORS[sensor][0])
    if poor:
        text = (text + "; " if text else "") + "not good enough: " + ", ".join(poor)
    elif not number:
        passed = _keep(machine, sensors)
    if not passed:
        machine.calibrated()  # as it was before
    _over(machine, PASSED if passed else FAILED, number)
    machine.event("calibrated", {"passed": passed, "text": text})
    machine.instead(number, 1)  # a card that stuck is a fault like any other
    await machine.settled()


async def test(machine, tell):
    """The card of a self-test. tell(name, what is wrong or "", reading): where it stuck, and each sensor."""
    sensors = machine.sensors
    number = await _sent(machine, TESTING)
    machine.calibrated()  # held against what is in force, or against the numbers of the mechanics
    sensors.judge()
    wrong = "%s: %s" % (faults.row(number)[2], faults.row(number)[1]) if number else ""
    tell("card", wrong, 0)
    failed = 1 if number else 0
    for sensor in range(len(SENSORS)):
        seen, quality = sensors.now[2 * sensor + 1], sensors.told[sensor]
        wrong = "not seen with a card" if seen < 0 else WORDS[quality] if quality >= DIRTY else ""
        if wrong and number and sensor not in _ACCUSES.get(number, ()):
            continue  # the card may never have come there
        failed += 1 if wrong else 0
        tell("card " + SENSORS[sensor][0], wrong, max(seen, 0))
    _over(machine, TESTED, number)
    return failed, number


async def _sent(machine, stage):
    """A card is sent through; the number of the fault that stopped it, or 0. The motors are off then."""
    sensors, number = machine.sensors, 0
    machine.guest = 1
    machine.note("calibration", {"stage": stage, "inside": 1})
    await machine.settled()  # on flash before the card is inside
    if machine.fault not in (0, faults.CALIBRATION):
        return machine.fault  # it is not: memory has failed
    sensors.forget()
    sensors.calibration.plain()
    await machine.gate.enter()
    try:
        await _through(machine, sensors)
    except Fault as fault:
        number = machine.cause(fault.number) or faults.INSIDE  # for it lies somewhere inside
    finally:
        machine.gate.leave()
        machine.motors.still()
        machine.motors.power_down()
    return number


def _over(machine, stage, number):
    """Where the card is now."""
    machine.guest = 1 if number else 0
    machine.note("calibration", {"stage": stage, "inside": machine.guest})


def _keep(machine, sensors):
    hal, settings = machine.hal, machine.settings
    blob = sensors.calibration.pack(sensors.now, hal.unique_id, machine.state.seconds)
    try:
        settings.put({SETTING: blob})
    except OSError:
        machine.memory_failed()
        return False
    machine.note("setting", {"name": _SET, "generation": settings.generation})
    machine.calibrated()
    return not sensors.calibration.why


async def _through(machine, sensors):
    """One card from the infeed to the tray."""
    feeder, wheel, ejector, shoe = machine.feeder, machine.wheel, machine.ejector, machine.shoe
    m = machine.hal.mechanics
    sensors.empty((ENTRY, COUNT, EXIT, DEAL, SHOE, TRAY, THICKNESS_IN, THICKNESS_OUT, BACK))
    sensors.calibration.zero(sensors.now)
    _with(sensors, INFEED)
    machine.motors.release()
    await ejector.home()
    await wheel.home()
    machine.alive.here(alive.BENCH)
    feeder.fresh()
    feeder.begin()
    await feeder.rest()
    for sensor in (ENTRY, COUNT, THICKNESS_IN, BACK):
        _with(sensors, sensor)
    await feeder.ready(_back(m, sensors))
    wheel.start(0)
    await feeder.launch()
    await wheel.arrive()
    await feeder.seated()
    feeder.entering = False
    await feeder.rest()
    machine.alive.here(alive.BENCH)
    sensors.empty((INFEED,))
    await wheel.turn_to((0 - m.EXIT_SLOTS) % m.SLOTS)
    await asyncio.gather(ejector.out_card(), _passing(sensors, ejector.exit, EXIT))
    await clock.sleep_ms(FALL_MS)
    _with(sensors, SHOE)
    shoe.fresh()
    try:
        await asyncio.gather(shoe.deal_card(), _passing(sensors, shoe.beam, DEAL))
    finally:
        sensors.now[2 * THICKNESS_OUT + 1] = max(shoe.layers - sensors.now[2 * THICKNESS_OUT], 0)
    await machine.tray.arrived(shoe.sent_ms)
    _with(sensors, TRAY)
    feeder.free()  # nothing has come behind it, and no sensor stays as it was with it
    if ejector.exit.dark():
        raise Fault(faults.EXIT_BLOCKED)
    if shoe.beam.dark():
        raise Fault(faults.DEAL_BLOCKED)
    if shoe.holds():
        raise Fault(faults.SHOE_FULL)


def _with(sensors, sensor):
    """The card lies there."""
    sensors.now[2 * sensor + 1] = sensors.calibration.of_card(sensor, sensors.read(sensor))


async def _passing(sensors, beam, sensor):
    """The light while a card passes: one reading, that counts when the card is still there after it."""
    for _ in range(_POLLS):
        if beam.dark():
            reading = sensors.hal.level(calibration.SENSORS[sensor][1])
            if beam.dark():
                sensors.now[2 * sensor + 1] = reading
            return
        await clock.sleep_ms(1)


def _back(m, sensors):
    """Of which colour the card is."""
    level = sensors.read(BACK)
    return min(m.BACKS, key=lambda back: abs(m.BACKS[back] - level))

# The bench's self-test of a board whose main loop was stopped: every axis, mark, beam, level and switch, and chance.
# From the prompt: `from dovetail import selftest, start; selftest.run(start.machine)`.

import asyncio
from dovetail.chance.fault import ChanceFault
from dovetail.faults import Fault, row

_STEPS = 200
_DARK = 2000  # a beam that is lit reads more


def run(machine):
    """Prints a line a check; True when all passed. Moves the rollers, so no card may be inside."""
    asyncio.new_event_loop()  # what the main loop left unfinished stays so
    passed = True
    for name, check in CHECKS:
        try:
            wrong = check(machine)
        except Fault as fault:
            wrong = row(fault.number)[1]
        passed = passed and not wrong
        print("%s %s%s" % ("failed" if wrong else "ok    ", name, ": " + wrong if wrong else ""))
        if wrong and check is _empty:
            return False  # nothing may move
    machine.hal.enable(False)
    return passed


def _beams(machine):
    return machine.beams()


def _empty(machine):
    for where, there in (
        ("in the infeed", machine.feeder.waiting()),
        ("in the shoe", machine.shoe.holds()),
        ("in the tray", machine.tray.holds()),
    ):
        if there:
            return "cards lie %s: take them out" % where
    if machine.state.inside:
        return "cards may be inside: remove them, and tell the machine that it is cleared"
    if any(beam.dark() for beam in _beams(machine)):
        return "a beam is blocked"


def _switches(machine):
    number = machine.unsafe()
    if number:
        return row(number)[1]


def _levels(machine):
    hal, m = machine.hal, machine.hal.mechanics
    for channel in ("thickness_in", "thickness_out"):
        level = hal.level(channel)
        if abs(level - m.THICKNESS_BASE) > m.THICKNESS_CARD // 2:
            return "%s reads %d, without a card it must read about %d" % (channel, level, m.THICKNESS_BASE)
    if hal.level("back") > m.BACK_NONE:
        return "back reads %d, without a card at most %d" % (hal.level("back"), m.BACK_NONE)
    for beam in ("entry", "count", "exit", "deal"):
        level = hal.level("level_" + beam)
        if level < _DARK:
            return "the %s beam is lit and reads %d, at least %d is wanted" % (beam, level, _DARK)


def _chance(machine):
    try:
        machine.chance.test()
    except ChanceFault as fault:
        return str(fault)


def _store(machine):
    machine.hal.store.read(0, bytearray(16))


def _rollers(machine):
    for beam in _beams(machine):
        beam.reset()
    machine.motors.release()
    for axis in machine.motors.rollers:
        steps = machine.hal.mechanics.STROKE_STEPS if axis is machine.ejector.axis else _STEPS
        axis.go(steps)
        asyncio.run(axis.finish())
        if axis.stepper.steps() != steps:
            return "%d steps were made of %d" % (axis.stepper.steps(), steps)
    if any(beam.n for beam in _beams(machine)):
        return "a beam saw something move"


def _wheel(machine):
    asyncio.run(machine.wheel.home())
    asyncio.run(machine.wheel.turn_to(machine.hal.mechanics.SLOTS // 2))
    asyncio.run(machine.wheel.turn_to(0))


def _lamps(machine):
    for name in ("green", "amber", "red"):
        machine.hal.lamp(name, True)
        machine.hal.lamp(name, False)
    machine.show()


CHECKS = (
    ("no card inside", _empty),
    ("switches and motor supply", _switches),
    ("analog levels", _levels),
    ("randomness, known answers", _chance),
    ("store", _store),
    ("rollers and ejector, steps", _rollers),
    ("wheel: home, ticks, half a turn and back", _wheel),
    ("lamps: switched, for the eye", _lamps),
)

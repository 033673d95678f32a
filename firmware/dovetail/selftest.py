# The self-test: every switch, level, mark and beam is read, every axis moved, every lamp lit, chance and memory tried.
# Over the link in a service session (bench.py), or at a bench image's prompt once its main loop was stopped:
# `from dovetail import selftest, start; selftest.run(start.machine)`. What only a card can prove is tried with one
# (calibrating.py): that rollers take it, and that each sensor sees it.

import asyncio
from micropython import const
from dovetail import clock
from dovetail.chance.fault import ChanceFault
from dovetail.faults import DOOR_OPEN, LID_OPEN, NOT_MOUNTED, Fault, row
from dovetail.journal.mount import FAILED
from dovetail.motion.axis import Limit

_STEPS = const(200)   # that a roller is turned, either way
_SUPPLY_MAX = const(3900)  # nearer to the end of its range the converter tells nothing
_OLDER = const(2)  # from journal/settings.py: OLDER
_LIT_MS = const(200)  # for the eye, and for the ear
_SWITCHES = (("lid", LID_OPEN), ("door", DOOR_OPEN), ("mount", NOT_MOUNTED))
_EMPTY = ("infeed", "shoe", "tray")
_BEAMS = ("entry", "count", "exit", "deal")
_LAMPS = ("green", "amber", "red")


def run(machine):
    """At the prompt: prints a line a check; True when all passed. The main loop was stopped."""
    asyncio.new_event_loop()  # what the main loop left unfinished stays so
    machine.gate.open()  # it may have been about to write
    machine.gate.keep(0)

    def tell(name, wrong, reading):
        print("%s %s%s" % ("failed" if wrong else "ok    ", name, ": " + wrong if wrong else ""))

    return asyncio.run(test(machine, tell, False)) == 0


async def test(machine, tell, card):
    """tell(name, what is wrong or "", reading) for each check; how many have failed. card: one lies in the infeed."""
    failed = held = 0
    machine.motors.held_by = 0
    for checks, vital in ((_at_rest, True), (_logic, False), (_axes, False), (_lamps, False)):
        for name, check in checks(machine, card):
            wrong, reading = "", 0
            await machine.gate.enter()  # no flash is written while it counts edges
            try:
                wrong, reading = await check()
            except Fault as fault:
                number = machine.cause(fault.number)
                wrong = row(number)[1] if number else "it was stopped"
            except ChanceFault as fault:
                wrong = str(fault)
            except Limit as limit:
                wrong = str(limit)
            finally:
                machine.gate.leave()
            held = machine.unsafe() or machine.motors.held_by
            if held and not vital:
                wrong = row(held)[1]  # whatever it has found, and if it is closed again
            failed += 1 if wrong else 0
            tell(name, wrong, reading)
            if held and not vital:
                break  # nobody's hand is where something moves
        if failed and (vital or held):
            break  # nothing may move: a card may be there, or a switch is open
    machine.motors.power_down()
    return failed


# ---- before anything moves -------------------------------------------------------------------------------------


def _at_rest(machine, card):
    hal, m = machine.hal, machine.hal.mechanics
    for name, number in _SWITCHES:
        yield name, _switch(hal, name, number)
    yield "supply", _between(hal, "supply", m.SUPPLY_MIN, _SUPPLY_MAX)
    for name in _EMPTY:
        if not card or name != "infeed":
            yield name, _between(hal, name, 0, m.PRESENT, "a card lies there: take it out")
    edges = (machine.feeder.entry, machine.feeder.count, machine.ejector.exit, machine.shoe.beam)
    for i in range(len(_BEAMS)):
        yield "beam " + _BEAMS[i], _beam(hal, edges[i], "level_" + _BEAMS[i])
    half = m.THICKNESS_CARD // 2
    for name in ("thickness_in", "thickness_out"):
        yield name, _between(hal, name, m.THICKNESS_BASE - half, m.THICKNESS_BASE + half)
    yield "back", _between(hal, "back", 0, m.BACK_NONE)


def _switch(hal, name, number):
    async def check():
        safe = hal.switch(name)
        return "" if safe else row(number)[1], safe

    return check


def _between(hal, channel, least, most, why=""):
    async def check():
        level = hal.level(channel)
        if least <= level <= most:
            return "", level
        return why or "reads %d, %d to %d is right" % (level, least, most), level

    return check


def _beam(hal, edge, channel):
    async def check():
        level = hal.level(channel)
        if edge.dark():
            return "something is in it", level
        if level <= hal.mechanics.BEAM_MIN:
            return "free, and only %d of light: clean it" % level, level
        return "", level

    return check


# ---- what does not move ----------------------------------------------------------------------------------------


def _logic(machine, card):
    async def chance():
        machine.chance.test()
        return "", 0

    async def memory():
        machine.hal.store.read(0, bytearray(16))
        return machine.journal.text() if machine.journal.status == FAILED else "", 0

    async def settings():
        return "" if machine.settings.state < _OLDER else "not readable", machine.settings.state

    yield "randomness", chance
    yield "journal", memory
    yield "settings", settings


# ---- what moves ------------------------------------------------------------------------------------------------


def _axes(machine, card):
    beams = (machine.feeder.entry, machine.feeder.count, machine.ejector.exit, machine.shoe.beam)

    def roller(axis):
        async def check():
            for beam in beams:
                beam.reset()
            for reverse in (0, 1):
                axis.go(_STEPS, reverse)
                await axis.finish()
                if axis.stepper.steps() != _STEPS:
                    return "%d steps were made of %d" % (axis.stepper.steps(), _STEPS), axis.stepper.steps()
            return "a beam saw something move" if any(beam.n for beam in beams) else "", _STEPS

        return check

    async def eject():
        ejector, steps = machine.ejector, machine.hal.mechanics.STROKE_STEPS
        await ejector.home()
        for half, out in ((steps >> 1, True), (steps - (steps >> 1), False)):
            ejector.axis.go(half)
            await ejector.axis.finish()
            if ejector.at_rest() == out:
                text = "its sensor says %srest, half a stroke %s" % ("" if out else "not at ", "out" if out else "back")
                return text, ejector.axis.stepper.steps()
        return "", steps

    async def wheel():
        slots = machine.hal.mechanics.SLOTS
        await machine.wheel.home()
        for slot in (slots >> 1, 0):
            await machine.wheel.turn_to(slot)  # each tick and the home mark at its step
        return "", slots

    machine.motors.release()
    for axis in (machine.feeder.pick, machine.feeder.feed, machine.shoe.roller):
        if not card or axis is not machine.feeder.pick:  # the card lies under it, and proves it
            yield "axis " + axis.name, roller(axis)
    yield "axis eject", eject
    yield "axis wheel", wheel


# ---- what nobody but a person can see --------------------------------------------------------------------------


def _lamps(machine, card):
    hal = machine.hal

    def lit(switch, *name):
        async def check():
            switch(*(name + (True,)))
            await clock.sleep_ms(_LIT_MS)
            switch(*(name + (False,)))
            return "", 0

        return check

    machine.lamps_tried = True  # nobody else lights one meanwhile
    for name in _LAMPS:
        hal.lamp(name, False)
    for name in _LAMPS:
        yield "lamp " + name, lit(hal.lamp, name)
    yield "buzzer", lit(hal.buzzer)
    machine.lamps_tried = False
    machine.show()

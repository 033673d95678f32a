# What service does to a machine that is not played: the self-test, an axis by itself, every sensor as it reads.
# A service session asks for it (link/roles.py), with nothing inside; a table's session can't begin until it is over.

from micropython import const
from dovetail import alive, calibrating, clock, faults, selftest
from dovetail.faults import Fault
from dovetail.motion.axis import Limit
from dovetail.stations.wheel import UNKNOWN
from dovetail.table.layout import INSIDE

_BEAMS = ("entry", "count", "home", "tick", "exit", "deal")
_SWITCHES = ("lid", "door", "mount")
_LONGEST_US = const(20000000)  # of a jog: so long somebody stands there and looks
_PASSED = const(1)  # what a "service" record tells of the self-test
_FAILED = const(2)
_SIGN_US = const(500000)  # a sign of life so often: the watchdog waits for two seconds


async def bench_lane(machine):
    """Waits for one of them, and sees it through."""
    while True:
        await machine.alive.wait(alive.BENCH, machine.bench_work)
        work, machine.bench = machine.bench, None
        try:
            if work is not None:
                await work
        except Fault:
            pass  # it was stopped, and stands still: why, the status says
        except Exception as error:  # a defect of our own
            machine.error = error
            machine.instead(faults.SOFTWARE)
        machine.at_bench = machine.lamps_tried = False
        if machine.unsafe():
            machine.motors.power_down()
        machine.show()


def hinder(machine):
    """(rule, text) why nothing may move for service now, or None. "" for a rule: not now."""
    if machine.rules.at(INSIDE) or machine.inside():
        return "SERVICE", "cards are inside: remove them"
    if machine.feeder.waiting():
        return "SERVICE", "a card lies in the infeed: take it out"
    if machine.tray.holds():
        return "SERVICE", "a card lies in the tray: take it out"
    if machine.busy() or machine.resting or machine.motors.moving():
        return "", "the machine is at work"
    number = machine.sense()
    return ("DS-12", machine.rules.unsafe) if number else None


def begin(machine, work):
    machine.bench, machine.at_bench = work, True
    machine.bench_work.set()


# ---- self-test -------------------------------------------------------------------------------------------------


async def self_test(machine, card, role):
    """An event a check, one for the end. card: one lies in the infeed, and is sent through when all else is well.

    role: of the session that has asked for it; another may be open at its end.
    """
    began = clock.ticks_ms()
    checks = number = 0

    def tell(name, wrong, reading):
        nonlocal checks
        checks += 1
        machine.alive.here(alive.BENCH)
        machine.event("checked", {"name": name, "wrong": wrong, "reading": reading})

    failed = await selftest.test(machine, tell, card)
    if card and not failed:
        failed, number = await calibrating.test(machine, tell)
    machine.note("service", {"what": _FAILED if failed else _PASSED, "role": role})
    took = clock.ticks_diff(clock.ticks_ms(), began)
    machine.event("self_tested", {"checks": checks, "failed": failed, "took_ms": took})
    if machine.chance.fault:
        machine.stop(faults.NOISE)  # EL-4: whoever asked for the known answer
    machine.instead(number, 1)


# ---- an axis by itself -----------------------------------------------------------------------------------------


def jog(machine, name, steps, reverse, slow_us):
    """Begins it; what is wrong with it in words, or None."""
    axis = None
    for one in machine.motors.rollers + (machine.wheel.axis,):
        if one.name == name:
            axis = one
    if axis is None:
        return "axis: one of pick, feed, wheel, eject, deal"
    if reverse and name == "eject":
        return "axis: eject is a crank that turns one way"
    if steps * slow_us > _LONGEST_US:
        return "slow_us: %d steps would take more than %d s" % (steps, _LONGEST_US // 1000000)
    if name == "deal" and machine.shoe.holds():
        return "axis: deal would bring a card out of the shoe: take out what lies there, or have its sensor cleaned"
    if name == "wheel" and not machine.ejector.at_rest():
        return "axis: the ejector's rod is in a slot of the wheel: jog eject, or turn it, to where its sensor sees it"
    machine.motors.release()
    machine.wheel.slot = UNKNOWN
    try:
        axis.go(steps, 1 if reverse else 0, slow_us)
    except Limit as limit:
        return str(limit)
    begin(machine, _jogged(machine, axis, steps))
    return None


async def _jogged(machine, axis, steps):
    at_us = 0
    while at_us < axis.span_us:
        machine.alive.here(alive.BENCH)
        at_us += _SIGN_US
        await axis.until(min(at_us, axis.span_us))
    await axis.finish()
    made = axis.stepper.steps()
    number = machine.motors.held_by or (machine.fault if made < steps else 0)
    stopped = faults.row(number)[1] if number else ""
    machine.event("jogged", {"axis": axis.name, "steps": made, "stopped": stopped})


# ---- sensors ---------------------------------------------------------------------------------------------------


def sensors(machine):
    """All of them, as they read now."""
    hal = machine.hal
    edges = (
        machine.feeder.entry, machine.feeder.count, machine.wheel.home_mark, machine.wheel.tick,
        machine.ejector.exit, machine.shoe.beam,
    )  # fmt: skip
    read = {}
    for i in range(len(_BEAMS)):
        read[_BEAMS[i]] = bool(edges[i].dark())
    for name in _SWITCHES:
        read[name] = bool(hal.switch(name))
    for channel in hal.board.MUX:
        read[channel if channel.startswith("level_") else "read_" + channel] = hal.level(channel)
    return read

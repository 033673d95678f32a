# Four times a second, and at once when a switch moves: interlocks, supply, what is due; and the watchdog.

from micropython import const
from dovetail import ages, clock
from dovetail.garbage import SCARCE, TIDY, hush, tidy

_LOOK_MS = const(25)
_LOOKS = const(10)
_BOUNCE_MS = const(5)
_SEE_MS = const(3)  # so soon a switch is seen; what waits without looking makes a kilobyte of garbage each time


async def supervise(machine):
    """Interlocks and supply, and the only place that feeds the watchdog."""
    hal, motors, looks = machine.hal, machine.motors, 0
    while True:
        # the supply has no interrupt: while motors hang on it it is asked for often, for a move begins at any moment
        if await clock.soon(hal.interlock, _LOOK_MS, _SEE_MS):
            await clock.sleep_ms(_BOUNCE_MS)  # what is open for less is a jolt
        else:
            looks += 1
            if looks % _LOOKS and (hal.level("supply") >= hal.mechanics.SUPPLY_MIN or not motors.driven):
                continue
        number = machine.sense(True)
        if number and motors.driven:
            if machine.clearing or machine.at_bench:
                motors.still(number)  # it may be closed again before whoever was held looks
            elif not motors.moving():
                motors.power_down()  # open at rest: nobody holds a motor where a hand may be
        await hush(machine)  # what is open was seen; the rest is not so urgent that an answer would have to wait
        ages.look(machine)
        machine.uptime_ms()
        machine.buzzer.tend()
        if machine.service or machine.trial or machine.at_bench:
            machine.show()
        least = SCARCE if motors.moving() else TIDY
        if hal.free() < least:
            await hush(machine)
        tidy(machine, least)
        motors.let_go(not machine.alive.waiting())
        if machine.alive.all():
            hal.feed()

# When garbage is collected: at moments of our own, never while a roller has a card between two sensors. Best right
# after an answer: nobody waits for the next one yet.

from micropython import const
from dovetail import clock

SCARCE = const(115000)  # bytes of heap: below, even what moves is kept waiting for garbage to be collected
TIDY = const(125000)  # bytes of heap: below, garbage is collected when nothing moves
EARLY = const(125000)  # the same two after an answer: a little sooner than others would while something moves; at rest
LATE = const(100000)   # later, so that a journal that is read waits for no more than the supervisor's looks
_PATIENCE_MS = const(8)  # a request that is on its way is answered by then


def tidy(machine, least=TIDY):
    """Garbage is collected at a moment of our own, never while a roller has a card between two sensors."""
    machine.free = machine.hal.free()
    if machine.free < least and not (machine.gate.passed() and machine.motors.rolling()):
        machine.hal.collect()


async def room(machine, ample):
    """Between two cards; ample: there is time. When heap is scarce, it is waited until nothing rolls."""
    if ample and machine.hal.free() < TIDY:
        for _ in range(_PATIENCE_MS):  # it would wait for all of the collection
            if not machine.hears():
                break
            await clock.sleep_ms(1)
    tidy(machine, TIDY if ample else SCARCE)
    while machine.hal.free() < SCARCE and machine.motors.rolling():
        await clock.sleep_ms(2)
    tidy(machine, SCARCE)

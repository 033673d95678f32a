# When garbage is collected: at moments of our own, never while a roller has a card between two sensors. Best right
# after an answer: nobody waits for the next one yet.

from micropython import const
from dovetail import clock

SCARCE = const(115000)  # bytes of heap: below, even what moves is kept waiting for garbage to be collected
TIDY = const(121000)  # bytes of heap: below, garbage is collected when nothing moves
EARLY = const(132000)  # the same two after an answer: sooner than others would while something moves; at rest
LATE = const(100000)   # later, so that a journal that is read waits for no more than the supervisor's looks
_TAKES_MS = const(8)   # a collection, and what else is done in its turn
_PATIENCE_MS = const(8)  # a request that is on its way is answered by then


def tidy(machine, least=TIDY):
    """Garbage is collected at a moment of our own, never while a roller has a card between two sensors."""
    machine.free = machine.hal.free()
    if machine.free < least and not (machine.gate.passed() and machine.motors.rolling()):
        machine.hal.collect()


async def hush(machine, spare_ms=0):
    """Before what takes long: until an answer has just left. When none has for so long, until none is on its way."""
    before = machine.said()
    for left_ms in range(spare_ms, -_PATIENCE_MS, -1):
        await clock.sleep_ms(1)
        if machine.said() != before or (left_ms <= 0 and not machine.hears()):
            break


async def room(machine, spare_ms):
    """Between two cards, with so much time. When heap is scarce, it is waited until nothing rolls."""
    ample = spare_ms >= _TAKES_MS
    if ample and machine.hal.free() < TIDY:
        await hush(machine, spare_ms - _TAKES_MS - _PATIENCE_MS)
    tidy(machine, TIDY if ample else SCARCE)
    if ample:
        await clock.sleep_ms(0)  # what a lane does for two cards in a row is too long for who waits for an answer
    while machine.hal.free() < SCARCE and machine.motors.rolling():
        await clock.sleep_ms(2)
    tidy(machine, SCARCE)

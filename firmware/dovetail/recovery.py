# What may be tried before the machine stops: for each fault at each station how, and how often. What is not in the
# table is handed over at once. A remedy ends with the card proved anew by its sensors, or not at all.

from micropython import const
from dovetail.faults import (
    DEAL_JAM, DEAL_MISFEED, EXIT_JAM, FEED_JAM, LOST_STEPS, MISFEED, SHOE_SHORT, SLOT_EMPTY, WHEEL_LOST, Fault,
)

AGAIN = const(1)     # the same move once more: nothing has left its place
BACK_OFF = const(2)  # back, to let go of what holds the card, then forward and measured
PUSH = const(3)      # the ejector's rod once more, behind a card that stands in the exit beam
JOG = const(4)       # the deal roller a little further, behind a card that stands in the deal beam
FIND = const(5)      # the wheel's home once more, when no card is in its mouth

TABLE = (
    (MISFEED, AGAIN, 2),
    (FEED_JAM, BACK_OFF, 2),
    (LOST_STEPS, FIND, 1),
    (WHEEL_LOST, FIND, 1),
    (SLOT_EMPTY, AGAIN, 2),
    (EXIT_JAM, PUSH, 2),
    (DEAL_MISFEED, AGAIN, 2),
    (DEAL_JAM, JOG, 2),
    (SHOE_SHORT, AGAIN, 1),  # its sensor says so, and the roller once
)
_BEHIND = (LOST_STEPS, WHEEL_LOST)  # a card that stuck has met a wall: the wheel is to blame


def remedy(number):
    """How, and how often; no remedy and 0 for what is handed over."""
    for fault, how, tries in TABLE:
        if fault == number:
            return how, tries
    return 0, 0


async def tried(machine, card, move, remedies, able):
    """A card's move. remedies: for each way of recovery a coroutine function that makes the move good.

    able: for those that can't always be tried a coroutine function that says so. What is not tried is not told.
    """
    first = None
    tries = most = how = 0
    while True:
        try:
            await move()
            break
        except Fault as fault:
            if first is None or how == AGAIN or (how == BACK_OFF and fault.number in _BEHIND):
                first = fault  # a repeated move meets something new, any other remedy still the same
            first.passed = fault.passed
            how, times = remedy(fault.number)
            most = most or times
            may = how in remedies and tries < most and not machine.fault and not machine.unsafe()
            if may and how in able:
                may = await able[how]()
            if not may:
                if tries:
                    note(machine, first.number, card, tries, 0)
                raise first from None
            tries += 1
            tell(machine, fault.number, card, tries)
            move = remedies[how]
    if tries:
        note(machine, first.number, card, tries, 1)


def tell(machine, number, card, tries):
    """On the link, at once, whatever waits to be written: I-4 holds for trouble that is got over as well."""
    machine.memory.say("trying", {"fault": number, "card": card, "tries": tries})


def note(machine, number, card, tries, recovered):
    """For the journal and the meters: a machine that recovers often is to be looked at."""
    machine.note("retry", {"fault": number, "card": card, "tries": tries, "recovered": recovered})

# When a row applies: questions about the machine as a whole.
# Each is asked of profile p, state s and what the event says: d a deck, a b c numbers (see the rows, event by event).

import micropython
from dovetail.table import decks
from dovetail.table.layout import DOWN, FAULT, JOB, LOOK, OPEN, OUT, SHOE, WHEEL


@micropython.native
def stopped(p, s, d, a, b, c):
    return s[FAULT]


@micropython.native
def down(p, s, d, a, b, c):
    return s[FAULT] == DOWN


@micropython.native
def no_fault(p, s, d, a, b, c):
    return not s[FAULT]


@micropython.native
def out(p, s, d, a, b, c):
    return s[OUT]


@micropython.native
def in_service(p, s, d, a, b, c):
    return not s[OUT]


@micropython.native
def unsafe(p, s, d, a, b, c):
    return s[OPEN]


@micropython.native
def looking(p, s, d, a, b, c):
    return s[LOOK]


@micropython.native
def not_looking(p, s, d, a, b, c):
    return not s[LOOK]


@micropython.native
def moving(p, s, d, a, b, c):
    """a: something still moves"""
    return s[LOOK] or a


@micropython.native
def at_work(p, s, d, a, b, c):
    return s[LOOK] or s[JOB] or decks.SHUFFLING in s[1:3] or decks.MOVING in s[1:3] or decks.TAKING in s[1:3]


@micropython.native
def cards_inside(p, s, d, a, b, c):
    return s[WHEEL] or s[SHOE]


@micropython.native
def ahead(p, s, d, a, b, c):
    return a == 2


@micropython.native
def unlikely(p, s, d, a, b, c):
    return a == 3


@micropython.native
def a_nonzero(p, s, d, a, b, c):
    return a


@micropython.native
def a_wrong(p, s, d, a, b, c):
    return not a

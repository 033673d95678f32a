# What rows of the table write where it is no plain number. As in the when_ files: profile p, state s, and what the
# event says: d a deck, a b c numbers.

import micropython
from dovetail.table import decks
from dovetail.table.layout import (
    BETS, BLUE, BROUGHT, CALL3, CLOCK, CLOCK_RED, CLOSED, DOUBT, DOWN, FAULT, IDLED, INSIDE, JOB, LAST, NONE, NOTHING,
    ORDER_RED, PAIR, RED, RELEASED, ROUND, SHUFFLED, SPOILT, STACKS, START, STUB, TAKE, TURN, VOID, WANTED, WHEEL,
)
from dovetail.table.when_round import stub_wanted, waiting


@micropython.native
def deck(p, s, d, a, b, c):
    return d


@micropython.native
def said(p, s, d, a, b, c):
    return a


@micropython.native
def position(p, s, d, a, b, c):
    return b


@micropython.native
def one_more(p, s, d, a, b, c):
    return s[STACKS] + 1


@micropython.native
def spoilt(p, s, d, a, b, c):
    return s[SPOILT] | 1 << c - 1


@micropython.native
def in_wheel(p, s, d, a, b, c):
    return s[WHEEL]


@micropython.native
def owed(p, s, d, a, b, c):
    return p.players + p.dealer if p.fixed else a + p.dealer


@micropython.native
def dealt(p, s, d, a, b, c):
    """The deck of this round."""
    return waiting(p, s)


@micropython.native
def last(p, s, d, a, b, c):
    return s[LAST]


@micropython.native
def turn_of_hand(p, s, d, a, b, c):
    """From the hand nobody sees the first card: once no more bets are placed the deck has its turn."""
    return s[LAST] if p.by_hand else s[TURN]


@micropython.native
def alternating(p, s, d, a, b, c):
    """TD-4: both decks are in use when the other waits or is dealt, or was dealt last; c: in service, for a trial."""
    if c:
        return s[PAIR]
    other = s[3 - d]
    there = other in (decks.HELD, decks.MOVING, decks.READY, decks.DEALING, decks.WHOLE, decks.HAND)
    return 1 if there or s[TURN] == 3 - d else s[PAIR]


@micropython.native
def last_left(p, s, d, a, b, c):
    """The deck of the last round, unless it is this one, which is gone."""
    return 0 if s[LAST] == d else s[LAST]


@micropython.native
def turn_left(p, s, d, a, b, c):
    return 0 if s[TURN] == d else s[TURN]


@micropython.native
def clock_left(p, s, d, a, b, c):
    """CT-1: no stub is owed any more when the deck of the last round is gone, or was found wrong, or is not known."""
    return 0 if s[LAST] == d or not s[LAST] else s[CLOCK]


@micropython.native
def brought(p, s, d, a, b, c):
    """Return how the order of a new deck was made: by somebody else, or not yet."""
    return BROUGHT if c & 1 else NONE


@micropython.native
def order_made(p, s, d, a, b, c):
    """Once a deck lies in the wheel; an order that was made while the table was idle is void."""
    return s[ORDER_RED - RED + s[WHEEL]] or SHUFFLED


@micropython.native
def idled_red(p, s, d, a, b, c):
    return _idled(p, s, RED)


@micropython.native
def idled_blue(p, s, d, a, b, c):
    return _idled(p, s, BLUE)


@micropython.native
def _idled(p, s, d):
    if not p.continuous and s[d] in (decks.SHUFFLING, decks.HELD, decks.MOVING, decks.READY, decks.WHOLE):
        return IDLED
    return NONE if s[d] == decks.DECLARED else s[ORDER_RED - RED + d]  # it was brought: now it is shuffled


@micropython.native
def order_of_red(p, s, d, a, b, c):
    return _unbroken(s, RED)


@micropython.native
def order_of_blue(p, s, d, a, b, c):
    return _unbroken(s, BLUE)


@micropython.native
def _unbroken(s, d):
    """A deck that was interrupted has no order."""
    return NONE if s[d] == decks.BROKEN else s[ORDER_RED - RED + d]


@micropython.native
def undoubted(p, s, d, a, b, c):
    return s[DOUBT] & ~(1 << d)


@micropython.native
def both_decks(p, s, d, a, b, c):
    """The sensors that disagree count either deck."""
    return 1 << RED | 1 << BLUE


@micropython.native
def rounds(p, s, d, a, b, c):
    """Closed since a count that is trusted; in continuous play a deck is counted when all of it is inside."""
    return s[CLOCK] + 1 if stub_wanted(p, s) and not s[STUB] else 0


@micropython.native
def rounds_last(p, s, d, a, b, c):
    """The same, of the deck of this round."""
    return s[CLOCK_RED - RED + s[LAST]] + 1 if stub_wanted(p, s) and not s[STUB] else 0


@micropython.native
def sound(p, s, d, a, b, c):
    """The fault that stands after power-on."""
    return DOWN if a else 1 if s[INSIDE] else 0


@micropython.native
def ended(p, s, d, a, b, c):
    """What an interruption makes of the round: one under way is void, but not where a sound deck is in the hand."""
    r = s[ROUND]
    in_hand = RED if s[RED] == decks.HAND else BLUE if s[BLUE] == decks.HAND else 0
    return VOID if BETS <= r <= CALL3 and (not in_hand or in_hand == d) else r


@micropython.native
def after_power(p, s, d, a, b, c):
    return VOID if BETS <= s[ROUND] <= RELEASED or s[ROUND] == VOID else CLOSED


@micropython.native
def start_left(p, s, d, a, b, c):
    """A draw that is under way is given up."""
    return 0 if s[START] == WANTED else s[START]


@micropython.native
def left_inside(p, s, d, a, b, c):
    """Once the shoe is empty."""
    return 1 if s[WHEEL] else 0


@micropython.native
def worse(p, s, d, a, b, c):
    return DOWN if s[FAULT] == DOWN else 1


@micropython.native
def job_left(p, s, d, a, b, c):
    return NOTHING if s[JOB] == TAKE else s[JOB]

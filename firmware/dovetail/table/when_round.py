# When a row applies: questions about rounds.
# Each is asked of profile p, state s and what the event says: d a deck, a b c numbers (see the rows, event by event).

import micropython
from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BETS, BLUE, CLOCK, CLOSED, DEALT, DRAW1, LAST, OVER, OWED, PAIR, RED, RELEASED, ROUND,
    ROUNDS_PER_COUNT, SHOE, STACKS, START, VOID, WANTED, WHEEL,
)


@micropython.native
def playable(p, s, d=0, a=0, b=0, c=0):
    """The deck that a round may be opened with, or 0."""
    if p.continuous:
        return s[WHEEL] if s[WHEEL] and s[s[WHEEL]] == decks.MIXED else 0
    if p.by_hand:
        return RED if s[RED] == decks.WHOLE else BLUE if s[BLUE] == decks.WHOLE else 0
    return s[SHOE] if s[SHOE] and s[s[SHOE]] == decks.READY else 0


@micropython.native
def under_way(p, s, d, a, b, c):
    return BETS <= s[ROUND] <= RELEASED


@micropython.native
def void(p, s, d, a, b, c):
    return s[ROUND] == VOID


@micropython.native
def void_in_shoe(p, s, d, a, b, c):
    return s[ROUND] == VOID and s[SHOE] and s[s[SHOE]] == decks.DEALING


@micropython.native
def closed(p, s, d, a, b, c):
    return s[ROUND] == CLOSED


@micropython.native
def bets(p, s, d, a, b, c):
    return s[ROUND] == BETS


@micropython.native
def released(p, s, d, a, b, c):
    return s[ROUND] == RELEASED


@micropython.native
def another_round(p, s, d, a, b, c):
    """a: the number is that of the open round"""
    return not a


@micropython.native
def not_later(p, s, d, a, b, c):
    """b: the number is greater than any before"""
    return not b


@micropython.native
def wrong_players(p, s, d, a, b, c):
    """a: players"""
    return not 1 <= a <= p.players


@micropython.native
def too_few(p, s, d, a, b, c):
    """c: 1 cards of the deck are not inside, 2 so many that this round could not be dealt"""
    return c == 2


@micropython.native
def some_outside(p, s, d, a, b, c):
    return c


@micropython.native
def none_ready(p, s, d, a, b, c):
    return not playable(p, s)


@micropython.native
def same_deck(p, s, d, a, b, c):
    return s[PAIR] and s[LAST] == playable(p, s)


@micropython.native
def ready_too_old(p, s, d, a, b, c):
    d = playable(p, s)
    return d and s[AGE_RED - RED + d] == OVER


@micropython.native
def count_due(p, s, d, a, b, c):
    return s[CLOCK] >= ROUNDS_PER_COUNT


@micropython.native
def hand(p, s, d, a, b, c):
    return decks.HAND in s[1:3]


@micropython.native
def by_hand(p, s, d, a, b, c):
    return p.by_hand


@micropython.native
def from_shoe(p, s, d, a, b, c):
    return not p.by_hand


@micropython.native
def continuous(p, s, d, a, b, c):
    return p.continuous


@micropython.native
def all_stacks(p, s, d, a, b, c):
    return s[ROUND] == DEALT and s[STACKS] == s[OWED]


@micropython.native
def draw_next(p, s, d, a, b, c):
    return not p.by_hand and p.draws_first and all_stacks(p, s, d, a, b, c)


@micropython.native
def draw_again(p, s, d, a, b, c):
    return p.draws_later and s[ROUND] == DRAW1


@micropython.native
def no_start(p, s, d, a, b, c):
    return not p.start


@micropython.native
def start_known(p, s, d, a, b, c):
    return s[START]


@micropython.native
def start_wanted(p, s, d, a, b, c):
    return s[START] == WANTED and 1 <= a <= s[OWED]


@micropython.native
def no_start_yet(p, s, d, a, b, c):
    return p.start and (s[START] == 0 or s[START] == WANTED)

# When a row applies: questions about rounds.
# Each is asked of profile p, state s and what the event says: d a deck, a b c numbers (see the rows, event by event).

import micropython
from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BETS, BLUE, CALL2, CALL3, CLOCK, CLOCK_RED, CLOSED, DEALT, DOUBT, IDLED, LAST, ORDER_RED, OVER,
    OWED, PAIR, RED, RELEASED, ROUND, ROUNDS_PER_COUNT, SHOE, STACKS, START, STUB, TURN, UNSORTED, VOID, WANTED,
    WHEEL,
)


@micropython.native
def waiting(p, s):
    """Return the deck that waits to be dealt, or 0. That its shuffle still counts is asked before, once: idled."""
    if p.continuous:
        return s[WHEEL] if s[WHEEL] and s[s[WHEEL]] == decks.MIXED else 0
    if p.by_hand:
        return RED if s[RED] == decks.WHOLE else BLUE if s[BLUE] == decks.WHOLE else 0
    return s[SHOE] if s[SHOE] and s[s[SHOE]] == decks.READY else 0


@micropython.native
def idled(p, s, d, a, b, c):
    d = waiting(p, s)
    return d and s[ORDER_RED - RED + d] == IDLED


@micropython.native
def idled_in_shoe(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.READY and s[ORDER_RED - RED + s[SHOE]] == IDLED


@micropython.native
def stub_wanted(p, s):
    """CT-1: whether the round that closes leaves its deck to be counted by hand."""
    return p.continuous or p.stub_owed() or s[DOUBT] >> s[LAST] & 1


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
    return not p.fewest <= a <= p.players


@micropython.native
def too_few(p, s, d, a, b, c):
    """c: 1 cards of the deck are not inside, 2 so many that this round could not be dealt"""
    return c == 2


@micropython.native
def some_outside(p, s, d, a, b, c):
    return c


@micropython.native
def none_ready(p, s, d, a, b, c):
    d = waiting(p, s)
    return not d or not s[ORDER_RED - RED + d]


@micropython.native
def same_deck(p, s, d, a, b, c):
    """TD-4, until the supervisor has said that one of two decks is gone for good; one deck has no turns."""
    return s[PAIR] and s[TURN] == waiting(p, s) and p.two_decks


@micropython.native
def ready_too_old(p, s, d, a, b, c):
    d = waiting(p, s)
    return d and s[AGE_RED - RED + d] == OVER


@micropython.native
def ready_unsorted(p, s, d, a, b, c):
    d = waiting(p, s)
    return d and s[AGE_RED - RED + d] == UNSORTED


@micropython.native
def begun_too_old(p, s, d, a, b, c):
    """The round is open and no stack of it is dealt; one that has begun is dealt to its end."""
    return s[ROUND] <= DEALT and not s[STACKS] and s[AGE_RED - RED + s[LAST]] == OVER


@micropython.native
def begun_unsorted(p, s, d, a, b, c):
    return s[AGE_RED - RED + s[LAST]] == UNSORTED


@micropython.native
def count_due(p, s, d, a, b, c):
    """Return whether the table, or this deck, has played five rounds since anybody counted."""
    return s[CLOCK] >= ROUNDS_PER_COUNT or s[CLOCK_RED - RED + waiting(p, s)] >= ROUNDS_PER_COUNT


@micropython.native
def not_dealt_out(p, s, d, a, b, c):
    """d: the deck of the round that is open, and cards of it may still leave the shoe"""
    if d != s[LAST]:
        return False
    return BETS <= s[ROUND] <= CALL3 and (not p.by_hand or call_missing(p, s, d, a, b, c))


@micropython.native
def of_round_void(p, s, d, a, b, c):
    """d: its round is not void yet"""
    return d == s[LAST] and s[ROUND] != VOID


@micropython.native
def not_last(p, s, d, a, b, c):
    return d != s[LAST]


@micropython.native
def stub_known(p, s, d, a, b, c):
    return s[STUB]


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
def stacks_owed(p, s, d, a, b, c):
    """A later call comes when every stack is dealt; from the hand nobody sees that but the dealer."""
    return p.stages > 1 and not p.by_hand and s[ROUND] == DEALT and s[STACKS] < s[OWED]


@micropython.native
def second_call(p, s, d, a, b, c):
    return p.stages > 1 and s[ROUND] == DEALT


@micropython.native
def third_call(p, s, d, a, b, c):
    return p.stages > 2 and s[ROUND] == CALL2


@micropython.native
def call_missing(p, s, d, a, b, c):
    """DS-4: what follows the last "no more bets" of a round comes after it."""
    return s[ROUND] - DEALT + 1 < p.stages and s[ROUND] <= CALL3


@micropython.native
def exposed_in_time(p, s, d, a, b, c):
    """b 1: a card was exposed; it is when nothing can be wagered any more"""
    return b == 1 and not call_missing(p, s, d, a, b, c)


@micropython.native
def exposed_nothing(p, s, d, a, b, c):
    """b 1: a card was exposed; from the shoe the dealer's stack comes last"""
    if b != 1:
        return False
    return s[ROUND] == BETS or not (p.dealer or p.fixed) or (not p.by_hand and s[STACKS] < s[OWED])


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

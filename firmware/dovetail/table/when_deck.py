# When a row applies: questions about decks.
# Each is asked of profile p, state s and what the event says: d a deck, a b c numbers (see the rows, event by event).

import micropython
from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BETS, CLOCK, CLOCK_RED, LAST, OVER, PAIR, RED, RELEASED, ROUND, ROUNDS_PER_COUNT, SHOE, TURN, UNSORTED,
    WHEEL,
)


@micropython.native
def infeed_taken(p, s, d, a, b, c):
    return decks.DECLARED in s[1:3]


@micropython.native
def infeed_at_work(p, s, d, a, b, c):
    return decks.SHUFFLING in s[1:3] or decks.TAKING in s[1:3]


@micropython.native
def infeed_empty(p, s, d, a, b, c):
    """b: cards lie in the infeed"""
    return not b


@micropython.native
def locked(p, s, d, a, b, c):
    return s[d] == decks.LOCKED


@micropython.native
def gone(p, s, d, a, b, c):
    return s[d] == decks.GONE or s[d] == decks.BARRED


@micropython.native
def gone_and_not_new(p, s, d, a, b, c):
    """a: the deck is declared as new"""
    return gone(p, s, d, a, b, c) and not a


@micropython.native
def here_and_new(p, s, d, a, b, c):
    return a and not gone(p, s, d, a, b, c)


@micropython.native
def new_by_another(p, s, d, a, b, c):
    """a: 2 when it is not the supervisor who declares it"""
    return a == 2


@micropython.native
def never_brought(p, s, d, a, b, c):
    """c: 1 when it was shuffled before; where a cut is owed then, the shoe leaves no moment for it"""
    return c & 1 and not (p.brought and (p.by_hand or not p.cut_brought))


@micropython.native
def brought_and_not_new(p, s, d, a, b, c):
    return c & 1 and not gone(p, s, d, a, b, c)


@micropython.native
def infeed_unknown(p, s, d, a, b, c):
    """b: cards lie in the infeed; they are of no deck that was declared"""
    return b and not infeed_taken(p, s, d, a, b, c) and not infeed_at_work(p, s, d, a, b, c)


@micropython.native
def stub_due(p, s, d, a, b, c):
    """CT-1: asked while the deck is still at hand; a round with it would be refused."""
    if p.continuous or s[d] != decks.AWAY:
        return False
    due = s[CLOCK] if s[LAST] == d else 0
    return max(due, s[CLOCK_RED - RED + d]) >= ROUNDS_PER_COUNT


@micropython.native
def on_table(p, s, d, a, b, c):
    return s[d] in (decks.AWAY, decks.WHOLE, decks.HAND)


@micropython.native
def unsorted(p, s, d, a, b, c):
    """c: 2 when it was put in suit and sequence"""
    return not gone(p, s, d, a, b, c) and s[AGE_RED - RED + d] == UNSORTED and not c & 2


@micropython.native
def too_old(p, s, d, a, b, c):
    return not gone(p, s, d, a, b, c) and s[AGE_RED - RED + d] == OVER


@micropython.native
def second_deck(p, s, d, a, b, c):
    other = s[3 - d]
    if p.two_decks or other in (decks.GONE, decks.BARRED):
        return False
    return other != decks.AWAY or s[LAST] == 3 - d


@micropython.native
def supervised(p, s, d, a, b, c):
    """TD-4: that one of two decks has left for good, so that the other may be dealt again, no table says."""
    return a and (s[d] not in (decks.GONE, decks.BARRED) or s[PAIR] or s[LAST] == d or s[TURN] == d)


@micropython.native
def of_open_round(p, s, d, a, b, c):
    """SH-1: its round is not over, so its shuffle would not be one after it."""
    return d == s[LAST] and BETS <= s[ROUND] <= RELEASED


@micropython.native
def loadable(p, s, d, a, b, c):
    return decks.step(s[d], "LOAD") is not None


@micropython.native
def removable(p, s, d, a, b, c):
    return decks.step(s[d], "REMOVE") is not None


@micropython.native
def none_since(p, s, d, a, b, c):
    """No round was closed with it since somebody counted it, or the machine did whose count is trusted."""
    return not s[CLOCK_RED - RED + d]


@micropython.native
def declared(p, s, d, a, b, c):
    return s[d] == decks.DECLARED


@micropython.native
def not_declared(p, s, d, a, b, c):
    return s[d] != decks.DECLARED


@micropython.native
def wheel_taken(p, s, d, a, b, c):
    return s[WHEEL]


@micropython.native
def shoe_taken(p, s, d, a, b, c):
    return s[SHOE]


@micropython.native
def filling(p, s, d, a, b, c):
    return s[WHEEL] and s[s[WHEEL]] == decks.SHUFFLING


@micropython.native
def mixed(p, s, d, a, b, c):
    return s[d] == decks.MIXED


@micropython.native
def taking(p, s, d, a, b, c):
    return decks.TAKING in s[1:3]


@micropython.native
def more_than_a_deck(p, s, d, a, b, c):
    """a: cards inside"""
    return a > p.cards


@micropython.native
def held(p, s, d, a, b, c):
    return s[WHEEL] and s[s[WHEEL]] == decks.HELD


@micropython.native
def emptying(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.MOVING


@micropython.native
def ready(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.READY


@micropython.native
def a_right(p, s, d, a, b, c):
    """a: cards counted"""
    return a == p.cards


@micropython.native
def both_right(p, s, d, a, b, c):
    """a: cards counted in, b: cards counted out"""
    return a == p.cards and b == p.cards


@micropython.native
def single_stack_out(p, s, d, a, b, c):
    return decks.WHOLE in s[1:3]

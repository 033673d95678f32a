# When a row of rules.py applies. Each is a question about profile p, state s and what the event says:
# d a deck, a b c numbers (see rules.py, event by event).

import micropython
from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BACK, BETS, BLUE, CARD, CLOCK, CLOSED, DEALT, DOWN, DRAW, DRAW1, DRAW2, DRAWN, EXTRA, FACES, FAULT, JOB,
    LAST, LOOK, OPEN, OUT, OVER, OWED, PAIR, RED, RELEASED, REST, ROUND, ROUNDS_PER_COUNT, SHOE, STACK, STACKS, START,
    TRAY, VOID, WANTED, WHEEL, WHOLE,
)


# ---- what is next ------------------------------------------------------------------------------

@micropython.native
def playable(p, s, d=0, a=0, b=0, c=0):
    """The deck that a round may be opened with, or 0."""
    if p.continuous:
        return s[WHEEL] if s[WHEEL] and s[s[WHEEL]] == decks.MIXED else 0
    if p.by_hand:
        return RED if s[RED] == decks.WHOLE else BLUE if s[BLUE] == decks.WHOLE else 0
    return s[SHOE] if s[SHOE] and s[s[SHOE]] == decks.READY else 0


@micropython.native
def next_position(p, s):
    """Where the next stack goes: clockwise from the first, or from the starting position that was drawn."""
    if p.start and s[OWED]:
        return (s[START] - 1 + s[STACKS]) % s[OWED] + 1
    return s[STACKS] + 1


@micropython.native
def next_size(p, s):
    """Cards of the next stack: the players' come first, then the dealer's."""
    return p.stack if p.fixed or s[STACKS] < s[OWED] - p.dealer else p.dealer_stack


# ---- the machine -------------------------------------------------------------------------------

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
def job(p, s, d, a, b, c):
    return s[JOB]


@micropython.native
def tray(p, s, d, a, b, c):
    return s[TRAY]


# ---- decks -------------------------------------------------------------------------------------

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
def gone_and_not_new(p, s, d, a, b, c):
    """a: the deck is declared as new"""
    return s[d] == decks.GONE and not a


@micropython.native
def gone(p, s, d, a, b, c):
    return s[d] == decks.GONE


@micropython.native
def shuffled_and_not_new(p, s, d, a, b, c):
    """c: it is declared as shuffled before"""
    return c and s[d] != decks.GONE


@micropython.native
def too_old(p, s, d, a, b, c):
    return s[d] != decks.GONE and s[AGE_RED - RED + d] == OVER


@micropython.native
def second_deck(p, s, d, a, b, c):
    return not p.two_decks and s[3 - d] not in (decks.AWAY, decks.GONE, decks.LOCKED)


@micropython.native
def loadable(p, s, d, a, b, c):
    return decks.step(s[d], "LOAD") is not None


@micropython.native
def removable(p, s, d, a, b, c):
    return decks.step(s[d], "REMOVE") is not None


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


# ---- rounds ------------------------------------------------------------------------------------

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


@micropython.native
def drawing(p, s, d, a, b, c):
    return s[ROUND] == DRAW1 or s[ROUND] == DRAW2


@micropython.native
def wrong_drawer(p, s, d, a, b, c):
    """b: position; each in its turn, clockwise, once a phase"""
    return drawing(p, s, d, a, b, c) and not s[DRAWN] < b <= s[OWED] - p.dealer


@micropython.native
def too_many(p, s, d, a, b, c):
    """c: cards"""
    limit = p.draws_first if s[ROUND] == DRAW1 else p.draws_later
    return drawing(p, s, d, a, b, c) and not 1 <= c <= limit


@micropython.native
def wrong_size(p, s, d, a, b, c):
    """c: cards, 0 for the size of the game"""
    return s[ROUND] == DEALT and s[STACKS] < s[OWED] and c not in (0, next_size(p, s))


@micropython.native
def wrong_position(p, s, d, a, b, c):
    return s[ROUND] == DEALT and b != next_position(p, s)


@micropython.native
def stacks_missing(p, s, d, a, b, c):
    return s[ROUND] == DEALT and s[STACKS] < s[OWED]


@micropython.native
def no_such_stack(p, s, d, a, b, c):
    return not 1 <= b <= s[OWED] or (s[ROUND] == DEALT and not s[STACKS])


@micropython.native
def faces(p, s, d, a, b, c):
    return s[FACES]


@micropython.native
def job_stack(p, s, d, a, b, c):
    return s[JOB] == STACK


@micropython.native
def job_draw(p, s, d, a, b, c):
    return s[JOB] == DRAW or s[JOB] == CARD


@micropython.native
def job_rest(p, s, d, a, b, c):
    return s[JOB] == REST


@micropython.native
def job_back(p, s, d, a, b, c):
    return s[JOB] == BACK


@micropython.native
def job_whole(p, s, d, a, b, c):
    return s[JOB] == WHOLE


@micropython.native
def coming_out(p, s, d, a, b, c):
    return s[JOB] in (REST, BACK, WHOLE)


@micropython.native
def as_ordered(p, s, d, a, b, c):
    """a: cards delivered, b: cards ordered"""
    return a == b


@micropython.native
def rest_wrong(p, s, d, a, b, c):
    """b: cards of the remainder, where the game knows how many must be left"""
    return p.rest and s[ROUND] != VOID and b + s[FACES] + s[EXTRA] != p.rest


@micropython.native
def ahead(p, s, d, a, b, c):
    return a == 2


@micropython.native
def a_nonzero(p, s, d, a, b, c):
    return a


@micropython.native
def ready(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.READY

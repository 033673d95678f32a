# When a row of rules.py applies. Each is a question about profile p, state s and what the event says:
# d a deck, a b c numbers (see rules.py, event by event).

from dovetail.table import decks
from dovetail.table.layout import (
    AGE_RED, BACK, BETS, BLUE, CARD, CLOCK, CLOSED, DEALT, DOWN, DRAW, DRAW1, DRAW2, DRAWN, EXTRA, FACES, FAULT, JOB,
    LAST, LOOK, OPEN, OUT, OVER, OWED, PAIR, RED, RELEASED, REST, ROUND, ROUNDS_PER_COUNT, SHOE, STACK, STACKS, START,
    TRAY, VOID, WANTED, WHEEL, WHOLE,
)


# ---- what is next ------------------------------------------------------------------------------

def playable(p, s, d=0, a=0, b=0, c=0):
    """The deck that a round may be opened with, or 0."""
    if p.continuous:
        return s[WHEEL] if s[WHEEL] and s[s[WHEEL]] == decks.MIXED else 0
    if p.by_hand:
        return RED if s[RED] == decks.WHOLE else BLUE if s[BLUE] == decks.WHOLE else 0
    return s[SHOE] if s[SHOE] and s[s[SHOE]] == decks.READY else 0


def next_position(p, s):
    """Where the next stack goes: clockwise from the first, or from the starting position that was drawn."""
    if p.start and s[OWED]:
        return (s[START] - 1 + s[STACKS]) % s[OWED] + 1
    return s[STACKS] + 1


def next_size(p, s):
    """Cards of the next stack: the players' come first, then the dealer's."""
    return p.stack if p.fixed or s[STACKS] < s[OWED] - p.dealer else p.dealer_stack


# ---- the machine -------------------------------------------------------------------------------

def stopped(p, s, d, a, b, c):
    return s[FAULT]


def down(p, s, d, a, b, c):
    return s[FAULT] == DOWN


def no_fault(p, s, d, a, b, c):
    return not s[FAULT]


def out(p, s, d, a, b, c):
    return s[OUT]


def in_service(p, s, d, a, b, c):
    return not s[OUT]


def unsafe(p, s, d, a, b, c):
    return s[OPEN]


def looking(p, s, d, a, b, c):
    return s[LOOK]


def not_looking(p, s, d, a, b, c):
    return not s[LOOK]


def moving(p, s, d, a, b, c):
    """a: something still moves"""
    return s[LOOK] or a


def at_work(p, s, d, a, b, c):
    return s[LOOK] or s[JOB] or decks.SHUFFLING in s[1:3] or decks.MOVING in s[1:3] or decks.TAKING in s[1:3]


def cards_inside(p, s, d, a, b, c):
    return s[WHEEL] or s[SHOE]


def job(p, s, d, a, b, c):
    return s[JOB]


def tray(p, s, d, a, b, c):
    return s[TRAY]


# ---- decks -------------------------------------------------------------------------------------

def infeed_taken(p, s, d, a, b, c):
    return decks.DECLARED in s[1:3]


def infeed_at_work(p, s, d, a, b, c):
    return decks.SHUFFLING in s[1:3] or decks.TAKING in s[1:3]


def infeed_empty(p, s, d, a, b, c):
    """b: cards lie in the infeed"""
    return not b


def locked(p, s, d, a, b, c):
    return s[d] == decks.LOCKED


def gone_and_not_new(p, s, d, a, b, c):
    """a: the deck is declared as new"""
    return s[d] == decks.GONE and not a


def gone(p, s, d, a, b, c):
    return s[d] == decks.GONE


def shuffled_and_not_new(p, s, d, a, b, c):
    """c: it is declared as shuffled before"""
    return c and s[d] != decks.GONE


def too_old(p, s, d, a, b, c):
    return s[d] != decks.GONE and s[AGE_RED - RED + d] == OVER


def second_deck(p, s, d, a, b, c):
    return not p.two_decks and s[3 - d] not in (decks.AWAY, decks.GONE, decks.LOCKED)


def loadable(p, s, d, a, b, c):
    return decks.step(s[d], "LOAD") is not None


def removable(p, s, d, a, b, c):
    return decks.step(s[d], "REMOVE") is not None


def not_declared(p, s, d, a, b, c):
    return s[d] != decks.DECLARED


def wheel_taken(p, s, d, a, b, c):
    return s[WHEEL]


def shoe_taken(p, s, d, a, b, c):
    return s[SHOE]


def filling(p, s, d, a, b, c):
    return s[WHEEL] and s[s[WHEEL]] == decks.SHUFFLING


def mixed(p, s, d, a, b, c):
    return s[d] == decks.MIXED


def taking(p, s, d, a, b, c):
    return decks.TAKING in s[1:3]


def more_than_a_deck(p, s, d, a, b, c):
    """a: cards inside"""
    return a > p.cards


def held(p, s, d, a, b, c):
    return s[WHEEL] and s[s[WHEEL]] == decks.HELD


def emptying(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.MOVING


def a_right(p, s, d, a, b, c):
    """a: cards counted"""
    return a == p.cards


def both_right(p, s, d, a, b, c):
    """a: cards counted in, b: cards counted out"""
    return a == p.cards and b == p.cards


def single_stack_out(p, s, d, a, b, c):
    return decks.WHOLE in s[1:3]


# ---- rounds ------------------------------------------------------------------------------------

def under_way(p, s, d, a, b, c):
    return BETS <= s[ROUND] <= RELEASED


def void(p, s, d, a, b, c):
    return s[ROUND] == VOID


def void_in_shoe(p, s, d, a, b, c):
    return s[ROUND] == VOID and s[SHOE] and s[s[SHOE]] == decks.DEALING


def closed(p, s, d, a, b, c):
    return s[ROUND] == CLOSED


def bets(p, s, d, a, b, c):
    return s[ROUND] == BETS


def released(p, s, d, a, b, c):
    return s[ROUND] == RELEASED


def another_round(p, s, d, a, b, c):
    """a: the number is that of the open round"""
    return not a


def not_later(p, s, d, a, b, c):
    """b: the number is greater than any before"""
    return not b


def wrong_players(p, s, d, a, b, c):
    """a: players"""
    return not 1 <= a <= p.players


def too_few(p, s, d, a, b, c):
    """c: 1 cards of the deck are not inside, 2 so many that this round could not be dealt"""
    return c == 2


def some_outside(p, s, d, a, b, c):
    return c


def none_ready(p, s, d, a, b, c):
    return not playable(p, s)


def same_deck(p, s, d, a, b, c):
    return s[PAIR] and s[LAST] == playable(p, s)


def ready_too_old(p, s, d, a, b, c):
    d = playable(p, s)
    return d and s[AGE_RED - RED + d] == OVER


def count_due(p, s, d, a, b, c):
    return s[CLOCK] >= ROUNDS_PER_COUNT


def hand(p, s, d, a, b, c):
    return decks.HAND in s[1:3]


def by_hand(p, s, d, a, b, c):
    return p.by_hand


def from_shoe(p, s, d, a, b, c):
    return not p.by_hand


def continuous(p, s, d, a, b, c):
    return p.continuous


def all_stacks(p, s, d, a, b, c):
    return s[ROUND] == DEALT and s[STACKS] == s[OWED]


def draw_next(p, s, d, a, b, c):
    return not p.by_hand and p.draws_first and all_stacks(p, s, d, a, b, c)


def draw_again(p, s, d, a, b, c):
    return p.draws_later and s[ROUND] == DRAW1


def no_start(p, s, d, a, b, c):
    return not p.start


def start_known(p, s, d, a, b, c):
    return s[START]


def start_wanted(p, s, d, a, b, c):
    return s[START] == WANTED and 1 <= a <= s[OWED]


def no_start_yet(p, s, d, a, b, c):
    return p.start and (s[START] == 0 or s[START] == WANTED)


def drawing(p, s, d, a, b, c):
    return s[ROUND] == DRAW1 or s[ROUND] == DRAW2


def wrong_drawer(p, s, d, a, b, c):
    """b: position; each in its turn, clockwise, once a phase"""
    return drawing(p, s, d, a, b, c) and not s[DRAWN] < b <= s[OWED] - p.dealer


def too_many(p, s, d, a, b, c):
    """c: cards"""
    limit = p.draws_first if s[ROUND] == DRAW1 else p.draws_later
    return drawing(p, s, d, a, b, c) and not 1 <= c <= limit


def wrong_size(p, s, d, a, b, c):
    """c: cards, 0 for the size of the game"""
    return s[ROUND] == DEALT and s[STACKS] < s[OWED] and c not in (0, next_size(p, s))


def wrong_position(p, s, d, a, b, c):
    return s[ROUND] == DEALT and b != next_position(p, s)


def stacks_missing(p, s, d, a, b, c):
    return s[ROUND] == DEALT and s[STACKS] < s[OWED]


def no_such_stack(p, s, d, a, b, c):
    return not 1 <= b <= s[OWED] or (s[ROUND] == DEALT and not s[STACKS])


def faces(p, s, d, a, b, c):
    return s[FACES]


def job_stack(p, s, d, a, b, c):
    return s[JOB] == STACK


def job_draw(p, s, d, a, b, c):
    return s[JOB] == DRAW or s[JOB] == CARD


def job_rest(p, s, d, a, b, c):
    return s[JOB] == REST


def job_back(p, s, d, a, b, c):
    return s[JOB] == BACK


def job_whole(p, s, d, a, b, c):
    return s[JOB] == WHOLE


def coming_out(p, s, d, a, b, c):
    return s[JOB] in (REST, BACK, WHOLE)


def as_ordered(p, s, d, a, b, c):
    """a: cards delivered, b: cards ordered"""
    return a == b


def rest_wrong(p, s, d, a, b, c):
    """b: cards of the remainder, where the game knows how many must be left"""
    return p.rest and s[ROUND] != VOID and b + s[FACES] + s[EXTRA] != p.rest


def ahead(p, s, d, a, b, c):
    return a == 2


def a_nonzero(p, s, d, a, b, c):
    return a


def ready(p, s, d, a, b, c):
    return s[SHOE] and s[s[SHOE]] == decks.READY

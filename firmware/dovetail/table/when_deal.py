# When a row applies: questions about what leaves the shoe.
# Each is asked of profile p, state s and what the event says: d a deck, a b c numbers (see the rows, event by event).

import micropython
from dovetail.table.layout import (
    BACK, CARD, DEALT, DRAW, CALL2, CALL3, DRAWN, EXTRA, FACES, JOB, OWED, REST, ROUND, STACK, STACKS, START, TRAY,
    VOID, WHOLE,
)


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


@micropython.native
def job(p, s, d, a, b, c):
    return s[JOB]


@micropython.native
def tray(p, s, d, a, b, c):
    return s[TRAY]


@micropython.native
def drawing(p, s, d, a, b, c):
    return s[ROUND] == CALL2 or s[ROUND] == CALL3


@micropython.native
def wrong_drawer(p, s, d, a, b, c):
    """b: position; each in its turn, clockwise, once a phase"""
    return drawing(p, s, d, a, b, c) and not s[DRAWN] < b <= s[OWED] - p.dealer


@micropython.native
def no_draws(p, s, d, a, b, c):
    return drawing(p, s, d, a, b, c) and not p.draws_first


@micropython.native
def too_many(p, s, d, a, b, c):
    """c: cards"""
    limit = p.draws_first if s[ROUND] == CALL2 else p.draws_later
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
    if not 1 <= b <= s[OWED]:
        return True
    if s[ROUND] != DEALT:
        return False
    return ((b - s[START]) % s[OWED] if p.start else b - 1) >= s[STACKS]


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
def one_over(p, s, d, a, b, c):
    return a == b + 1


@micropython.native
def players_alone(p, s, d, a, b, c):
    return p.hand_only and not (p.dealer and c == s[OWED])


@micropython.native
def rest_wrong(p, s, d, a, b, c):
    """b: cards of the remainder, where the game knows how many must be left"""
    return p.rest and s[ROUND] != VOID and b + s[FACES] + s[EXTRA] != p.rest

"""Decks: loaded, shuffled, counted, removed; their age."""

from __future__ import annotations

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step
from host_tools.rules.properties.rule import by, done, rule


@rule("TD-3 TD-5 CT-3", "load")
def a_deck_is_loaded(t: Step) -> bool:
    if not done(t):
        return t.no is not None
    s, d = t.s, t.d
    asis = t.after[at.ASIS] == d
    if s[d] == decks.GONE:
        fine = bool(t.a) and t.after[at.AGE_RED - at.RED + d] == 0
    else:
        fine = s[d] in (decks.AWAY, decks.WHOLE) and t.h[was.AGED + d] < 2 and not t.c
    other_infeed = {decks.DECLARED, decks.SHUFFLING} & set(s[1:3])
    return (
        fine
        and bool(t.b)
        and not other_infeed
        and asis == bool(t.c)
        and t.after[d] == decks.DECLARED
    )


@rule("CT-3 TD-5 TD-3 TD-1 SH-6 CL-1 CL-2 CL-3 CL-4 CL-5", "load")
def a_deck_that_may_not_is_refused_by_its_rule(t: Step) -> bool:
    s, h, d = t.s, t.h, t.d
    if h[was.STOPPED] or h[was.OUT] or h[was.UNSAFE]:
        return not done(t)
    lost = h[was.LOST + d]
    if lost != 2 and h[was.AGED + d] == 2:
        return by(t, "@life")
    if decks.DECLARED in s[1:3]:
        return by(t, "TD-5")
    if decks.SHUFFLING in s[1:3] or h[was.BACK]:
        return by(t, "LATER")
    if lost == 1 or (lost == 2 and not t.a):
        return by(t, "CT-3")
    if t.c and not lost:
        return by(t, "SH-6")
    if not t.p.two_decks and s[3 - d] not in (decks.AWAY, decks.GONE, decks.LOCKED):
        return by(t, "TD-1")
    if not lost and s[d] not in (decks.AWAY, decks.WHOLE):
        return by(t, "TD-3")
    return done(t) if t.b else by(t, "LATER")


@rule("SH-1", "shuffle")
def only_a_declared_deck_is_shuffled(t: Step) -> bool:
    if t.h[was.STOPPED] or t.h[was.OUT] or t.h[was.UNSAFE]:
        return not done(t)
    if t.h[was.GOOD + t.d] == 4 and t.p.continuous:
        return True
    if t.s[t.d] != decks.DECLARED:
        return by(t, "SH-1")
    if t.s[at.WHEEL]:
        return by(t, "LATER")
    return (
        done(t) and t.actions == ("fill",) and t.after[at.WHEEL] == t.d and t.after[at.INSIDE] == 1
    )


@rule("SH-7", "shuffle")
def discards_go_back_in(t: Step) -> bool:
    """In continuous play; not while the wheel deals, and only what lies there."""
    if t.h[was.GOOD + t.d] != 4 or not t.p.continuous:
        return True
    if t.h[was.STOPPED] or t.h[was.OUT] or t.h[was.UNSAFE]:
        return not done(t)
    if t.h[was.BACK] or t.s[at.JOB] or not t.b:
        return by(t, "LATER")
    return done(t) and t.actions == ("fill",) and t.after[t.d] == decks.TAKING


@rule("SH-7 CT-1 CT-3", "filled")
def what_went_back_in_is_counted(t: Step) -> bool:
    """More than the deck is a wrong deck; all of it is a count that is trusted."""
    if not t.h[was.BACK]:
        return True
    d = t.s[at.WHEEL]
    if t.a > t.p.cards:
        locked = t.after[d] == decks.LOCKED and bool(t.after[at.FAULT]) and not t.after[at.JOB]
        return locked and t.actions == ("wrong_deck",)
    clock = 0 if t.a == t.p.cards else t.s[at.CLOCK]
    return t.after[d] == decks.MIXED and t.after[at.CLOCK] == clock and not t.actions


@rule("TD-4 TD-1", "shuffle")
def two_decks_in_use_are_remembered(t: Step) -> bool:
    return not done(t) or t.after[at.PAIR] == t.h2[was.TWO]


@rule("CT-2 CT-3 SH-4", "filled")
def the_first_count(t: Step) -> bool:
    if t.h[was.BACK]:
        return True
    filling = t.s[at.WHEEL] and t.s[t.s[at.WHEEL]] == decks.SHUFFLING
    if not filling or t.h[was.STOPPED]:
        return by(t, "EL-2")
    after = t.after[t.s[at.WHEEL]]
    if t.a == t.p.cards:
        right = decks.MIXED if t.p.continuous else decks.HELD
        return after == right and not t.after[at.FAULT] and not t.actions and not t.after[at.ASIS]
    locked = after == decks.LOCKED and bool(t.after[at.FAULT])
    return locked and t.actions == ("wrong_deck",) and not t.after[at.JOB]


@rule("TD-3", "moved")
def a_deck_moves_when_the_shoe_is_free(t: Step) -> bool:
    held = t.s[at.WHEEL] and t.s[t.s[at.WHEEL]] == decks.HELD
    if not held or t.h[was.STOPPED]:
        return by(t, "EL-2")
    if t.s[at.SHOE]:
        return by(t, "LATER")
    return done(t) and t.after[at.SHOE] == t.s[at.WHEEL]


@rule("CT-1 CT-2 I-1", "emptied")
def the_second_count(t: Step) -> bool:
    moving = t.s[at.SHOE] and t.s[t.s[at.SHOE]] == decks.MOVING
    if not moving or t.h[was.STOPPED]:
        return by(t, "EL-2")
    if t.a == t.b == t.p.cards:
        return (
            t.after[t.s[at.SHOE]] == decks.READY
            and t.actions == ("ready",)
            and not t.after[at.WHEEL]
        )
    doubt = bool(t.after[at.FAULT]) and bool(t.after[at.DOUBT])
    return doubt and t.actions == ("disagree",) and not t.after[at.JOB]


@rule("CT-3", "remove_deck")
def a_deck_is_removed(t: Step) -> bool:
    if t.h[was.STOPPED] or t.s[t.d] == decks.GONE:
        return by(t, "EL-2" if t.h[was.STOPPED] else "CT-3")
    if t.s[t.d] in (decks.AWAY, decks.LOCKED, decks.WHOLE):
        return done(t) and not t.after[at.PAIR]
    return by(t, "TD-3")


@rule("CT-1 CT-3", "stub_counted")
def a_stub_counted_by_hand(t: Step) -> bool:
    if t.h[was.OUT]:
        return by(t, "SH-5")
    if t.h[was.ROUND] == was.OPEN:
        return by(t, "DS-6")
    if t.p.continuous:
        return by(t, "SH-7")
    if t.a:
        return done(t) and not t.after[at.CLOCK] and not t.after[at.DOUBT]
    if t.s[t.d] in (decks.AWAY, decks.LOCKED, decks.WHOLE):
        return t.after[t.d] == decks.LOCKED and t.actions == ("lock",) and not t.after[at.CLOCK]
    return by(t, "TD-3")


@rule("CL-1", "time")
def time_runs_on(t: Step) -> bool:
    return by(t, "@life") if t.a else done(t) and t.after == t.s


@rule("CL-1", "age")
def the_age_is_kept(t: Step) -> bool:
    return t.after[at.AGE_RED - at.RED + t.d] == t.a

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
    made = t.after[at.ORDER_RED - at.RED + d]
    if s[d] in (decks.GONE, decks.BARRED):
        fine = t.a == 1 and t.after[at.AGE_RED - at.RED + d] == 0
        fine = fine and not t.after[at.CLOCK_RED - at.RED + d]
        fine = fine and t.after[at.DOUBT] == s[at.DOUBT] & ~(1 << d)
        fine = fine and (t.after[at.CLOCK], t.after[at.LAST]) == (t.h2[was.SINCE], t.h2[was.LAST])
        fine = fine and t.after[at.TURN] == s[at.TURN]
    else:
        fine = s[d] in (decks.AWAY, decks.WHOLE) and t.h[was.AGED + d] != at.OVER
        fine = fine and not t.a and not t.c & 1 and not _stub_due(t)
        fine = fine and (t.h[was.AGED + d] != at.UNSORTED or t.c & 2 > 0)
    other_infeed = {decks.DECLARED, decks.SHUFFLING} & set(s[1:3])
    return (
        fine
        and bool(t.b)
        and not other_infeed
        and made == (at.BROUGHT if t.c & 1 else at.NONE)
        and (bool(t.p.brought) or not t.c & 1)
        and t.after[d] == decks.DECLARED
    )


@rule("SH-1 CT-3 TD-5 TD-3 TD-1 SH-6 SH-11 CT-1 CL-1 CL-2 CL-3 CL-4 CL-5", "load")
def a_deck_that_may_not_is_refused_by_its_rule(t: Step) -> bool:
    s, h, d = t.s, t.h, t.d
    if h[was.STOPPED] or h[was.OUT] or h[was.UNSAFE]:
        return not done(t)
    lost = h[was.LOST + d]
    if t.a == 2:
        return by(t, "SH-11")
    if lost < 2 and h[was.AGED + d] == at.OVER:
        return by(t, "@life")
    if lost < 2 and h[was.AGED + d] == at.UNSORTED and not t.c & 2:
        return by(t, "CL-5")
    if decks.DECLARED in s[1:3]:
        return by(t, "TD-5")
    if decks.SHUFFLING in s[1:3] or h[was.BACK]:
        return by(t, "LATER")
    if lost == 1:
        return by(t, "CT-3")
    if not lost and _stub_due(t):
        return by(t, "CT-1")
    if (lost >= 2) != bool(t.a):
        return by(t, "CT-3")
    if t.c & 1 and not (lost and t.p.brought):
        return by(t, "SH-6")
    at_the_table = s[3 - d] != decks.AWAY or h[was.LAST] == 3 - d
    if not t.p.two_decks and h[was.LOST + 3 - d] < 2 and at_the_table:
        return by(t, "TD-1")
    if not lost and s[d] not in (decks.AWAY, decks.WHOLE):
        return by(t, "TD-3")
    if not lost and h[was.ROUND] == was.OPEN and h[was.LAST] == d:
        return by(t, "SH-1")
    return done(t) if t.b else by(t, "LATER")


def _stub_due(t: Step) -> bool:
    """Return whether this deck lies on the table, and is to be counted by hand before a load."""
    h, d = t.h, t.d
    if t.p.continuous or t.s[d] != decks.AWAY:
        return False
    return h[was.SINCE_OF + d] >= 5 or (h[was.LAST] == d and h[was.SINCE] >= 5)


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
    of_deck = at.CLOCK_RED - at.RED + d
    for place in (at.CLOCK, of_deck):
        if t.after[place] != (0 if t.a == t.p.cards else t.s[place]):
            return False
    return t.after[d] == decks.MIXED and not t.actions


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
        return after == right and not t.after[at.FAULT] and not t.actions
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
    doubt = bool(t.after[at.FAULT]) and t.after[at.DOUBT] == 6
    return doubt and t.actions == ("disagree",) and not t.after[at.JOB]


@rule("CT-3 TD-4", "remove_deck")
def a_deck_is_removed(t: Step) -> bool:
    """Not while cards lie there that may be of it; no table ends that two decks alternate."""
    s, lost = t.s, t.h[was.LOST + t.d]
    if t.h[was.STOPPED]:
        return by(t, "EL-2")
    if lost >= 2:
        bound = t.h[was.TWO] or t.d in (t.h[was.LAST], t.h[was.TURN])
        if not t.a or not bound:
            return by(t, "CT-3")
        return _one_is_left(t) and t.after[t.d] == s[t.d]
    if s[t.d] not in (decks.AWAY, decks.LOCKED, decks.WHOLE):
        return by(t, "TD-3")
    if t.h[was.ROUND] == was.OPEN and t.h[was.LAST] == t.d:
        return by(t, "SH-1")
    known = {decks.DECLARED, decks.SHUFFLING, decks.TAKING} & set(s[1:3])
    if (t.b and not known) or s[at.TRAY]:
        return by(t, "CT-3")
    barred = t.after[t.d] == (decks.BARRED if lost else decks.GONE)
    if t.a:
        return done(t) and barred and _one_is_left(t)
    kept = all(t.after[place] == s[place] for place in (at.PAIR, at.LAST, at.TURN, at.CLOCK))
    return done(t) and barred and kept


def _one_is_left(t: Step) -> bool:
    """Say whether nothing is bound any more to the deck that a supervisor has taken away."""
    left = (t.after[at.LAST], t.after[at.TURN], t.after[at.CLOCK])
    return not t.after[at.PAIR] and left == (t.h2[was.LAST], t.h2[was.TURN], t.h2[was.SINCE])


@rule("TD-5 SH-6", "unloaded")
def a_declaration_ends_with_its_cards(t: Step) -> bool:
    """Hold that a deck is not declared any more once the machine has seen the infeed empty."""
    if t.s[t.d] != decks.DECLARED:
        return by(t, "EL-2")
    made = t.after[at.ORDER_RED - at.RED + t.d]
    return done(t) and (t.after[t.d], made) == (decks.AWAY, at.NONE) and not t.actions


@rule("CT-1 CT-3 CT-4", "stub_counted")
def a_stub_counted_by_hand(t: Step) -> bool:
    h, s, after, d = t.h, t.s, t.after, t.d
    if h[was.OUT]:
        return by(t, "SH-5")
    if t.p.continuous:
        return by(t, "SH-7")
    last = d == h[was.LAST]
    under_way = last and h[was.ROUND] == was.OPEN and h[was.RESTED] < 2
    if under_way and not (t.p.by_hand and h[was.CALLS] >= t.p.stages):
        return by(t, "DS-6")
    if h[was.LOST + d]:
        return by(t, "CT-3")
    if s[d] not in (decks.AWAY, decks.WHOLE, decks.HAND):
        return by(t, "TD-3")
    if s[at.TRAY]:
        return by(t, "LATER")
    of_deck = at.CLOCK_RED - at.RED + d
    clocks = (after[at.CLOCK], after[of_deck]) == (t.h2[was.SINCE], 0)
    if not t.a:
        void = after[at.ROUND] == (at.VOID if last else s[at.ROUND])
        locked = after[d] == decks.LOCKED and not after[at.STUB]
        return locked and t.actions == ("lock",) and void and clocks
    if h[was.STUBBED] if last else not h[was.SINCE_OF + d]:
        return by(t, "CT-1")
    settled = clocks and after[at.DOUBT] == s[at.DOUBT] & ~(1 << d)
    settled = settled and after[at.STUB] == (1 if last else s[at.STUB])
    other = at.CLOCK_RED - at.RED + 3 - d
    return done(t) and settled and after[other] == s[other] and after[d] == s[d]


@rule("SH-9", "idle")
def an_idle_table_voids_the_shuffle_that_waits(t: Step) -> bool:
    if t.h[was.ROUND] == was.OPEN:
        return by(t, "DS-4")
    same = t.after[: at.ORDER_RED] == t.s[: at.ORDER_RED]
    return done(t) and same and t.after[at.SPOILT :] == t.s[at.SPOILT :]


@rule("CL-1", "time")
def time_runs_on(t: Step) -> bool:
    return by(t, "@life") if t.a else done(t) and t.after == t.s


@rule("CL-1", "age")
def the_age_is_kept(t: Step) -> bool:
    return t.after[at.AGE_RED - at.RED + t.d] == t.a

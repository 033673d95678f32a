"""What leaves the shoe: the start, stacks, draws, the remainder."""

from __future__ import annotations

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step
from host_tools.rules.properties.rule import busy, by, done, may_deal, of_the_round, rule


@rule("DS-13", "draw_start")
def a_start_is_asked_for(t: Step) -> bool:
    why = of_the_round(t)
    if why:
        return by(t, why)
    if not t.p.start:
        return by(t, "DS-13")
    if not t.h[was.CALLS]:
        return by(t, "DS-4")
    if t.h[was.START]:
        return by(t, "DS-13")
    if t.h[was.STOPPED]:
        return by(t, "EL-2")
    if t.h[was.OUT]:
        return by(t, "SH-5")
    return done(t) and t.actions == ("draw",) and t.after[at.START] == at.WANTED


@rule("DS-13", "start_drawn")
def a_start_is_drawn(t: Step) -> bool:
    asked = t.s[at.START] == at.WANTED and 1 <= t.a <= t.s[at.OWED]
    return done(t) and t.after[at.START] == t.a if asked else by(t, "DS-13")


@rule("DS-4 DS-5 DS-6 DS-7 DS-8 DS-13 SH-2 DS-1 DS-2 DS-3 I-2", "deal")
def a_stack_is_dealt(t: Step) -> bool:
    why = may_deal(t)
    if why:
        return by(t, why)
    p, h, owed = t.p, t.h, t.s[at.OWED]
    if p.start and h[was.START] != 2:
        return by(t, "DS-13")
    begun = h[was.STACKS] or h[was.CALLS] > 1
    if not begun and h[was.AGED + h[was.LAST]] == at.OVER:
        return by(t, "@life")
    if busy(t) == "LATER" or t.h[was.BACK]:  # what is under way may be what this one waits for
        return by(t, "LATER")
    if h[was.CALLS] > 1:
        if not p.draws_first:
            return by(t, "DS-6")
        if not h[was.PHASE] < t.b <= owed - p.dealer:
            return by(t, "DS-5")
        if not 1 <= t.c <= (p.draws_first if h[was.CALLS] == 2 else p.draws_later):
            return by(t, "DS-7")
        job = at.DRAW
    else:
        if h[was.STACKS] == owed:
            return by(t, "DS-5")
        last = h[was.STACKS] == owed - 1 and p.dealer
        if t.c not in (0, p.dealer_stack if last and not p.fixed else p.stack):
            return by(t, "@stack")
        if t.b != (h[was.FOUND_AT] or h[was.STACKS] + 1):
            return by(t, "DS-5")
        job = at.STACK
    why = busy(t)
    if why:
        return by(t, why)
    return done(t) and t.after[at.JOB] == job and (job == at.STACK or t.after[at.DRAWN] == t.b)


@rule("DS-11 DS-10 CT-4 I-3", "delivered")
def what_was_delivered_is_judged(t: Step) -> bool:
    job = t.s[at.JOB]
    if t.h[was.STOPPED] or job not in (at.STACK, at.DRAW, at.CARD):
        return by(t, "EL-2")
    after, h2 = t.after, t.h2
    if h2[was.STOPPED]:
        void = after[at.ROUND] == at.VOID and bool(after[at.FAULT]) and not after[at.JOB]
        locked = t.s[1:3].count(decks.LOCKED) == after[1:3].count(decks.LOCKED)
        return void and locked and t.actions == ("misdeal",)
    stacks = t.s[at.STACKS] + (job == at.STACK)
    spoilt = after[at.SPOILT] == h2[was.SPOILT]
    fine = after[at.STACKS] == stacks and after[at.EXTRA] == h2[was.EXTRA] and spoilt
    return fine and after[at.JOB] == at.TAKE and after[at.TRAY] == 1 and t.actions == _said(t)


def _said(t: Step) -> tuple[str, ...]:
    """What the dealer must be told of a stack that does not void the round."""
    if t.a == t.b:
        return ()
    if t.h2[was.EXTRA]:
        return ("one_more",)
    return ("hand_void",)


@rule("DS-11", "delivered", "rest_out")
def a_wrong_number_leaves_cards_in_the_tray(t: Step) -> bool:
    wrong = {"misdeal", "wrong_deck"} & set(t.actions)
    return not done(t) or (bool(t.after[at.TRAY]) and not (wrong and t.after[at.START]))


@rule("DS-5", "taken")
def a_stack_is_taken(t: Step) -> bool:
    return not t.after[at.TRAY] and t.after[at.JOB] == (
        0 if t.s[at.JOB] == at.TAKE else t.s[at.JOB]
    )


@rule("DS-5", "tray_seen")
def the_tray_is_seen(t: Step) -> bool:
    return t.after[at.TRAY] == 1


@rule("DS-9", "face_up")
def a_card_face_up(t: Step) -> bool:
    why = may_deal(t)
    if why:
        return by(t, why)
    if busy(t) == "LATER" or t.h[was.BACK]:  # what is under way may be what this one waits for
        return by(t, "LATER")
    first_round = t.h[was.CALLS] == 1
    before = (t.b - t.s[at.START]) % t.s[at.OWED] if t.p.start else t.b - 1
    if not 1 <= t.b <= t.s[at.OWED] or (first_round and before >= t.h[was.STACKS]):
        return by(t, "DS-5")
    why = busy(t)
    if why:
        return by(t, why)
    if t.h[was.FACES]:
        return t.after[at.ROUND] == at.VOID and t.actions == ("void",) and not t.after[at.JOB]
    return t.after[at.JOB] == at.CARD and t.after[at.FACES] == 1


@rule("DS-6 DS-8 CT-4 CT-6 SH-7", "remainder")
def the_remainder_is_asked_for(t: Step) -> bool:
    h = t.h
    if h[was.ROUND] == was.VOID and t.a and decks.DEALING in t.s[1:3] and not h[was.STOPPED]:
        return by(t, busy(t)) if busy(t) else t.after[at.JOB] == at.REST
    if h[was.ROUND] == was.VOID and not t.a:
        return by(t, "DS-4")
    why = may_deal(t)
    if why:
        return by(t, why)
    if t.p.continuous:
        return by(t, "SH-7")
    if busy(t) == "LATER":  # what is under way may be what this one waits for
        return by(t, "LATER")
    if h[was.CALLS] == 1 and h[was.STACKS] < t.s[at.OWED]:
        return by(t, "DS-6")
    if h[was.CALLS] < t.p.stages:
        return by(t, "DS-4")
    return by(t, busy(t)) if busy(t) else t.after[at.JOB] == at.REST


@rule("SH-1 TD-4", "give_back")
def an_unplayed_deck_comes_back(t: Step) -> bool:
    if busy(t) in ("EL-2", "SH-5", "DS-12"):
        return by(t, busy(t))
    if t.h[was.ROUND] == was.OPEN:
        return by(t, "DS-6")
    if busy(t):
        return by(t, "LATER")
    ready = decks.READY in t.s[1:3]
    return t.after[at.JOB] == at.BACK if ready else by(t, "SH-1")


@rule("SH-2", "deliver")
def a_single_stack_is_asked_for(t: Step) -> bool:
    if busy(t) in ("EL-2", "SH-5", "DS-12"):
        return by(t, busy(t))
    if not t.p.by_hand:
        return by(t, "SH-2")
    shoe = t.s[at.SHOE]
    if shoe and t.s[shoe] == decks.READY and t.h[was.MADE + shoe] == at.IDLED:
        return by(t, "SH-9")
    if decks.WHOLE in t.s[1:3] or busy(t):
        return by(t, "LATER")
    ready = decks.READY in t.s[1:3]
    return t.after[at.JOB] == at.WHOLE if ready else by(t, "SH-1")


@rule("CT-3 CT-4 CT-5 CT-6 SH-2", "rest_out")
def what_came_out_is_judged(t: Step) -> bool:
    s, after, job = t.s, t.after, t.s[at.JOB]
    if t.h[was.STOPPED]:
        return by(t, "EL-2")
    if job not in (at.REST, at.BACK, at.WHOLE):
        return by(t, "EL-2")
    shoe = s[at.SHOE]
    if t.a != t.p.cards:
        locked = after[shoe] == decks.LOCKED and bool(after[at.FAULT]) and not after[at.JOB]
        return locked and t.actions == ("wrong_deck",)
    left = t.b + s[at.FACES] + s[at.EXTRA]
    if job == at.REST and t.p.rest and s[at.ROUND] != at.VOID and left != t.p.rest:
        void = after[at.ROUND] == at.VOID and bool(after[at.FAULT]) and after[shoe] == decks.BROKEN
        return void and t.actions == ("misdeal",) and not after[at.JOB]
    state = decks.WHOLE if job == at.WHOLE else decks.AWAY
    gone = not after[at.SHOE] and after[shoe] == state and not after[at.JOB] and not after[at.FAULT]
    inside = after[at.INSIDE] == (1 if s[at.WHEEL] else 0)
    if job != at.REST or s[at.ROUND] == at.VOID:
        turn = after[at.ROUND] == s[at.ROUND]
    else:
        turn = after[at.ROUND] == at.RELEASED
    return (
        gone and inside and turn and t.actions == (("whole",) if job == at.WHOLE else ("released",))
    )

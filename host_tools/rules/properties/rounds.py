"""Rounds: opened, bets closed, closed, void."""

from __future__ import annotations

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step
from host_tools.rules.properties.rule import by, done, of_the_round, playable, rule, waiting


@rule("SH-1 TD-4 DS-12 CT-1 DS-4 DS-8 SH-7 CL-1 CL-2 CL-3 CL-4 CL-5 I-2", "open")
def a_round_is_opened(t: Step) -> bool:
    h = t.h
    if h[was.STOPPED]:
        return by(t, "EL-2")
    if h[was.OUT]:
        return by(t, "SH-5")
    if h[was.ROUND] == was.OPEN:
        return by(t, "DS-4")
    if h[was.ROUND] == was.VOID and decks.DEALING in t.s[1:3]:
        return by(t, "DS-8")
    if not t.b:
        return by(t, "SH-1")
    if not t.p.fewest <= t.a <= t.p.players:
        return by(t, "DS-12")
    if t.s[at.JOB] or h[was.BACK]:
        return by(t, "LATER")
    if waiting(t) and not playable(t):
        return by(t, "SH-9")
    d = playable(t)
    if not d:
        return by(t, "SH-1")
    if h[was.TWO] and h[was.TURN] == d and t.p.two_decks:
        return by(t, "TD-4")
    if h[was.AGED + d] == 2:
        return by(t, "@life")
    if h[was.AGED + d] == at.UNSORTED:
        return by(t, "CL-5")
    if h[was.ROUND] == was.VOID and t.c:
        return by(t, "DS-8")
    if t.c == 2:
        return by(t, "SH-7")
    if h[was.SINCE] >= 5 or h[was.SINCE_OF + d] >= 5:
        return by(t, "CT-1")
    owed = (t.p.players if t.p.fixed else t.a) + t.p.dealer
    fresh = not any(
        t.after[i] for i in (at.STACKS, at.DRAWN, at.START, at.FACES, at.EXTRA, at.SPOILT)
    )
    right = t.after[at.OWED] == owed and t.after[at.LAST] == d and t.after[at.TURN] == t.s[at.TURN]
    right = right and t.actions == ("opened",)
    return done(t) and t.after[at.ROUND] == at.BETS and fresh and right


@rule("DS-4 DS-7", "no_more_bets")
def no_more_bets_is_declared(t: Step) -> bool:
    why = of_the_round(t)
    if why:
        return by(t, why)
    calls = t.h[was.CALLS]
    dealt = t.p.by_hand or t.h[was.STACKS] == t.s[at.OWED]
    if calls == 0:
        age = t.h[was.AGED + t.h[was.LAST]]
        if age in (at.OVER, at.UNSORTED):
            return by(t, "@life" if age == at.OVER else "CL-5")
        return done(t) and t.after[at.ROUND] == at.DEALT and t.after[at.TURN] == t.h2[was.TURN]
    if t.s[at.JOB]:
        return by(t, "LATER")
    if t.h[was.RESTED] == 2 or not dealt or calls >= t.p.stages:
        return by(t, "DS-4")
    return done(t) and t.after[at.ROUND] == at.DEALT + calls and not t.after[at.DRAWN]


@rule("DS-6 CT-1 SH-2", "close")
def a_round_is_closed(t: Step) -> bool:
    why = of_the_round(t)
    if why:
        return by(t, why)
    if not t.h[was.CALLS]:
        return by(t, "DS-4")
    if t.p.by_hand and t.h[was.CALLS] < t.p.stages:
        return by(t, "DS-4")
    if not t.p.by_hand:
        if t.s[at.JOB]:
            return by(t, "LATER")
        over = t.h[was.RESTED] == 2
        if t.p.continuous:
            over = t.h[was.STACKS] == t.s[at.OWED]
        if not over:
            return by(t, "DS-6")
    of_deck = at.CLOCK_RED - at.RED + t.h[was.LAST]
    clock = t.after[at.CLOCK] == t.h2[was.SINCE]
    clock = clock and t.after[of_deck] == t.h2[was.SINCE_OF + t.h[was.LAST]]
    left = (at.OWED, at.STACKS, at.DRAWN, at.START, at.FACES, at.EXTRA, at.SPOILT)
    return clock and t.after[at.ROUND] == at.CLOSED and not any(t.after[i] for i in left)


@rule("CT-4 DS-11 DS-14", "void_round")
def the_dealer_declares_it_void(t: Step) -> bool:
    why = of_the_round(t) if t.h[was.ROUND] != was.VOID else "DS-8"
    if why:
        return by(t, why)
    if t.s[at.JOB]:
        return by(t, "LATER")
    if t.b and (t.h[was.CALLS] >= t.p.stages or t.h[was.RESTED] == 2):
        return by(t, "DS-14")
    dealt = t.h[was.CALLS] and (t.p.by_hand or t.h[was.STACKS] == t.s[at.OWED])
    seen = dealt and (t.p.dealer or t.p.fixed)
    if t.b and not seen:
        return by(t, "DS-14")
    return (
        t.after[at.ROUND] == at.VOID and t.actions == ("void",) and decks.HAND not in t.after[1:3]
    )

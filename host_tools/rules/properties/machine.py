"""The machine as a whole: who is hindered, what stops, what lets it go on."""

from __future__ import annotations

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step
from host_tools.rules.properties.rule import BEGINS, DONE, ENDS, MOVES, by, done, rule


@rule("EL-2 DS-8", *BEGINS)
def nothing_begins_in_a_stopped_machine(t: Step) -> bool:
    return not done(t) or not t.h[was.STOPPED]


@rule("EL-2", "load", "shuffle", "open", "give_back", "deliver")
def stopped_is_said(t: Step) -> bool:
    return not t.h[was.STOPPED] or by(t, "EL-2")


@rule("SH-5", *BEGINS)
def nothing_begins_out_of_service(t: Step) -> bool:
    return not done(t) or not t.h[was.OUT]


@rule("SH-5", "load", "shuffle", "open", "give_back", "deliver")
def out_of_service_is_said(t: Step) -> bool:
    return not t.h[was.OUT] or by(t, "SH-5", "EL-2")


@rule("SH-5", "cleared")
def out_of_service_is_not_cleared(t: Step) -> bool:
    return not t.h[was.OUT] or by(t, "SH-5")


@rule("SH-5", "out_of_service")
def out_of_service_is_latched(t: Step) -> bool:
    works = {decks.SHUFFLING, decks.MOVING, decks.TAKING} & set(t.s[1:3])
    if not t.h[was.OUT] and (t.s[at.JOB] or t.s[at.LOOK] or works):
        return by(t, "LATER")
    return bool(t.after[at.OUT]) and t.actions == (() if t.h[was.OUT] else ("out",))


@rule("SH-5 EL-3", "found")
def service_begins_empty(t: Step) -> bool:
    if not t.s[at.LOOK]:
        return by(t, "EL-2")
    clear = not t.a and not t.h[was.UNSAFE] and not t.h[was.DOWN]
    empty = not any(t.after[i] for i in (at.OUT, at.FAULT, at.WHEEL, at.SHOE, at.INSIDE, at.JOB))
    empty = empty and not t.after[at.TRAY]
    said = t.actions == (("cleared",) if clear else ("found",))
    return said and not t.after[at.LOOK] and (empty if clear else bool(t.after[at.FAULT]))


@rule("EL-2 DS-12", "cleared", "in_service")
def it_looks_only_when_safe_and_at_rest(t: Step) -> bool:
    if not done(t):
        return True
    if t.after[at.LOOK] == t.s[at.LOOK]:
        idle = not t.h[was.OUT] if t.name == "in_service" else not t.h[was.STOPPED]
        return idle and t.after == t.s
    still = not (t.h[was.UNSAFE] or t.h[was.DOWN] or t.a or t.s[at.LOOK])
    return still and t.actions == ("look",)


@rule("DS-12", "cleared", "in_service")
def the_lid_is_named(t: Step) -> bool:
    h = t.h
    wanted = h[was.OUT] if t.name == "in_service" else h[was.STOPPED] and not h[was.OUT]
    if not wanted:
        return True
    if h[was.DOWN]:
        return by(t, "EL-2")
    if h[was.UNSAFE]:
        return by(t, "DS-12")
    return by(t, "LATER") if t.a or t.s[at.LOOK] else done(t)


@rule("DS-12 I-6", *MOVES)
def nothing_moves_with_the_lid_open(t: Step) -> bool:
    return not done(t) or not t.h[was.UNSAFE]


@rule("DS-12", "load", "shuffle", "give_back", "deliver")
def the_open_lid_is_said(t: Step) -> bool:
    return not t.h[was.UNSAFE] or by(t, "DS-12", "EL-2", "SH-5")


@rule("DS-12", "opened")
def opening_stops_what_is_inside(t: Step) -> bool:
    s, after = t.s, t.after
    if not after[at.OPEN]:
        return False
    inside = (s[at.WHEEL] or s[at.SHOE]) and not s[at.FAULT] and not s[at.LOOK]
    return bool(after[at.FAULT]) and t.actions == ("stop",) if inside else t.actions == ()


@rule("DS-12 I-6", "closed_again")
def closing_starts_nothing(t: Step) -> bool:
    return t.after[: at.OPEN] == t.s[: at.OPEN] and not t.after[at.OPEN] and not t.actions


@rule("EL-4 I-9", DONE)
def down_ends_with_power_only(t: Step) -> bool:
    return t.s[at.FAULT] != at.DOWN or t.after[at.FAULT] == at.DOWN or t.name == "power"


_KEPT = (
    at.OUT,
    at.PAIR,
    at.LAST,
    at.TURN,
    at.DOUBT,
    at.CLOCK,
    at.CLOCK_RED,
    at.CLOCK_BLUE,
    at.STUB,
    at.INSIDE,
)


@rule("EL-4 EL-3 TD-4", "power")
def after_power_on(t: Step) -> bool:
    after = t.after
    fault = at.DOWN if t.a else at.STOPPED if t.s[at.INSIDE] else 0
    gone = (
        at.JOB,
        at.LOOK,
        at.WHEEL,
        at.SHOE,
        at.TRAY,
        at.ORDER_RED,
        at.ORDER_BLUE,
        at.OPEN,
        at.START,
        at.EXTRA,
    )
    rest = (at.OWED, at.STACKS, at.DRAWN, at.FACES)
    inside = set(after[1:3]) <= {decks.AWAY, decks.LOCKED, decks.GONE, decks.BARRED}
    kept = all(after[i] == t.s[i] for i in _KEPT)
    return (
        after[at.FAULT] == fault and inside and kept and not any(after[i] for i in (*gone, *rest))
    )


@rule("SH-4 DS-8 CT-3 EL-4 I-5", *ENDS)
def a_fault_breaks_and_voids(t: Step) -> bool:
    if not t.after[at.FAULT] or t.after[at.JOB]:
        return False
    if t.name == "down" and t.after[at.FAULT] != at.DOWN:
        return False
    in_hand = next((d for d in (1, 2) if t.s[d] == decks.HAND), 0)
    in_play = at.BETS <= t.s[at.ROUND] <= at.CALL3 and (not in_hand or in_hand == t.d)
    wanted = at.VOID if in_play else t.s[at.ROUND]
    return t.after[at.ROUND] == wanted and not {
        decks.SHUFFLING,
        decks.HELD,
        decks.MOVING,
        decks.READY,
        decks.DEALING,
        decks.MIXED,
    } & set(t.after[1:3])


@rule("EL-2", *ENDS, "opened", "filled", "emptied", "delivered", "rest_out")
def a_stop_is_never_a_better_state(t: Step) -> bool:
    return t.after[at.FAULT] >= t.s[at.FAULT]


@rule("DS-12 SH-4 DS-8", "opened", "out_of_service")
def an_interruption_breaks_and_voids(t: Step) -> bool:
    if t.s[at.ROUND] == t.after[at.ROUND]:
        return True
    in_play = at.BETS <= t.s[at.ROUND] <= at.CALL3 and decks.HAND not in t.s[1:3]
    return in_play and t.after[at.ROUND] == at.VOID

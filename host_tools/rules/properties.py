"""Each rule as a property of one step: what must hold before, after, or of the refusal."""

from __future__ import annotations

from collections.abc import Callable

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step

Holds = Callable[[Step], bool]
MOVES = ("load", "shuffle", "deal", "face_up", "remainder", "give_back", "deliver")
BEGINS = ("load", "shuffle", "open", "deal", "face_up", "remainder", "give_back", "deliver")
ENDS = ("stop", "lock", "down")
DONE = "*"  # whatever is not refused
STATE = "**"  # of every state, once

CHECKS: dict[str, list[tuple[str, Holds]]] = {}  # event to (rule, what must hold)
RULES: dict[str, list[str]] = {}  # rule to the names of its properties


def rule(ids: str, *events: str) -> Callable[[Holds], Holds]:
    """This function is a property of these rules at these events."""

    def enter(holds: Holds) -> Holds:
        name = getattr(holds, "__name__", "")
        for one in ids.split():
            RULES.setdefault(one, []).append(name)
        for event in events:
            CHECKS.setdefault(event, []).append((ids, holds))
        return holds

    return enter


def broken(t: Step, event: str) -> str:
    """The rules that this step breaks, with the property's name; empty when all hold."""
    for ids, holds in CHECKS.get(event, ()):
        if not holds(t):
            return f"{ids} {getattr(holds, '__name__', '')}"
    return ""


def done(t: Step) -> bool:
    """Whether it was not refused."""
    return t.no is None


def by(t: Step, *ids: str) -> bool:
    """Whether it was refused by one of these."""
    return t.no is not None and t.no[0] in ids


# ---- whatever happens --------------------------------------------------------------------------


@rule("EL-2 SH-4", STATE)
def the_states_agree_with_what_has_happened(t: Step) -> bool:
    s, h = t.after, t.h2
    return (
        bool(s[at.FAULT]) == bool(h[was.STOPPED])
        and (s[at.FAULT] == at.DOWN) == bool(h[was.DOWN])
        and s[at.OUT] == h[was.OUT]
        and s[at.OPEN] == h[was.UNSAFE]
        and (at.BETS <= s[at.ROUND] <= at.RELEASED) == (h[was.ROUND] == was.OPEN)
        and (s[at.ROUND] == at.VOID) == (h[was.ROUND] == was.VOID)
    )


@rule("SH-1 SH-4 CT-1", STATE)
def ready_only_after_a_whole_shuffle_counted_twice(t: Step) -> bool:
    for d in (1, 2):
        if t.after[d] in (decks.READY, decks.MIXED) and t.h2[was.GOOD + d] != 4:
            return False
        if t.after[d] == decks.WHOLE and t.h2[was.GOOD + d] != 5:
            return False
    return True


@rule("CT-3", STATE)
def a_locked_deck_stays_so(t: Step) -> bool:
    for d in (1, 2):
        lost = t.h2[was.LOST + d]
        if (t.after[d] == decks.LOCKED) != (lost == 1) or (t.after[d] == decks.GONE) != (lost == 2):
            return False
    return True


@rule("SH-4 DS-8 EL-2", STATE)
def an_interrupted_deck_stays_broken(t: Step) -> bool:
    outside = (decks.BROKEN, decks.LOCKED, decks.GONE)
    return all(not t.h2[was.HURT + d] or t.after[d] in outside for d in (1, 2))


@rule("TD-5", STATE)
def one_deck_at_the_infeed(t: Step) -> bool:
    return sum(state in (decks.DECLARED, decks.SHUFFLING) for state in t.after[1:3]) < 2


@rule("TD-1", STATE)
def two_decks_only_where_permitted(t: Step) -> bool:
    outside = (decks.AWAY, decks.GONE, decks.LOCKED)
    return bool(t.p.two_decks) or any(state in outside for state in t.after[1:3])


@rule("TD-3", STATE)
def one_deck_a_place(t: Step) -> bool:
    """A deck is where the machine says, and no two are in one place."""
    s = t.after
    if s[at.FAULT] or s[at.OUT]:
        return True
    wheel, shoe = s[at.WHEEL], s[at.SHOE]
    for d in (1, 2):
        if (wheel == d) != (s[d] in (decks.SHUFFLING, decks.HELD, decks.MOVING, decks.MIXED)):
            return False
        if (shoe == d) != (s[d] in (decks.MOVING, decks.READY, decks.DEALING)):
            return False
    return True


@rule("EL-3", STATE)
def what_is_inside_is_known(t: Step) -> bool:
    s = t.after
    return bool(s[at.INSIDE]) or not (s[at.WHEEL] or s[at.SHOE]) or bool(s[at.FAULT])


@rule("EL-3", DONE)
def inside_ends_by_looking_or_by_counting_out(t: Step) -> bool:
    if not t.s[at.INSIDE] or t.after[at.INSIDE]:
        return True
    empty = t.name == "rest_out" and t.a == t.p.cards and not t.s[at.WHEEL]
    return empty or (t.name == "found" and not t.a)


@rule("DS-8 EL-2", STATE)
def no_job_in_a_stopped_machine(t: Step) -> bool:
    works = t.after[at.JOB] or t.after[at.START] == at.WANTED
    return not (t.after[at.FAULT] or t.after[at.OUT]) or not works


@rule("DS-4 DS-8", DONE)
def cards_leave_only_by_these_events(t: Step) -> bool:
    """A job begins only with a request for it."""
    begun = t.after[at.JOB] not in (at.NOTHING, at.TAKE) and t.s[at.JOB] != t.after[at.JOB]
    return not begun or t.name in ("deal", "face_up", "remainder", "give_back", "deliver")


@rule("DS-6 CT-6", DONE)
def jobs_ask_the_lane(t: Step) -> bool:
    if t.s[at.JOB] == t.after[at.JOB] or t.after[at.JOB] in (at.NOTHING, at.TAKE):
        return True
    whole = t.after[at.JOB] in (at.REST, at.BACK, at.WHOLE)
    return t.actions == (("rest",) if whole else ("deal",))


# ---- who is hindered ---------------------------------------------------------------------------


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
    if not done(t):
        return by(t, "LATER") and bool(
            t.s[at.JOB] or t.s[at.LOOK] or {decks.SHUFFLING, decks.MOVING} & set(t.s[1:3])
        )
    return bool(t.after[at.OUT]) and t.actions == (() if t.h[was.OUT] else ("out",))


@rule("SH-5 EL-3", "found")
def service_begins_empty(t: Step) -> bool:
    if not t.s[at.LOOK]:
        return by(t, "EL-2")
    clear = not t.a and not t.h[was.UNSAFE] and not t.h[was.DOWN]
    empty = not any(t.after[i] for i in (at.OUT, at.FAULT, at.WHEEL, at.SHOE, at.INSIDE, at.JOB))
    empty = empty and not t.after[at.TRAY] and not t.after[at.ASIS]
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


@rule("DS-12", *MOVES)
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


@rule("DS-12", "closed_again")
def closing_starts_nothing(t: Step) -> bool:
    return t.after[: at.OPEN] == t.s[: at.OPEN] and not t.after[at.OPEN] and not t.actions


@rule("EL-4", DONE)
def down_ends_with_power_only(t: Step) -> bool:
    return t.s[at.FAULT] != at.DOWN or t.after[at.FAULT] == at.DOWN or t.name == "power"


@rule("EL-4 EL-3", "power")
def after_power_on(t: Step) -> bool:
    after = t.after
    fault = at.DOWN if t.a else at.STOPPED if t.s[at.INSIDE] else 0
    gone = (
        at.JOB,
        at.LOOK,
        at.WHEEL,
        at.SHOE,
        at.TRAY,
        at.ASIS,
        at.PAIR,
        at.OPEN,
        at.START,
        at.EXTRA,
    )
    rest = (at.OWED, at.STACKS, at.DRAWN, at.FACES)
    inside = set(after[1:3]) <= {decks.AWAY, decks.LOCKED, decks.GONE}
    kept = all(after[i] == t.s[i] for i in (at.OUT, at.LAST, at.DOUBT, at.CLOCK, at.INSIDE))
    return (
        after[at.FAULT] == fault and inside and kept and not any(after[i] for i in (*gone, *rest))
    )


# ---- what stops --------------------------------------------------------------------------------


@rule("SH-4 DS-8 CT-3 EL-4", *ENDS)
def a_fault_breaks_and_voids(t: Step) -> bool:
    if not t.after[at.FAULT] or t.after[at.JOB]:
        return False
    if t.name == "down" and t.after[at.FAULT] != at.DOWN:
        return False
    in_hand = next((d for d in (1, 2) if t.s[d] == decks.HAND), 0)
    in_play = at.BETS <= t.s[at.ROUND] <= at.DRAW2 and (not in_hand or in_hand == t.d)
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
    in_play = at.BETS <= t.s[at.ROUND] <= at.DRAW2 and decks.HAND not in t.s[1:3]
    return in_play and t.after[at.ROUND] == at.VOID


# ---- decks -------------------------------------------------------------------------------------


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
    if decks.DECLARED in s[1:3]:
        return by(t, "TD-5")
    if decks.SHUFFLING in s[1:3]:
        return by(t, "LATER")
    lost = h[was.LOST + d]
    if lost == 1 or (lost == 2 and not t.a):
        return by(t, "CT-3")
    if t.c and not lost:
        return by(t, "SH-6")
    if not lost and h[was.AGED + d] == 2:
        return by(t, "@life")
    if not t.p.two_decks and s[3 - d] not in (decks.AWAY, decks.GONE, decks.LOCKED):
        return by(t, "TD-1")
    if not lost and s[d] not in (decks.AWAY, decks.WHOLE):
        return by(t, "TD-3")
    return done(t) if t.b else by(t, "LATER")


@rule("SH-1", "shuffle")
def only_a_declared_deck_is_shuffled(t: Step) -> bool:
    if t.h[was.STOPPED] or t.h[was.OUT] or t.h[was.UNSAFE]:
        return not done(t)
    if t.s[t.d] != decks.DECLARED:
        return by(t, "SH-1")
    if t.s[at.WHEEL]:
        return by(t, "LATER")
    return (
        done(t) and t.actions == ("fill",) and t.after[at.WHEEL] == t.d and t.after[at.INSIDE] == 1
    )


@rule("TD-4 TD-1", "shuffle")
def two_decks_in_use_are_remembered(t: Step) -> bool:
    return not done(t) or t.after[at.PAIR] == t.h2[was.TWO]


@rule("CT-2 CT-3 SH-4", "filled")
def the_first_count(t: Step) -> bool:
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


@rule("CT-1 CT-2", "emptied")
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


# ---- rounds ------------------------------------------------------------------------------------


def playable(t: Step) -> int:
    """The deck that truly may be dealt next, or 0."""
    wanted = 5 if t.p.by_hand else 4
    return next((d for d in (1, 2) if t.h[was.GOOD + d] == wanted), 0)


@rule("SH-1 TD-4 DS-12 CT-1 DS-4 CL-1 CL-2 CL-3 CL-4 CL-5", "open")
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
    if not 1 <= t.a <= t.p.players:
        return by(t, "DS-12")
    if t.s[at.JOB]:
        return by(t, "LATER")
    d = playable(t)
    if not d:
        return by(t, "SH-1")
    if h[was.TWO] and h[was.LAST] == d:
        return by(t, "TD-4")
    if h[was.AGED + d] == 2:
        return by(t, "@life")
    if h[was.SINCE] >= 5:
        return by(t, "CT-1")
    owed = (t.p.players if t.p.fixed else t.a) + t.p.dealer
    fresh = not any(t.after[i] for i in (at.STACKS, at.DRAWN, at.START, at.FACES, at.EXTRA))
    right = t.after[at.OWED] == owed and t.after[at.LAST] == d and t.actions == ("opened",)
    return done(t) and t.after[at.ROUND] == at.BETS and fresh and right


def of_the_round(t: Step) -> str:
    """Why a request that names a round is refused before anything else, or nothing."""
    if t.h[was.ROUND] == was.VOID:
        return "DS-8"
    if t.h[was.ROUND] != was.OPEN:
        return "SH-1"
    return "" if t.a else "DS-4"


@rule("DS-4 DS-7", "no_more_bets")
def no_more_bets_is_declared(t: Step) -> bool:
    why = of_the_round(t)
    if why:
        return by(t, why)
    calls, drawing = t.h[was.CALLS], t.p.draws_first and not t.p.by_hand
    dealt = t.h[was.STACKS] == t.s[at.OWED]
    if calls == 0:
        return done(t) and t.after[at.ROUND] == at.DEALT
    if t.s[at.JOB]:
        return by(t, "LATER")
    if t.h[was.RESTED] == 2 or not drawing or not dealt:
        return by(t, "DS-4")
    if calls > (2 if t.p.draws_later else 1):
        return by(t, "DS-4")
    return done(t) and t.after[at.ROUND] == at.DEALT + calls and not t.after[at.DRAWN]


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


def busy(t: Step) -> str:
    """Why cards may not leave the shoe now, or nothing."""
    if t.h[was.STOPPED]:
        return "EL-2"
    if t.h[was.OUT]:
        return "SH-5"
    if t.h[was.UNSAFE]:
        return "DS-12"
    return "LATER" if t.s[at.JOB] or t.s[at.TRAY] else ""


def may_deal(t: Step) -> str:
    """Why a card may not be dealt in this round, or nothing."""
    why = of_the_round(t)
    if why:
        return why
    if not t.h[was.CALLS]:
        return "DS-4"
    if t.h[was.RESTED] == 2:
        return "DS-6"
    return "SH-2" if t.p.by_hand else ""


@rule("DS-4 DS-5 DS-6 DS-7 DS-8 DS-13 SH-2 DS-1 DS-2 DS-3", "deal")
def a_stack_is_dealt(t: Step) -> bool:
    why = may_deal(t)
    if why:
        return by(t, why)
    p, h, owed = t.p, t.h, t.s[at.OWED]
    if p.start and h[was.START] != 2:
        return by(t, "DS-13")
    if busy(t) == "LATER":  # what is under way may be what this one waits for
        return by(t, "LATER")
    if h[was.CALLS] > 1:
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


@rule("DS-11 DS-10 CT-4", "delivered")
def what_was_delivered_is_judged(t: Step) -> bool:
    job = t.s[at.JOB]
    if t.h[was.STOPPED] or job not in (at.STACK, at.DRAW, at.CARD):
        return by(t, "EL-2")
    after = t.after
    if t.a != t.b:
        void = after[at.ROUND] == at.VOID and bool(after[at.FAULT]) and not after[at.JOB]
        return (void and t.actions == ("misdeal",) and decks.LOCKED not in after[1:3]) or (
            void
            and t.actions == ("misdeal",)
            and t.s[1:3].count(decks.LOCKED) == after[1:3].count(decks.LOCKED)
        )
    stacks = t.s[at.STACKS] + (job == at.STACK)
    extra = t.c if job == at.STACK else t.s[at.EXTRA]
    fine = after[at.STACKS] == stacks and after[at.EXTRA] == extra
    return fine and after[at.JOB] == at.TAKE and after[at.TRAY] == 1 and not t.actions


@rule("DS-11", "delivered", "rest_out")
def a_wrong_number_leaves_cards_in_the_tray(t: Step) -> bool:
    return not done(t) or bool(t.after[at.TRAY])


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
    if busy(t) == "LATER":  # what is under way may be what this one waits for
        return by(t, "LATER")
    first_round = t.h[was.CALLS] == 1
    if not 1 <= t.b <= t.s[at.OWED] or (first_round and not t.h[was.STACKS]):
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


@rule("DS-6 CT-1 SH-2", "close")
def a_round_is_closed(t: Step) -> bool:
    why = of_the_round(t)
    if why:
        return by(t, why)
    if not t.h[was.CALLS]:
        return by(t, "DS-4")
    if not t.p.by_hand:
        if t.s[at.JOB]:
            return by(t, "LATER")
        over = t.h[was.RESTED] == 2
        if t.p.continuous:
            over = t.h[was.STACKS] == t.s[at.OWED]
        if not over:
            return by(t, "DS-6")
    clock = t.after[at.CLOCK] == t.h2[was.SINCE]
    left = (at.OWED, at.STACKS, at.DRAWN, at.START, at.FACES, at.EXTRA)
    return clock and t.after[at.ROUND] == at.CLOSED and not any(t.after[i] for i in left)


@rule("CT-4 DS-11", "void_round")
def the_dealer_declares_it_void(t: Step) -> bool:
    why = of_the_round(t) if t.h[was.ROUND] != was.VOID else "DS-8"
    if why:
        return by(t, why)
    if t.s[at.JOB]:
        return by(t, "LATER")
    return (
        t.after[at.ROUND] == at.VOID and t.actions == ("void",) and decks.HAND not in t.after[1:3]
    )

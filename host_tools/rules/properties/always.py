"""Whatever happens: of every state, and of every step that is not refused."""

from __future__ import annotations

from dovetail.table import decks
from dovetail.table import layout as at

from host_tools.rules import history as was
from host_tools.rules.history import Step
from host_tools.rules.properties.rule import DONE, IN_WHEEL, STATE, rule


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


@rule("SH-1 SH-4 CT-1 I-1", STATE)
def ready_only_after_a_whole_shuffle_counted_twice(t: Step) -> bool:
    for d in (1, 2):
        if t.after[d] in (decks.READY, decks.MIXED, decks.TAKING) and t.h2[was.GOOD + d] != 4:
            return False
        if t.after[d] == decks.WHOLE and t.h2[was.GOOD + d] != 5:
            return False
    return True


@rule("SH-6 SH-9 SH-1", STATE)
def how_an_order_was_made_is_known(t: Step) -> bool:
    """Of a deck that may be dealt: told is neither a shuffle that none made nor an idled one."""
    there = (decks.HELD, decks.MOVING, decks.READY, decks.WHOLE, decks.MIXED)
    return all(
        t.after[at.ORDER_RED - at.RED + d] == t.h2[was.MADE + d]
        for d in (1, 2)
        if t.after[d] in there
    )


@rule("TD-4 CT-1", STATE)
def whose_turn_it_was_and_what_is_to_be_counted_is_known(t: Step) -> bool:
    kept = (at.LAST, at.TURN, at.PAIR, at.CLOCK, at.CLOCK_RED, at.CLOCK_BLUE)
    true = (was.LAST, was.TURN, was.TWO, was.SINCE, was.SINCE_OF + 1, was.SINCE_OF + 2)
    return all(t.after[i] == t.h2[j] for i, j in zip(kept, true, strict=True))


@rule("CT-3 I-7", STATE)
def a_locked_deck_stays_so(t: Step) -> bool:
    for d in (1, 2):
        lost = t.h2[was.LOST + d]
        told = {decks.LOCKED: 1, decks.GONE: 2, decks.BARRED: 3}.get(t.after[d], 0)
        if told != lost:
            return False
    return True


@rule("SH-4 DS-8 EL-2 I-5", STATE)
def an_interrupted_deck_stays_broken(t: Step) -> bool:
    outside = (decks.BROKEN, decks.LOCKED, decks.GONE, decks.BARRED)
    return all(not t.h2[was.HURT + d] or t.after[d] in outside for d in (1, 2))


@rule("TD-5", STATE)
def one_deck_at_the_infeed(t: Step) -> bool:
    infeed = (decks.DECLARED, decks.SHUFFLING, decks.TAKING)
    return sum(state in infeed for state in t.after[1:3]) < 2


@rule("TD-1", STATE)
def two_decks_only_where_permitted(t: Step) -> bool:
    outside = (decks.AWAY, decks.GONE, decks.BARRED, decks.LOCKED)
    return bool(t.p.two_decks) or any(state in outside for state in t.after[1:3])


@rule("TD-3", STATE)
def one_deck_a_place(t: Step) -> bool:
    """A deck is where the machine says, and no two are in one place."""
    s = t.after
    if s[at.FAULT] or s[at.OUT]:
        return True
    wheel, shoe = s[at.WHEEL], s[at.SHOE]
    for d in (1, 2):
        if (wheel == d) != (s[d] in IN_WHEEL):
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


@rule("DS-4 DS-8 I-2", DONE)
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

"""What a property is: a rule, held against one step at the events that it is about."""

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

IN_WHEEL = (decks.SHUFFLING, decks.HELD, decks.MOVING, decks.MIXED, decks.TAKING)

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
    """Return whether it was not refused."""
    return t.no is None


def by(t: Step, *ids: str) -> bool:
    """Return whether it was refused by one of these."""
    return t.no is not None and t.no[0] in ids


def playable(t: Step) -> int:
    """The deck that truly may be dealt next, or 0."""
    if t.h[was.BACK]:
        return 0
    d = waiting(t)
    return d if d and t.h[was.MADE + d] != at.IDLED else 0


def waiting(t: Step) -> int:
    """The deck that was shuffled or brought to be dealt next, or 0."""
    wanted = 5 if t.p.by_hand else 4
    return next((d for d in (1, 2) if t.h[was.GOOD + d] == wanted), 0)


def of_the_round(t: Step) -> str:
    """Why a request that names a round is refused before anything else, or nothing."""
    if t.h[was.ROUND] == was.VOID:
        return "DS-8"
    if t.h[was.ROUND] != was.OPEN:
        return "SH-1"
    return "" if t.a else "DS-4"


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

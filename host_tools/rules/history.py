"""What has happened, kept apart from the table: the truth that its states are held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dovetail.table.layout import BROUGHT, IDLED, SHUFFLED

from host_tools.rules.device import Profile

# One byte a fact.
CALLS = 0  # "no more bets" of this round
GOOD = (
    0  # + number of the deck: how far its shuffle is, 1 begun to 4 counted twice, 5 a single stack
)
HURT = 2  # + number: interrupted, and the machine has not been seen empty since
LOST = 4  # + number: 1 locked out, 2 removed, 3 removed after a lock-out
LAST, TWO = 7, 8  # deck of the last round, dealt or not; two decks are in use
STUBBED, SINCE = 9, 10  # the stub of the last round was counted; rounds closed since any such count
STACKS = 11
RESTED = 12  # the remainder was asked for
FACES, EXTRA = 13, 14
ROUND = 15  # 0 none, 1 open, 2 void
OUT, DOWN, STOPPED, UNSAFE = 16, 17, 18, 19
START = 20  # 1 asked for, 2 drawn
AGED = 20  # + number: level of age
PLAYED = 23  # deck of the round that is open
FOUND_AT = 24  # the position that the next stack belongs to, where it was drawn
PHASE = 25  # last position that has drawn
NEW = 25  # + number: declared as new, not shuffled since
BACK = 28  # continuous play: discards are going back in
SPOILT = 29  # bit a position: this hand alone is void
DOUBT = 29  # + number: the own count of this deck was found wrong
SINCE_OF = 31  # + number: rounds closed with this deck since a count of it
MADE = 33  # + number: how its order was made, one of the four below
TURN = 36  # deck that was dealt last
SIZE = 37


OPEN, VOID = 1, 2


@dataclass
class Step:
    """One event at one state, and what became of it. The same object is filled again and again."""

    p: Profile
    s: bytes = b""
    h: bytes = b""
    name: str = ""
    d: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    after: bytes = b""
    actions: tuple[str, ...] = ()
    no: tuple[str, str] | None = None
    h2: bytes = b""


def begin() -> bytes:
    """A machine that has never been used."""
    return bytes(SIZE)


Follow = Callable[[Step, bytearray], None]
_FOLLOW: dict[str, Follow] = {}


def _on(*names: str) -> Callable[[Follow], Follow]:
    def enter(follow: Follow) -> Follow:
        for name in names:
            _FOLLOW[name] = follow
        return follow

    return enter


def follow(t: Step) -> bytes:
    """The history after a step that was done."""
    how = _FOLLOW.get(t.name)
    if how is None:
        return t.h
    h = bytearray(t.h)
    how(t, h)
    return bytes(h)


def stub_owed(p: Profile) -> int:
    """Return whether a stub is counted by hand though the machine counts; by game and delivery."""
    return p.stub_hand if p.by_hand else p.stub_shoe


def interrupt(t: Step, h: bytearray) -> None:
    """What is inside is broken, a round dealt from the machine is void."""
    for d in (1, 2):
        if 0 < h[GOOD + d] < 5:
            h[GOOD + d] = 0
            h[HURT + d] = 1
    h[BACK] = 0
    if h[START] == 1:
        h[START] = 0
    if t.p.by_hand:
        return
    if h[RESTED] < 2:
        if h[ROUND] and h[PLAYED]:
            h[HURT + h[PLAYED]] = 1
        h[PLAYED] = h[RESTED] = 0
        if h[ROUND] == OPEN:
            h[ROUND] = VOID


@_on("load")
def _load(t: Step, h: bytearray) -> None:
    h[MADE + t.d] = 0
    if h[LOST + t.d]:
        h[LOST + t.d] = h[AGED + t.d] = h[DOUBT + t.d] = h[SINCE_OF + t.d] = 0
        h[NEW + t.d] = 1
        _no_stub(h, t.d)
        h[MADE + t.d] = BROUGHT if t.c & 1 else 0
    h[GOOD + t.d] = 0


@_on("unloaded")
def _unloaded(t: Step, h: bytearray) -> None:
    h[MADE + t.d] = 0


def _no_stub(h: bytearray, d: int) -> None:
    """A deck is gone for good: if it was the last round's, nobody counts that stub any more."""
    if h[LAST] == d:
        h[LAST] = h[SINCE] = 0


@_on("idle")
def _idle(t: Step, h: bytearray) -> None:
    for d in (1, 2):
        if h[GOOD + d] and not t.p.continuous:
            h[MADE + d] = IDLED
        elif h[MADE + d] == BROUGHT:  # it waits in the infeed, and is shuffled now
            h[MADE + d] = 0


@_on("shuffle")
def _shuffle(t: Step, h: bytearray) -> None:
    if h[GOOD + t.d] == 4:
        h[BACK] = 1
        return
    other = 3 - t.d
    taking_turns = h[GOOD + other] >= 2 or (h[PLAYED] == other and h[RESTED] < 2)
    if (taking_turns or h[TURN] == other) and not t.c:
        h[TWO] = 1
    h[GOOD + t.d], h[NEW + t.d] = 1, 0


@_on("filled")
def _filled(t: Step, h: bytearray) -> None:
    if h[BACK]:
        _came_back(t, h)
        return
    for d in (1, 2):
        if h[GOOD + d] == 1:
            if t.a == t.p.cards:
                h[GOOD + d] = 2
                h[MADE + d] = h[MADE + d] or SHUFFLED
                if t.p.continuous:
                    h[GOOD + d], h[SINCE], h[SINCE_OF + d] = 4, 0, 0
            else:
                h[LOST + d] = 1
                h[GOOD + d] = 0
                h[STOPPED] = 1
                interrupt(t, h)


def _came_back(t: Step, h: bytearray) -> None:
    h[BACK] = 0
    if t.a > t.p.cards:
        h[LOST + t.s[3]] = h[STOPPED] = 1
        h[GOOD + t.s[3]] = 0
        interrupt(t, h)
    elif t.a == t.p.cards:
        h[SINCE] = h[SINCE_OF + t.s[3]] = 0


@_on("moved")
def _moved(t: Step, h: bytearray) -> None:
    for d in (1, 2):
        if h[GOOD + d] == 2:
            h[GOOD + d] = 3


@_on("emptied")
def _emptied(t: Step, h: bytearray) -> None:
    for d in (1, 2):
        if h[GOOD + d] == 3:
            if t.a == t.b == t.p.cards:
                h[GOOD + d] = 4
            else:
                h[DOUBT + 1] = h[DOUBT + 2] = h[STOPPED] = 1
                interrupt(t, h)


@_on("remove_deck")
def _remove(t: Step, h: bytearray) -> None:
    if h[LOST + t.d] < 2:
        h[LOST + t.d] = 3 if h[LOST + t.d] else 2
        h[GOOD + t.d] = 0
    if t.a:  # the supervisor: one deck is left
        h[TWO] = 0
        h[TURN] = 0 if h[TURN] == t.d else h[TURN]
        _no_stub(h, t.d)


@_on("stub_counted")
def _counted(t: Step, h: bytearray) -> None:
    h[SINCE_OF + t.d] = 0
    if t.d == h[LAST]:
        h[SINCE] = 0
        h[STUBBED] = t.a
    if t.a:
        h[DOUBT + t.d] = 0
        return
    h[LOST + t.d] = 1
    h[GOOD + t.d] = h[STUBBED] = 0
    if t.d == h[LAST]:
        h[ROUND], h[PLAYED], h[RESTED] = VOID, 0, 0


@_on("age")
def _age(t: Step, h: bytearray) -> None:
    h[AGED + t.d] = t.a


@_on("open")
def _open(t: Step, h: bytearray) -> None:
    for d in (1, 2):
        if h[GOOD + d] == (5 if t.p.by_hand else 4):
            h[LAST] = h[PLAYED] = d
            if not t.p.continuous:
                h[GOOD + d] = 0
    h[ROUND] = OPEN
    h[STUBBED] = 0
    for place in (CALLS, STACKS, RESTED, FACES, EXTRA, START, PHASE, FOUND_AT, SPOILT):
        h[place] = 0


@_on("no_more_bets")
def _call(t: Step, h: bytearray) -> None:
    if t.p.by_hand and not h[CALLS]:
        h[TURN] = h[LAST]
    h[CALLS] = min(h[CALLS] + 1, 3)
    h[PHASE] = 0


@_on("draw_start")
def _draw(t: Step, h: bytearray) -> None:
    h[START] = 1


@_on("start_drawn")
def _drawn(t: Step, h: bytearray) -> None:
    h[START], h[FOUND_AT] = 2, t.a


@_on("deal")
def _deal(t: Step, h: bytearray) -> None:
    if h[CALLS] > 1:
        h[PHASE] = t.b
    else:
        h[TURN] = h[LAST]


@_on("delivered")
def _delivered(t: Step, h: bytearray) -> None:
    stack = h[CALLS] == 1 and t.s[12] == 1
    dealers = bool(t.p.dealer) and t.c == t.s[6]
    alone = bool(t.p.hand_only) and not dealers
    if t.a not in (t.b, t.b + 1) and not alone:
        h[STOPPED] = 1
        interrupt(t, h)
        return
    h[EXTRA] = t.a == t.b + 1
    if t.a not in (t.b, t.b + 1):
        h[SPOILT] |= 1 << t.c - 1
    if stack:
        h[STACKS] += 1
        if h[FOUND_AT]:
            h[FOUND_AT] = h[FOUND_AT] % 7 + 1


@_on("face_up")
def _face(t: Step, h: bytearray) -> None:
    h[FACES] += 1
    if h[FACES] == 2:
        h[ROUND] = VOID


@_on("remainder")
def _remainder(t: Step, h: bytearray) -> None:
    h[RESTED] = 1


@_on("rest_out")
def _rest(t: Step, h: bytearray) -> None:
    right = t.a == t.p.cards
    if "whole" in t.actions:
        for d in (1, 2):
            if h[GOOD + d] == 4:
                h[GOOD + d] = 5
    elif "released" in t.actions:
        if h[RESTED] == 1:
            h[RESTED] = 2
        else:
            shoe = t.s[4]
            h[GOOD + shoe] = 0
    else:
        h[STOPPED] = 1
        if not right:
            h[LOST + t.s[4]] = 1
            h[GOOD + t.s[4]] = 0
        interrupt(t, h)


@_on("close")
def _close(t: Step, h: bytearray) -> None:
    h[ROUND] = h[PLAYED] = 0
    played = h[LAST]
    wanted = (h[DOUBT + played] or t.p.continuous or stub_owed(t.p)) and not h[STUBBED]
    h[SINCE] = h[SINCE] + 1 if wanted else 0
    h[SINCE_OF + played] = h[SINCE_OF + played] + 1 if wanted else 0
    for place in (CALLS, STACKS, RESTED, FACES, EXTRA, START, PHASE, FOUND_AT, SPOILT):
        h[place] = 0


@_on("void_round")
def _void(t: Step, h: bytearray) -> None:
    h[ROUND] = VOID
    if t.p.by_hand:
        h[PLAYED] = 0


@_on("stop")
def _stop(t: Step, h: bytearray) -> None:
    h[STOPPED] = 1
    interrupt(t, h)


@_on("lock")
def _lock(t: Step, h: bytearray) -> None:
    if h[LOST + t.d] < 2:
        h[LOST + t.d] = 1
        h[GOOD + t.d] = 0
    h[STOPPED] = 1
    if h[PLAYED] == t.d and t.p.by_hand and h[ROUND] == OPEN:
        h[ROUND], h[PLAYED] = VOID, 0
    interrupt(t, h)


@_on("down")
def _down(t: Step, h: bytearray) -> None:
    h[DOWN] = h[STOPPED] = 1
    interrupt(t, h)


@_on("opened")
def _opened(t: Step, h: bytearray) -> None:
    h[UNSAFE] = 1
    if "stop" in t.actions:
        h[STOPPED] = 1
        interrupt(t, h)


@_on("closed_again")
def _closed(t: Step, h: bytearray) -> None:
    h[UNSAFE] = 0


@_on("found")
def _found(t: Step, h: bytearray) -> None:
    if "cleared" in t.actions:
        h[OUT] = h[STOPPED] = h[HURT + 1] = h[HURT + 2] = 0
        for d in (1, 2):
            if h[GOOD + d] < 5:
                h[GOOD + d] = 0
    else:
        h[STOPPED] = 1


@_on("out_of_service")
def _out(t: Step, h: bytearray) -> None:
    if not h[OUT]:
        h[OUT] = 1
        interrupt(t, h)


@_on("power")
def _power(t: Step, h: bytearray) -> None:
    interrupt(t, h)
    h[DOWN] = t.a
    h[STOPPED] = 1 if t.after[13] else 0
    h[UNSAFE] = h[PLAYED] = 0
    for d in (1, 2):
        h[MADE + d] = 0
        h[GOOD + d] = h[HURT + d] = h[NEW + d] = 0
    if h[ROUND]:
        h[ROUND] = VOID
    for place in (CALLS, STACKS, RESTED, FACES, EXTRA, START, PHASE, FOUND_AT, SPOILT):
        h[place] = 0

"""The state pictures of docs/protocol.md: every arrow is one of the firmware, and none is missing.

Of machine, round and deck the table of transitions is walked; a session is led along every arrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest
from dovetail import deck, faults, machine, starting
from dovetail import keys as device_keys
from dovetail.link import roles, sessions
from dovetail.requests import status
from dovetail.table import decks, layout, rulebook

from host_tools.build.tell import ROOT
from host_tools.link import link_pb2
from host_tools.rules import device
from host_tools.rules.bounds import CALM
from host_tools.rules.events import Bound, events

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
LIMIT = 4_500  # states of a walk; with five times as many there is no other arrow
BOUNDS = (
    Bound("one deck", "let_it_ride", decks=(1,)),
    Bound("two decks", "let_it_ride", shuffled=(0,), counts_disagree=False, extra=(0,)),
    Bound(
        "two decks, played",
        "let_it_ride",
        shuffled=(0,),
        counts_disagree=False,
        extra=(0,),
        without=CALM | {"face_up"},
    ),
    Bound("draws", "double_draw", decks=(1,), shuffled=(0,), counts_disagree=False, extra=(0,)),
    Bound("two calls", "boston_5", decks=(1,), shuffled=(0,), counts_disagree=False, extra=(0,)),
    Bound("from the hand", "double_down_stud", by_hand=1, shuffled=(0,), extra=(0,)),
    *(
        Bound(
            f"{game} from the hand, played",
            game,
            by_hand=1,
            players=(2,),
            shuffled=(0,),
            counts_disagree=False,
            extra=(0,),
            without=CALM - {"stub_counted"} | {"idle"},
        )
        for game in ("poker", "double_down_stud", "double_draw")  # one call, two, three
    ),
    Bound("continuous", "plain", continuous=1, decks=(1,)),
)
# Events of the table by the name of their request or event, where it is another
NAMES = {
    "open": "open_round",
    "close": "close_round",
    "emptied": "ready",
    "filled": "shuffle_done",
    "found": "cleared",
    "power": "started",
    "moved": "moving up",
    "unloaded": "infeed empty",
    "rest_out": "remainder",
}
HAPPENS = {
    "moving up",
    "infeed empty",
    "service opening",
    "service ending",
}  # no request, and no event of the link
POWER_ON = "power-on"

Arrow = tuple[str, str, str]


def pictures(heading: str) -> list[str]:
    """What is drawn in a section."""
    section = re.split(r"\n##+ ", PAGE.split(f"# {heading}\n", 1)[1], maxsplit=1)[0]
    return re.findall(r"```\n(.*?)```", section, re.DOTALL)


def arrows(picture: str) -> Iterator[tuple[Arrow, str]]:
    """From, what, to; and whether it is a request, "--", or happens, "=="."""
    for line in filter(None, picture.splitlines()):
        drawn = re.split(r" {2,}", line, maxsplit=1)[0]
        parts = re.split(r" (--|==)(\w.*?)(?:-->|==>) ", drawn)
        assert len(parts) > 1, line
        for at in range(0, len(parts) - 3, 3):
            before, sort, what, after = parts[at : at + 4]
            for one in before.split(", "):
                for other in after.split(", "):
                    for name in what.split(", "):
                        yield (one, name, other), sort


SESSION = pictures("From state to state")[0]
MACHINE, ROUND, DECK = pictures("States")


def drawn(picture: str) -> set[Arrow]:
    """All its arrows."""
    return {arrow for arrow, _ in arrows(picture)}


def nodes(picture: str) -> set[str]:
    """All names at the ends of its arrows."""
    return {end for before, _, after in drawn(picture) for end in (before, after)}


def test_the_names_are_those_of_the_enums() -> None:
    states = set(link_pb2.State.DESCRIPTOR.values_by_name) - {"STATE_UNKNOWN", "STARTING"}
    assert nodes(MACHINE) - {POWER_ON} == states
    phases = {name.removeprefix("PHASE_") for name in link_pb2.Phase.DESCRIPTOR.values_by_name} - {
        "UNKNOWN"
    }
    assert nodes(ROUND) - {POWER_ON} == phases
    assert nodes(DECK) - {"locked_out"} == set(link_pb2.Place.DESCRIPTOR.values_by_name)


@pytest.mark.parametrize("picture", [MACHINE, ROUND, DECK])
def test_what_leads_on_is_a_request_or_an_event(picture: str) -> None:
    requests = {field.name for field in link_pb2.Request.DESCRIPTOR.oneofs[0].fields}
    told = {field.name for field in link_pb2.Event.DESCRIPTOR.oneofs[0].fields}
    for (_, what, _), sort in arrows(picture):
        assert what in (requests if sort == "--" else told | HAPPENS), what


# ---- the table, walked ---------------------------------------------------------------------------


class Step(NamedTuple):
    """One event of the table that was done."""

    before: bytes
    event: str
    after: bytes
    actions: tuple[str, ...]

    @property
    def name(self) -> str:
        """As the page calls it."""
        if self.event != "power" and self.after[layout.FAULT] > self.before[layout.FAULT]:
            return "fault"
        return "whole_deck" if "whole" in self.actions else NAMES.get(self.event, self.event)


def at_power_on(p: device.Profile, s: bytes) -> bytes:
    """What the machine remembers of a state."""
    book = cast(Any, rulebook).Rulebook(p)
    kept = SimpleNamespace(
        gone=sum(1 << n for n in (1, 2) if s[n] in (decks.GONE, decks.BARRED)),
        locks=sum(1 << n for n in (1, 2) if s[n] in (decks.LOCKED, decks.BARRED)),
        out=s[layout.OUT],
        last_back=s[layout.LAST],
        inside=s[layout.INSIDE],
        doubt=s[layout.DOUBT],
        pair=s[layout.PAIR],
        turn=s[layout.TURN],
        stub=s[layout.STUB],
        clock=s[layout.CLOCK],
        clocks=(0, s[layout.CLOCK_RED], s[layout.CLOCK_BLUE]),
    )
    cast(Any, starting)._remember(SimpleNamespace(state=kept, rules=book))
    return book.state


def never(s: bytes, event: str, d: int) -> bool:
    """What the table would take, and no machine says: it locks a deck out while it moves it."""
    inside = (s[layout.WHEEL], s[layout.SHOE])
    return event == "lock" and (d not in inside or s[d] == decks.BROKEN)


@cache
def walk(bound: Bound) -> list[Step]:
    """Every step from the states that are reached first."""
    p = device.profile(bound.game, bound.by_hand, bound.continuous)
    found: list[Step] = []
    entries = {entry[0]: entry for part in device.table() for entry in part}
    seen = {device.first(): None}
    todo = list(seen)
    for s in todo:
        for event in events(bound, p):
            if never(s, event.name, event.numbers[0]):
                continue
            start = at_power_on(p, s) if event.name == "power" else s
            after, actions, no = device.decide(entries[event.name], p, start, *event.numbers)
            if no:
                continue
            found.append(Step(s, event.name, after, actions))
            if after not in seen and len(seen) < LIMIT:
                seen[after] = None
                todo.append(after)
    return found


def walked(shown: Callable[[Bound], Callable[[bytes], str]]) -> set[Arrow]:
    """The arrows of all walks between what is shown of two states."""
    found: set[Arrow] = set()
    for bound in BOUNDS:
        show = shown(bound)
        for step in walk(bound):
            before, after = show(step.before), show(step.after)
            if before != after:
                found.add((before, step.name, after))
    return found


def from_power_on(found: set[Arrow]) -> set[Arrow]:
    """Where a start leads is drawn from one place."""
    return {(POWER_ON if what == "started" else one, what, to) for one, what, to in found}


class Shown:
    """A machine of nothing but rules, asked by the firmware's own functions."""

    def __init__(self, bound: Bound) -> None:
        p = device.profile(bound.game, bound.by_hand, bound.continuous)
        self.machine: Any = object.__new__(cast(Any, machine).Machine)
        self.machine.rules = cast(Any, rulebook).Rulebook(p)
        both = (cast(Any, deck).Deck(n, self.machine.rules) for n in (1, 2))
        self.machine.decks = (None, *both)
        self.machine.at_bench = self.machine.trial = False
        self.machine.role = 0
        self.machine.slots = p.continuous
        self.machine.journal = SimpleNamespace(status=0)
        self.machine.tray = SimpleNamespace(holds=lambda: self.machine.rules.state[layout.TRAY])

    def state(self, s: bytes) -> str:
        """Of `status`."""
        self.machine.rules.state = s
        self.machine.fault = (0, faults.LID_OPEN, faults.NOISE)[s[layout.FAULT]]
        device_status = cast(Any, status)
        number = device_status._STATES[device_status._state(self.machine, s)]
        return link_pb2.State.Name(number)

    def opens(self, s: bytes, trial: bool) -> bool:
        """Return whether a session of service may begin."""
        self.state(s)
        self.machine.trial = trial
        guard = SimpleNamespace(machine=self.machine)
        return cast(Any, device_keys).Keys.hinder(guard, roles.SERVICE) is None


def test_the_machine_is_drawn_as_it_is() -> None:
    found = from_power_on(walked(lambda bound: Shown(bound).state))
    found.remove(("WORKING", "shuffle_done", "IDLE"))  # the lane goes on at once: nobody can ask
    service = {arrow for arrow in drawn(MACHINE) if "SERVICE" in (arrow[0], arrow[2])}
    assert drawn(MACHINE) - service == found


def test_service_is_drawn_as_it_opens() -> None:
    found: set[str] = set()
    for bound in BOUNDS:
        shown = Shown(bound)
        for s in {step.after for step in walk(bound)}:
            dealt = decks.DEALING in s[1:3] or s[layout.ROUND] not in (layout.CLOSED, layout.VOID)
            for trial in (False,) if dealt or bound.continuous else (False, True):
                if shown.opens(s, trial):
                    found.add(shown.state(s))
    opening = {(state, "service opening", "SERVICE") for state in found}
    ending = {("SERVICE", "service ending", state) for state in found}
    assert {arrow for arrow in drawn(MACHINE) if "SERVICE" in (arrow[0], arrow[2])} == (
        opening | ending
    )


def test_a_round_is_drawn_as_it_is() -> None:
    def shown(bound: Bound) -> Callable[[bytes], str]:
        return lambda s: link_pb2.Phase.Name(s[layout.ROUND] + 1).removeprefix("PHASE_")  # pyright: ignore[reportArgumentType]

    assert from_power_on(walked(shown)) == drawn(ROUND)


def test_a_deck_is_drawn_as_it_is() -> None:
    def shown(back: int) -> Callable[[Bound], Callable[[bytes], str]]:
        return lambda bound: lambda s: place(s[back])

    def place(state: int) -> str:
        number = cast(Any, status)._PLACES[state]
        return "locked_out" if state == decks.LOCKED else link_pb2.Place.Name(number)

    assert walked(shown(layout.RED)) | walked(shown(layout.BLUE)) == drawn(DECK)


# ---- a session, led along every arrow ------------------------------------------------------------


class Guard:
    """A machine that has keys and refuses nothing."""

    def key(self, role: int) -> bytes:
        """The same of every role."""
        return bytes(32)

    def fresh(self) -> bytes:
        """For a nonce."""
        return b""

    def nothing(self, *_: object) -> None:
        """Neither hinders nor notes."""

    hinder = began = ended = failed = nothing


class Line:
    """The firmware's sessions: one that is looked at, after another that was open before."""

    def __init__(self) -> None:
        self.now_ms = 1000
        self.counter = 0
        self.mine: Any = None
        self.power()
        self.newer_opens()

    def power(self) -> None:
        """Off and on."""
        self.sessions: Any = cast(Any, sessions).Sessions(Guard(), lambda: self.now_ms, [0] * 7)

    def hello(self, nonce: bytes = b"m" * 16) -> Any:
        """The session that it asks for."""
        fields = {"version": 1, "nonce": nonce, "role": roles.TABLE}
        return self.sessions.hello(1, fields, {})[1]

    def ask(self) -> None:
        """For the one that is looked at."""
        self.mine = self.hello()

    def again(self) -> None:
        """Its hello, once more."""
        self.hello()

    def newer(self) -> Any:
        """A hello with another nonce."""
        return self.hello(self.sessions.drawn.to_bytes(16, "big"))

    def newer_opens(self) -> None:
        """And its first tagged frame."""
        self.frame(self.newer().key)

    def frame(self, key: object) -> None:
        """A frame that is tagged with this key."""

        def signed(known: object, direction: int) -> bool:
            return known is key

        self.counter += 1
        if self.sessions.any():
            self.sessions.check(SimpleNamespace(counter=self.counter, signed=signed))

    def silence(self) -> None:
        """Five seconds, and what the link looks after then."""
        self.now_ms += sessions.SILENCE_MS + 1
        if self.sessions.open is self.mine and not self.sessions.silent_in():
            self.sessions.end()
        else:
            self.frame(self.mine.key)

    def guess(self) -> None:
        """Three wrong tags."""
        for _ in range(3):
            self.frame(object())

    def state(self) -> str:
        """Of the one that is looked at."""
        if self.mine is None:
            return "nothing"
        for name in ("asked", "open"):
            if getattr(self.sessions, name) is self.mine:
                return name
        return "ended"


MOVES: dict[str, Callable[[Line], object]] = {
    "hello": Line.ask,
    "first tagged frame": lambda line: line.frame(line.mine.key),
    "the same hello": Line.again,
    "a newer hello": Line.newer,
    "a newer one opens": Line.newer_opens,
    "5 s of silence": Line.silence,
    "third wrong tag": Line.guess,
    "power": Line.power,
}
WAY: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "asked": ("hello",),
    "open": ("hello", "first tagged frame"),
}


def test_the_picture_of_a_session_is_complete() -> None:
    assert nodes(SESSION) == {*WAY, "ended"}
    assert {what for _, what, _ in drawn(SESSION)} == set(MOVES)


@pytest.mark.parametrize("arrow", sorted(drawn(SESSION)), ids=" ".join)
def test_a_session_goes_as_drawn(arrow: Arrow) -> None:
    before, what, after = arrow
    line = Line()
    for name in WAY[before]:
        MOVES[name](line)
    assert line.state() == before
    MOVES[what](line)
    assert line.state() == after

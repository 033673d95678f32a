"""The way in: infeed, pick roller, entry beam, feed rollers, count station, wheel's mouth."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil
from typing import NamedTuple

from boards import mechanics as M
from sim.axis import FAR, Axis
from sim.card import Card
from sim.faults import Faults
from sim.parts import STEP_UM, Input
from sim.points import CARD_COMES, FEED_TAKES, ON_THE_PATH, PICK_BRINGS, PICK_TAKES
from sim.wheel import Wheel

# Where something changes, for a card's leading edge; with its length added, for its trailing edge.
_LEADING = (
    M.ENTRY_BEAM_UM,
    M.FEED_NIP_UM,
    M.COUNT_BEAM_UM,
    M.WHEEL_MOUTH_UM,
    M.SEATED_UM,
)
_TRAILING = (0, M.ENTRY_BEAM_UM, M.COUNT_BEAM_UM)
_FREE_STEPS = 50  # so far back lets go of a card that is held


@cache
def _marks(length_um: int) -> tuple[float, ...]:
    return (*_LEADING, *(mark + length_um for mark in _TRAILING))


class Passenger:
    """A card under way: its leading edge, and the roller position that goes with it."""

    __slots__ = (
        "base",
        "behind_um",
        "card",
        "driver",
        "floor",
        "held",
        "limit",
        "on",
        "slips_um",
        "x",
    )

    def __init__(self, card: Card, driver: Axis) -> None:
        self.card = card
        self.x = 0.0
        self.driver: Axis | None = driver
        self.base: float = driver.position
        self.floor: float | None = None  # while the roller slips the card stands here
        self.limit: float | None = None
        self.held = False  # at its limit, until it is moved back
        self.slips_um = 0  # in the feed rollers
        self.on: Passenger | None = None  # the card that it sticks to
        self.behind_um = 0.0

    def follow(self) -> None:
        """Come along with the roller, or with the card that this one sticks to."""
        if self.on is not None:
            self.x = self.on.x - self.behind_um
            return
        if self.driver is None:
            return
        self.x = (self.driver.position - self.base) * STEP_UM
        if self.floor is not None:
            if self.x < self.floor:
                self.x = self.floor
                return
            self.floor = None
        if self.limit is not None and self.x >= self.limit:
            self.x = self.limit
            self.base, self.driver = self.driver.position, None

    def drive(self, axis: Axis | None) -> None:
        """Be taken over by another roller."""
        if axis is not self.driver and axis is not None:
            axis.sync()
            self.base = axis.position - self.x / STEP_UM
        self.driver = axis

    def stick(self, um: float) -> None:
        """It comes no further than this, or than where it sticks already."""
        self.limit = um if self.limit is None else min(self.limit, um)

    def lose(self, um: float) -> None:
        """The roller turns so far without it."""
        self.base += um / STEP_UM
        self.floor = self.x


class Coming(NamedTuple):
    """A card that comes under the pick roller, and the infeed that it comes from."""

    infeed: Infeed
    card: Passenger


class Infeed:
    """Cards wait in `stack`, top last; `path` are those under way."""

    def __init__(
        self, pick: Axis, feed: Axis, wheel: Wheel, entry: Input, count: Input, faults: Faults
    ) -> None:
        self.pick, self.feed, self.wheel = pick, feed, wheel
        self.entry, self.count, self.faults = entry, count, faults
        self.stack: list[Card] = []
        self.path: list[Passenger] = []
        self.crashed = 0
        self.on_picked: Callable[[], None] = lambda: None
        self._laid: int | None = None  # where the pick stood when its first card was laid there
        pick.load = self
        feed.load = self

    def loaded(self) -> None:
        """The dealer's hands have changed the tray or the path."""
        if not self.path:
            self._laid = self.pick.position
        self.moved()

    def present(self) -> bool:
        """Whether the tray's sensor sees a card."""
        return bool(self.stack) or any(p.x < M.COUNT_BEAM_UM for p in self.path)

    def over_count(self) -> list[Card]:
        """The cards in the count station."""
        self.pick.sync()
        self.feed.sync()
        for p in self.path:
            p.follow()
        at = M.COUNT_BEAM_UM
        return [p.card for p in self.path if at <= p.x < at + p.card.length_um]

    def moved(self) -> None:
        """Settle where every card is, then watch for what comes next."""
        self.pick.sync()
        self.feed.sync()
        if self._laid is not None and self.path and self.pick.position > self._laid:
            self._laid = None
            if self.faults.planted:
                self.on_picked()
        for p in list(self.path):
            p.follow()
            if p.on is not None:
                p.drive(p.on.driver)
            elif p.driver is self.pick and p.x >= M.FEED_NIP_UM:
                p.drive(self.feed)
                self.faults.at(FEED_TAKES, self)
                if p.slips_um:
                    p.lose(p.slips_um)
                    p.slips_um = 0
            elif p.driver is self.feed and p.x < M.FEED_NIP_UM:
                p.drive(self.pick)  # backed out of the nip
            if p.held and p.driver is None:
                p.base = max(p.base, self.feed.position)  # the roller slips on it
                if self.feed.position < p.base - _FREE_STEPS:
                    p.held, p.limit = False, None
                    p.drive(self.feed)
            if p.driver is not None and p.x >= M.WHEEL_MOUTH_UM:
                self._enter(p)
        self.wheel.in_mouth = any(M.WHEEL_MOUTH_UM < p.x < M.SEATED_UM for p in self.path)
        self._engage()
        self._see()
        self._watch()

    def _enter(self, p: Passenger) -> None:
        """At the mouth a card meets a slot or a wall; at the end it is seated."""
        if not self.wheel.takes(p.card, inside=p.x >= M.SEATED_UM):
            self.crashed += 1
            p.limit = p.x
            p.drive(None)
        elif p.x >= M.SEATED_UM:
            self.wheel.seat(p.card)
            self.path.remove(p)
            for other in self.path:
                if other.on is p:
                    other.on = None

    def _engage(self) -> None:
        """The next card comes under the pick roller when the last has left it."""
        if not self.stack or any(p.x < M.CARD_LENGTH_UM for p in self.path):
            return
        card = self.stack.pop()
        lead = Passenger(card, self.pick)
        self.path.append(lead)
        coming = Coming(self, lead)
        if self.faults.planted:
            self.faults.at(CARD_COMES, coming)
            if self._laid is None:  # else it is picked when the roller moves
                self.on_picked()
        self._suffer(lead)
        for point in (PICK_TAKES, ON_THE_PATH, PICK_BRINGS):
            self.faults.at(point, coming)

    def _suffer(self, p: Passenger) -> None:
        """What comes of how it is made."""
        card = p.card
        slides_um = card.slides_um("pick")
        if slides_um:
            p.lose(slides_um)
        if card.catches():
            p.limit = M.WHEEL_MOUTH_UM
        if card.takes_along() and self.stack:
            self.along(p, 0.0)

    def along(self, p: Passenger, behind_um: float) -> None:
        """The next card comes along, so far behind."""
        other = Passenger(self.stack.pop(), self.pick)
        other.on, other.behind_um = p, behind_um
        other.x = p.x - behind_um
        self.path.append(other)

    def _see(self) -> None:
        entry, count = M.ENTRY_BEAM_UM, M.COUNT_BEAM_UM
        self.entry.set(any(entry <= p.x < entry + p.card.length_um for p in self.path))
        self.count.set(any(count <= p.x < count + p.card.length_um for p in self.path))

    def _watch(self) -> None:
        for axis in (self.pick, self.feed):
            lo, hi = -FAR, FAR
            for p in self.path:
                if p.held and p.driver is None and axis is self.feed:
                    lo = max(lo, int(p.base) - _FREE_STEPS - 1)
                    hi = min(hi, axis.position + _FREE_STEPS // 2)
                if p.driver is not axis:
                    continue
                marks = _marks(p.card.length_um)
                for mark in marks if p.limit is None else (*marks, p.limit):
                    at = ceil(p.base + mark / STEP_UM - 1e-6)
                    if at > axis.position:
                        hi = min(hi, at)
                    else:
                        lo = max(lo, at - 1)
            if axis is self.pick and self._laid is not None and self.path:
                hi = min(hi, self._laid + 1)
            axis.watch(lo, hi)

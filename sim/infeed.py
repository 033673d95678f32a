"""The way in: infeed, pick roller, entry beam, feed rollers, count station, wheel's mouth."""

from __future__ import annotations

from math import ceil

from boards import mechanics as M
from sim.axis import FAR, Axis
from sim.parts import STEP_UM, Card, Faults, Input
from sim.wheel import Wheel

# Where something changes, for a card's leading edge.
_MARKS = sorted(
    [
        M.ENTRY_BEAM_UM,
        M.FEED_NIP_UM,
        M.COUNT_BEAM_UM,
        M.WHEEL_MOUTH_UM,
        M.SEATED_UM,
        M.CARD_LENGTH_UM,
        M.ENTRY_BEAM_UM + M.CARD_LENGTH_UM,
        M.COUNT_BEAM_UM + M.CARD_LENGTH_UM,
    ]
)
_JAM_UM = (M.COUNT_BEAM_UM + M.WHEEL_MOUTH_UM) / 2


class Passenger:
    """A card under way: its leading edge, and the roller position that goes with it."""

    __slots__ = ("base", "card", "driver", "limit", "x")

    def __init__(self, card: Card, driver: Axis) -> None:
        self.card = card
        self.x = 0.0
        self.driver: Axis | None = driver
        self.base = driver.position - self.x / STEP_UM
        self.limit: float | None = None

    def follow(self) -> None:
        """Come along with the roller."""
        if self.driver is not None:
            self.x = (self.driver.position - self.base) * STEP_UM
            if self.limit is not None and self.x >= self.limit:
                self.x, self.driver = self.limit, None

    def drive(self, axis: Axis | None) -> None:
        """Be taken over by another roller."""
        if axis is not self.driver and axis is not None:
            axis.sync()
            self.base = axis.position - self.x / STEP_UM
        self.driver = axis


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
        pick.load = self
        feed.load = self

    def loaded(self) -> None:
        """The dealer's hands have changed the tray or the path."""
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
        return [p.card for p in self.path if at <= p.x < at + M.CARD_LENGTH_UM]

    def moved(self) -> None:
        """Settle where every card is, then watch for what comes next."""
        self.pick.sync()
        self.feed.sync()
        for p in list(self.path):
            p.follow()
            if p.driver is self.pick and p.x >= M.FEED_NIP_UM:
                p.drive(self.feed)
            elif p.driver is self.feed and p.x < M.FEED_NIP_UM:
                p.drive(self.pick)  # backed out of the nip
            if p.driver is not None and p.x >= M.WHEEL_MOUTH_UM:
                self._enter(p)
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

    def _engage(self) -> None:
        """The next card comes under the pick roller when the last has left it."""
        if not self.stack or any(p.x < M.CARD_LENGTH_UM for p in self.path):
            return
        lead = Passenger(self.stack.pop(), self.pick)
        self.path.append(lead)
        if self.faults.strikes("infeed.misfeed"):
            lead.limit = 0.0
        if self.faults.strikes("path.jam"):
            lead.limit = _JAM_UM
        if self.faults.strikes("infeed.double_feed") and self.stack:
            self.path.append(Passenger(self.stack.pop(), self.pick))

    def _see(self) -> None:
        length = M.CARD_LENGTH_UM
        entry, count = M.ENTRY_BEAM_UM, M.COUNT_BEAM_UM
        self.entry.set(any(entry <= p.x < entry + length for p in self.path))
        self.count.set(any(count <= p.x < count + length for p in self.path))

    def _watch(self) -> None:
        for axis in (self.pick, self.feed):
            lo, hi = -FAR, FAR
            for p in self.path:
                if p.driver is not axis:
                    continue
                for mark in _MARKS if p.limit is None else [*_MARKS, p.limit]:
                    at = ceil(p.base + mark / STEP_UM - 1e-6)
                    if at > axis.position:
                        hi = min(hi, at)
                    else:
                        lo = max(lo, at - 1)
            axis.watch(lo, hi)

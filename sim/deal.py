"""The deal: roller, deal beam, chute, tray. The first card out of the wheel is the first dealt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from boards import mechanics as M
from sim.axis import FAR, Axis
from sim.beam import Beam
from sim.card import Card
from sim.faults import Faults, Struck
from sim.parts import STEP_UM
from sim.points import ARRIVES, BEHIND_DEALT, DEAL_BRINGS, DEAL_LAYS, DEAL_TAKES
from sim.world import World

_BEAM = M.DEAL_BEAM_UM


class Deal:
    """The roller holds one card; behind its trailing edge it takes the next."""

    def __init__(self, world: World, axis: Axis, beam: Beam, faults: Faults) -> None:
        self.world, self.axis = world, axis
        self.beam, self.faults = beam, faults
        self.shoe: list[Card] = []
        self.tray: list[Card] = []
        self.arrivals: list[tuple[int, int]] = []  # when the roller let each go, when it was there
        self.chute: list[tuple[Card, int]] = []  # with the time at which its end was at the nip
        self.held: list[Card] = []  # one, but for a double feed
        self.robbed: list[Card] = []  # somebody else has them
        self.added: list[Card] = []  # somebody else has put them in
        self.slid: list[Struck] = []  # cards that the roller slid on by their own fault
        self.evened: set[str] = set()  # plants that something else has made good
        self.x = 0.0
        self.late_um = 0.0  # what is held comes so much later than it should
        self.behind: Card | None = None  # comes along with what is held
        self.behind_um = 0  # so far
        self.chute_um_s = M.CHUTE_UM_S
        self.on_dealt: Callable[[], None] = lambda: None
        self._base = 0.0
        self._floor: float | None = None  # while the roller slips the card stands here
        self.limit: float | None = None
        axis.load = self
        self.moved()

    def drop(self, cards: list[Card]) -> None:
        """Cards fall into the shoe, behind those that lie there."""
        self.shoe.extend(cards)
        self.moved()

    def lay(self) -> None:
        """The first card is laid to the roller anew: what is planted now strikes it too."""
        self.shoe, self.held = self.held + self.shoe, []
        self.moved()

    def resume(self) -> None:
        """Let the cards in the chute slide on, after this part was copied."""
        for card, since in self.chute:
            for um in (_BEAM, M.TRAY_UM - card.length_um):
                self.world.at(since + ceil(um * 1e9 / self.chute_um_s), self._slide)

    def present(self) -> bool:
        """Whether the shoe's sensor sees a card."""
        return bool(self.shoe) or (bool(self.held) and self.x < _BEAM)

    def forget(self) -> None:
        """What cards that are gone have done."""
        self.evened.clear()
        self.arrivals.clear()
        here = any(card.slides_um("deal") for card in self.held)
        self.slid = self.slid[-1:] if here else []

    def over_beam(self) -> list[Card]:
        """The cards in front of the deal beam."""
        self.axis.sync()
        self._follow()
        cards = [card for card, since in self.chute if self._slid(since) < _BEAM]
        if self.x >= _BEAM:
            cards += self.held
        if self.behind is not None and self.x >= _BEAM + self.behind_um:
            cards.append(self.behind)
        return cards

    def _slid(self, since: int) -> float:
        """How far its end lies behind the nip."""
        return self.chute_um_s * (self.world.now_ns() - since) / 1e9

    def _end_um(self) -> int:
        """Where the front of what is held stands when the roller lets it go."""
        return max(card.length_um for card in self.held)

    def _follow(self) -> None:
        if not self.held:
            return
        x = (self.axis.position - self._base) * STEP_UM
        if self._floor is not None:
            if x < self._floor:
                return
            self._floor = None
        self.x = max(self.x, x)
        if self.limit is not None:
            self.x = min(self.x, self.limit)

    def moved(self) -> None:
        """Carry the held card on, let it go at its end, take the next."""
        self.axis.sync()
        self._follow()
        if self.held and self.x >= self._end_um():
            now, end_um = self.world.now_ns(), self._end_um()
            for card in self.held:  # a shorter one's end is ahead by as much
                ahead_um = end_um - card.length_um
                self.chute.append((card, now - ceil(ahead_um * 1e9 / self.chute_um_s)))
            self.held = []
            if self.behind is not None:
                self.held, self.behind = [self.behind], None
                self.x -= self.behind_um
                self._base += self.behind_um / STEP_UM
            for um in (_BEAM, M.TRAY_UM - end_um):
                self.world.at(now + ceil(um * 1e9 / self.chute_um_s), self._slide)
        if not self.held and self.shoe:
            self._take()
        self._see()

    def _take(self) -> None:
        """The next card lies under the roller."""
        self.held = [self.shoe.pop(0)]
        self.x = 0.0
        self._base = self.axis.position
        self._floor = self.limit = None
        self.faults.at(DEAL_LAYS, self)
        card = self.held[0]
        slides_um = card.slides_um("deal")
        if slides_um:
            self.lose(slides_um)
            self.slid.append(self.faults.like(DEAL_TAKES))
        if card.takes_along() and self.shoe:
            self.held.append(self.shoe.pop(0))
        self.late_um = slides_um
        if self.faults.planted:
            self.faults.at(DEAL_TAKES, self)
            self.faults.at(DEAL_BRINGS, self)
            self.on_dealt()
            self.faults.at(BEHIND_DEALT, self)

    def lose(self, um: float) -> None:
        """Let the roller turn so far without the card."""
        self._base += um / STEP_UM
        self._floor = self.x

    def come_ahead(self, um: int) -> None:
        """Lay what is held so much further out of the shoe."""
        self._base -= um / STEP_UM

    def bring(self, cards: int = 1) -> None:
        """Take the next cards along, edge on edge."""
        self.held += [self.shoe.pop(0) for _ in range(cards)]

    def follow_with(self, um: int) -> None:
        """Take the next card along, so far behind."""
        self.behind, self.behind_um = self.shoe.pop(0), um

    def add(self) -> None:
        """Put a card of the same back behind what is held into the shoe."""
        self.added.append(replace(self.held[0]))
        self.shoe.insert(0, self.added[-1])

    def _slide(self) -> None:
        while self.chute and self._arrived(*self.chute[0]):
            card, since = self.chute.pop(0)
            self.tray.append(card)
            self.arrivals.append((since, self.world.now_ns()))
            self.faults.at(ARRIVES, self)
        self._see()

    def _arrived(self, card: Card, since: int) -> bool:
        return self._slid(since) >= M.TRAY_UM - card.length_um - 1

    def _see(self) -> None:
        self.beam.set(bool(self.over_beam()))
        hi = FAR
        if self.held and self.limit != 0.0:
            marks = [_BEAM, self._end_um()]
            if self.behind is not None:
                marks.append(_BEAM + self.behind_um)
            ahead = [ceil(self._base + mark / STEP_UM - 1e-6) for mark in marks]
            hi = min((at for at in ahead if at > self.axis.position), default=FAR)
        self.axis.watch(-FAR, hi)

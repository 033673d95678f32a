"""The way out of the wheel: the ejector's crank, the exit beam, the shoe."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil

from boards import mechanics as M
from sim.axis import Axis
from sim.beam import Beam
from sim.card import Card
from sim.deal import Deal
from sim.faults import Faults
from sim.points import PUSHED, ROD_LEAVES, STROKE
from sim.wheel import Wheel

_HALF = M.STROKE_STEPS // 2
_CLEAR_UM = M.EXIT_BEAM_UM + M.CARD_LENGTH_UM


@cache
def _marks(lead_um: int, clear_um: int) -> tuple[int, ...]:
    """Where in the stroke something changes."""
    places = (lead_um, clear_um, M.SHOE_UM)
    rest = M.REST_HALF_STEPS
    turns = {1, rest + 1, _HALF, M.STROKE_STEPS - rest, M.STROKE_STEPS}
    return tuple(sorted(turns | {ceil(um * _HALF / M.PUSH_UM) for um in places}))


class Outfeed:
    """One stroke of the crank pushes what lies in the slot to the shoe, and comes back."""

    def __init__(
        self, axis: Axis, wheel: Wheel, deal: Deal, exit_beam: Beam, faults: Faults
    ) -> None:
        self.axis, self.wheel, self.deal = axis, wheel, deal
        self.exit, self.faults = exit_beam, faults
        self.pushed: list[Card] = []
        self.on_ejected: Callable[[], None] = lambda: None
        self.x = 0.0
        self.limit: float | None = None
        self.held = False  # until the next stroke
        self.lead_um = M.EXIT_BEAM_UM  # where the beam meets it
        self.clear_um = _CLEAR_UM  # where the beam is free of it
        self.missed = False  # the card, by the present stroke
        self._out = False
        axis.load = self
        self.moved()

    def phase(self) -> int:
        """Where the crank stands in its stroke."""
        self.axis.sync()
        return self.axis.position % M.STROKE_STEPS

    def at_rest(self) -> bool:
        """What the sensor of the crank sees: the rod is out of the slots."""
        phase = self.phase()
        return min(phase, M.STROKE_STEPS - phase) <= M.REST_HALF_STEPS

    def moved(self) -> None:
        """Push, drop, see."""
        phase = self.phase()
        out = not self.at_rest()
        if out and not self._out:
            self._take()
        if self._out and not out:
            self.faults.at(ROD_LEAVES, self)
        self._out = out
        self.wheel.rod_in = out
        if self.pushed and phase:
            reach = M.PUSH_UM * min(phase, _HALF) / _HALF
            self.x = max(self.x, reach if self.limit is None else min(reach, self.limit))
            if self.x >= M.SHOE_UM:
                self.deal.drop(self.pushed)
                self.pushed = []
                self.x = 0.0
        self.exit.set(bool(self.pushed) and self.lead_um <= self.x < self.clear_um)
        turn = self.axis.position - phase
        marks = _marks(self.lead_um, self.clear_um)
        ahead = next(mark for mark in marks if mark > phase)
        behind = max((mark for mark in marks if mark <= phase), default=0)
        self.axis.watch(turn + behind - 1, turn + ahead)

    def _take(self) -> None:
        """The rod enters the slot in front of it."""
        if self.held and self.pushed:
            self.held, self.limit = False, None
        slot = self.wheel.slot_at(M.EXIT_SLOTS)
        if slot is None:
            self.wheel.torn += 1
            return
        if self.wheel.slots[slot] and not self.pushed:
            self.missed = False
            self.faults.at(STROKE, self)
            if self.missed:
                return
            self.pushed, self.wheel.slots[slot] = self.wheel.slots[slot], []
            self.on_ejected()
            self.x = 0.0
            self.limit = None
            self.lead_um = M.EXIT_BEAM_UM
            self.clear_um = M.EXIT_BEAM_UM + max(card.length_um for card in self.pushed)
            self.faults.at(PUSHED, self)

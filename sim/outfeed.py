"""The way out of the wheel: the ejector's crank, the exit beam, the shoe."""

from __future__ import annotations

from math import ceil

from boards import mechanics as M
from sim.axis import Axis
from sim.deal import Deal
from sim.parts import Card, Faults, Input
from sim.wheel import Wheel

_HALF = M.STROKE_STEPS // 2
_CLEAR_UM = M.EXIT_BEAM_UM + M.CARD_LENGTH_UM
_MARKS = sorted(
    {1, _HALF, M.STROKE_STEPS}
    | {ceil(um * _HALF / M.PUSH_UM) for um in (M.EXIT_BEAM_UM, _CLEAR_UM, M.SHOE_UM)}
)
_JAM_UM = M.EXIT_BEAM_UM + M.CARD_LENGTH_UM / 2


class Outfeed:
    """One stroke of the crank pushes what lies in the slot to the shoe, and comes back."""

    def __init__(
        self, axis: Axis, wheel: Wheel, deal: Deal, exit_beam: Input, faults: Faults
    ) -> None:
        self.axis, self.wheel, self.deal = axis, wheel, deal
        self.exit, self.faults = exit_beam, faults
        self.pushed: list[Card] = []
        self.x = 0.0
        self.limit: float | None = None
        self._out = False
        axis.load = self
        self.moved()

    def phase(self) -> int:
        """Where the crank stands in its stroke."""
        self.axis.sync()
        return self.axis.position % M.STROKE_STEPS

    def moved(self) -> None:
        """Push, drop, see."""
        phase = self.phase()
        out = phase != 0
        if out and not self._out:
            self._take()
        self._out = out
        self.wheel.rod_in = out
        if self.pushed and phase:
            reach = M.PUSH_UM * min(phase, _HALF) / _HALF
            self.x = max(self.x, reach if self.limit is None else min(reach, self.limit))
            if self.x >= M.SHOE_UM:
                self.deal.drop(self.pushed)
                self.pushed = []
                self.x = 0.0
        self.exit.set(bool(self.pushed) and M.EXIT_BEAM_UM <= self.x < _CLEAR_UM)
        turn = self.axis.position - phase
        ahead = next(mark for mark in _MARKS if mark > phase)
        behind = max((mark for mark in _MARKS if mark <= phase), default=0)
        self.axis.watch(turn + behind - 1, turn + ahead)

    def _take(self) -> None:
        """The rod enters the slot in front of it."""
        slot = self.wheel.slot_at(M.EXIT_SLOTS)
        if slot is None:
            self.wheel.torn += 1
            return
        if self.wheel.slots[slot] and not self.pushed:
            self.pushed, self.wheel.slots[slot] = self.wheel.slots[slot], []
            self.x = 0.0
            self.limit = _JAM_UM if self.faults.strikes("exit.jam") else None

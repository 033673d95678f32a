"""The wheel: slots, home mark, slot tick. A card enters at the mouth and leaves half a turn on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from boards import mechanics as M
from sim.axis import Axis
from sim.card import Card
from sim.faults import Faults
from sim.parts import Input
from sim.points import TICK

_TURN = M.WHEEL_STEPS_REV
_AROUND = (-M.TICK_HALF_STEPS, M.TICK_HALF_STEPS + 1)
_EDGES = sorted(
    {(slot * M.SLOT_STEPS + edge) % _TURN for slot in range(M.SLOTS) for edge in _AROUND}
    | {(-M.HOME_HALF_STEPS) % _TURN, M.HOME_HALF_STEPS + 1}
)


class Wheel:
    """`angle` is the axis position shifted by where the wheel stood when the power came on."""

    def __init__(self, axis: Axis, home: Input, tick: Input, start: int, faults: Faults) -> None:
        self.axis, self.faults = axis, faults
        self.home, self.tick = home, tick
        self.start = start
        self.slots: list[list[Card]] = [[] for _ in range(M.SLOTS)]
        self.seated: list[int] = []  # slots in the order in which they were filled
        self.torn = 0
        self.rod_in = False  # the ejector's rod stands in a slot
        self.in_mouth = False  # a card lies half in a slot
        self.paper = False  # some hangs in the ejector's slot, and falls as the wheel turns
        self.on_paper: Callable[[str], None] = lambda beam: None  # it falls before a beam
        self._over_tick = False
        axis.load = self
        self.moved()

    def angle(self) -> int:
        """Steps past slot 0 at the mouth."""
        self.axis.sync()
        return (self.axis.position + self.start) % _TURN

    def slot_at(self, offset: int) -> int | None:
        """The slot at the mouth (0) or the ejector, None when a wall stands there."""
        off = (self.angle() + M.SLOT_STEPS // 2) % M.SLOT_STEPS - M.SLOT_STEPS // 2
        if abs(off) > M.ALIGN_STEPS:
            return None
        return (round((self.angle() - off) / M.SLOT_STEPS) + offset) % M.SLOTS

    def takes(self, card: Card, inside: bool) -> bool:
        """Whether the slot at the mouth lets this card in."""
        slot = self.slot_at(0)
        return slot is not None and (inside or not self.slots[slot])

    def seat(self, card: Card) -> None:
        """The card lies in the slot at the mouth."""
        slot = self.slot_at(0)
        assert slot is not None
        self.slots[slot].append(card)
        self.seated.append(slot)

    def count(self) -> int:
        """Cards in the wheel."""
        return sum(map(len, self.slots))

    def hang_paper(self) -> None:
        """Hang paper in the ejector's slot; it falls as the wheel turns."""
        self.paper = True

    def moved(self) -> None:
        """Set the marks and watch for the next edge either way."""
        angle = self.angle()
        if self.rod_in and self.slot_at(M.EXIT_SLOTS) is None:
            self.torn += 1
        off = (angle + M.SLOT_STEPS // 2) % M.SLOT_STEPS - M.SLOT_STEPS // 2
        over_tick = abs(off) <= M.TICK_HALF_STEPS
        if over_tick != self._over_tick:
            self._over_tick = over_tick
            if self.paper:
                self.paper = False
                self.on_paper("exit")
            if not over_tick and self.in_mouth:
                self.torn += 1
                self.axis.block(True)
            elif over_tick and self.faults.planted:
                self.faults.at(TICK, self)
        self.tick.set(over_tick)
        home = (angle + _TURN // 2) % _TURN - _TURN // 2
        self.home.set(abs(home) <= M.HOME_HALF_STEPS)
        i = bisect_right(_EDGES, angle)
        ahead = _EDGES[i] - angle if i < len(_EDGES) else _EDGES[0] + _TURN - angle
        behind = angle - _EDGES[i - 1] if i else angle + _TURN - _EDGES[-1]
        self.axis.watch(self.axis.position - behind - 1, self.axis.position + ahead)

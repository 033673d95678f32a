"""Beams and marks: what stands in front of them, and what they say of it."""

from __future__ import annotations

from boards import mechanics as M
from sim.faults import Faults
from sim.parts import Input
from sim.points import BEAM


class Beam(Input):
    """A light barrier, or the mark sensor of the wheel."""

    __slots__ = ("_faults", "_point", "blocked", "flickers", "lights", "misses", "off", "stuck")

    def __init__(self, name: str, faults: Faults) -> None:
        super().__init__(name)
        self.blocked = False  # what is true
        self.stuck: bool | None = None  # what it says for good, whatever is true
        self.off = 0  # counts by which its light is off what was calibrated
        self.lights: tuple[int, int] = (M.BEAM_FREE, M.BEAM_DARK)  # what was: free, and with a card
        self.flickers = False  # once, as what comes now comes
        self.misses = False  # what comes now
        self._faults = faults
        self._point = BEAM[name]

    def set(self, dark: bool) -> None:
        """Something has come, or gone."""
        if dark == self.blocked:
            return
        self.blocked = dark
        self.flickers = self.misses = False
        if dark and self._faults.planted:
            self.off = 0
            self._faults.at(self._point, self)
        if self.stuck is not None:
            dark = self.stuck
        elif self.misses:
            return
        super().set(self._says(dark))
        if self.flickers and self.stuck is None:
            super().set(False)
            super().set(True)

    def light(self) -> int:
        """Of what stands there, whatever its comparator makes of it."""
        dark = self.blocked if self.stuck is None else self.stuck
        return max(self.lights[dark] + self.off, 0)

    def drift(self, counts: int) -> None:
        """Dust takes light away, ambient light adds some; beyond the threshold it says so."""
        self.off = counts
        super().set(self._says(self.blocked if self.stuck is None else self.stuck))

    def _says(self, dark: bool) -> bool:
        """The comparator."""
        if self.off and self.stuck is None:
            return self.lights[dark] + self.off < M.BEAM_MIN
        return dark

    def cover(self) -> None:
        """Something lies in front of it, and stays there."""
        self.stuck = True
        super().set(True)

    def repair(self) -> None:
        """Cleaned: it says what is true."""
        self.stuck = None
        self.off = 0
        super().set(self.blocked)

"""Beams and marks: what stands in front of them, and what they say of it."""

from __future__ import annotations

from boards import mechanics as M
from sim.faults import NAMES, Faults
from sim.parts import Input


class Beam(Input):
    """A light barrier, or the mark sensor of the wheel."""

    __slots__ = ("_faults", "_names", "blocked", "lights", "off", "stuck")

    def __init__(self, name: str, faults: Faults) -> None:
        super().__init__(name)
        self.blocked = False  # what is true
        self.stuck: bool | None = None  # what it says for good, whatever is true
        self.off = 0  # counts by which its light is off what was calibrated
        self.lights: tuple[int, int] = (M.BEAM_FREE, M.BEAM_DARK)  # what was: free, and with a card
        self._faults = faults
        ways = ("dark", "blind", "flicker", "missed", "dust", "glare")
        self._names = {way: f"{name}.{way}" for way in ways if f"{name}.{way}" in NAMES}

    def set(self, dark: bool) -> None:
        """Something has come, or gone."""
        if dark == self.blocked:
            return
        self.blocked = dark
        flicker = missed = False
        if dark and self._faults.planted:
            strikes, names = self._faults.strikes, self._names
            if strikes(names["dark"]):
                self.stuck = True
            if strikes(names["blind"]):
                self.stuck = False
            if "dust" in names:
                self._drift()
            flicker = "flicker" in names and strikes(names["flicker"])
            missed = "missed" in names and strikes(names["missed"])
        if self.stuck is not None:
            dark = self.stuck
        elif missed:
            return
        super().set(self._says(dark))
        if flicker and self.stuck is None:
            super().set(False)
            super().set(True)

    def _drift(self) -> None:
        """What changes its light, and not yet what it says."""
        strikes, sizes, names = self._faults.strikes, self._faults.sizes, self._names
        self.off = 0
        if strikes(names["dust"]):
            self.off -= sizes[names["dust"]]
        if strikes(names["glare"]):
            self.off += sizes[names["glare"]]

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

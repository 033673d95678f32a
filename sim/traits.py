"""What one board's sensors read: no two are alike, and the board's calibration says by how much."""

from __future__ import annotations

from random import Random

from boards import mechanics as M
from sim.points import BEAMS

PRESENCE = ("infeed", "shoe", "tray", "crank")
THICKNESS = ("thickness_in", "thickness_out")
NOISE = 8  # counts, either way, at every reading


class Traits:
    """Drawn once from the machine's seed."""

    def __init__(self, seed: int) -> None:
        random = Random(f"sensors {seed}")

        def near(count: int, off: int) -> int:
            return count + random.randint(-off, off)

        self.free = {beam: near(M.BEAM_FREE, 150) for beam in BEAMS}
        self.dark = {beam: near(M.BEAM_DARK, 80) for beam in BEAMS}
        self.absent = {name: near(M.ABSENT, 80) for name in PRESENCE}
        self.seen = {name: near(M.SEEN, 150) for name in PRESENCE}
        self.base = {name: near(M.THICKNESS_BASE, 40) for name in THICKNESS}
        self.per_mille = {name: near(1000, 60) for name in THICKNESS}  # of what a layer adds
        self.no_back = near(M.BACK_DARK, 40)
        self.back = near(0, 60)  # added to every colour
        self._noise = Random(f"readings {seed}")

    def noisy(self, count: int) -> int:
        """One reading of it, as the converter gives it."""
        return min(max(count + self._noise.getrandbits(4) - NOISE, 0), 4095)

    def readings(self) -> list[int]:
        """Of every sensor with nothing there and with a card, in the order of a calibration."""
        pairs = [(self.free[beam], self.dark[beam]) for beam in BEAMS]
        pairs += [(self.absent[name], self.seen[name]) for name in PRESENCE[:3]]
        pairs += [
            (self.base[name], M.THICKNESS_CARD * self.per_mille[name] // 1000) for name in THICKNESS
        ]
        pairs.append((self.no_back, M.BACKS["red"] + self.back))
        return [reading for pair in pairs for reading in pair]

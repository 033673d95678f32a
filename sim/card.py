"""Cards as bodies: what each measures, and what that does in rollers, slots and sensors."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from random import Random

from boards import mechanics as M

CARD_UM = 300  # its thickness
PRESSED = 3  # the thickness sensor's arm presses what stands up to so small a part of it
MOUTH_UM = 3000  # a front edge that stands up further catches at a slot of the wheel
GRIP_MM_S2 = 60_000  # what a roller can speed up a card by: its pressure and their friction
APART_MN = 300  # the pull of the pads that keep back what lies under a card
TACK_MN = 20  # the pull of a card on the next one
SKEWED = {20: 67_600}  # by so many degrees: what of it passes a beam


@dataclass(eq=False, slots=True)
class Card:
    """One card. The machine never sees `face`; only the tests and the picture do."""

    back: str
    face: int
    layer: int  # what it adds to a thickness reading
    length_um: int = M.CARD_LENGTH_UM  # what passes a beam
    face_up: bool = False
    warp_um: int = 0  # bowed: how far both ends stand up
    bend_um: int = 0  # creased: how far the crease stands up
    grip_mm_s2: int = GRIP_MM_S2  # friction
    tack_mn: int = TACK_MN  # stickiness
    flat: int = field(init=False, repr=False)  # its layer without any crease
    _had: set[tuple[str, int]] = field(init=False, repr=False, default_factory=set[tuple[str, int]])

    def __post_init__(self) -> None:
        """It is made flat."""
        self.flat = self.layer

    def __deepcopy__(self, memo: dict[int, object]) -> Card:
        """Return another card that is like this one, and may become another."""
        one = copy(self)
        one._had = set(self._had)
        memo[id(self)] = one
        return one

    def spoil(self, **now: int) -> None:
        """Another card from now on, in every machine that it comes into; the same twice is once."""
        now = dict(now.items() - self._had)
        self._had.update(now.items())
        back = now.pop("foreign", 0)
        if back:
            self.back = next(other for other in M.BACKS if other != self.back)
        if now.pop("face_up", 0):
            self.face_up = True
        self.length_um += now.pop("longer_um", 0)
        if "skew_degrees" in now:
            self.length_um += SKEWED[now.pop("skew_degrees")] - M.CARD_LENGTH_UM
        bend_um = now.pop("bend_um", 0)
        if bend_um > self.bend_um:  # a crease stays
            self.bend_um = bend_um
            self.layer = self.flat + self.flat * bend_um // (PRESSED * CARD_UM)
        straight_um = self.length_um + self._bow_um()
        for name, value in now.items():
            setattr(self, name, value)
        self.length_um = straight_um - self._bow_um()

    def _bow_um(self) -> int:
        """What the chord of a bow is shorter by, to the first order."""
        return 8 * self.warp_um**2 // (3 * M.CARD_LENGTH_UM)

    def slides_um(self, axis: str) -> int:
        """How far this axis's roller turns under it, from rest to full speed, without taking it.

        A roller that speeds up by a reaches v after v²/2a; the card, at its grip, later. So it is
        with one driven roller; a pair, as the feed's, holds twice as fast and does not slide.
        """
        speed, accel = (each * 1000 / M.ROLLER_STEPS_M for each in M.AXES[axis])  # mm
        if self.grip_mm_s2 >= accel:
            return 0
        return int(500 * speed * speed * (1 / self.grip_mm_s2 - 1 / accel))

    def catches(self) -> bool:
        """Whether its front edge meets the wall of a slot that stands where it must."""
        return self.warp_um > MOUTH_UM

    def takes_along(self) -> bool:
        """Whether the next card comes with it, against the pads that keep it back."""
        return self.tack_mn > APART_MN


def new_deck(back: str, count: int, random: Random) -> list[Card]:
    """A deck in the order of its faces."""
    spread = M.THICKNESS_CARD // 20
    return [
        Card(back, face, M.THICKNESS_CARD + random.randint(-spread, spread))
        for face in range(count)
    ]

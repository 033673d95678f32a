"""Small parts: cards as bodies, inputs with listeners, and the numbers they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from boards import mechanics as M

LOST_STEPS = 200  # by a roller's motor: 8 mm
STEP_UM = 1_000_000 / M.ROLLER_STEPS_M


@dataclass(eq=False, slots=True)
class Card:
    """One card. The machine never sees `face`; only the tests and the picture do."""

    back: str
    face: int
    layer: int  # what it adds to a thickness reading
    length_um: int = M.CARD_LENGTH_UM  # what passes a beam
    face_up: bool = False


class Input:
    """A digital sensor: dark while something is in front of it."""

    __slots__ = ("dark", "listeners", "name")

    def __init__(self, name: str, dark: bool = False) -> None:
        self.name = name
        self.dark = dark
        self.listeners: list[Callable[[bool], None]] = []

    def set(self, dark: bool) -> None:
        """Change, and tell."""
        if dark != self.dark:
            self.dark = dark
            for listener in self.listeners:
                listener(dark)


def new_deck(back: str, count: int, random: Random) -> list[Card]:
    """A deck in the order of its faces."""
    spread = M.THICKNESS_CARD // 20
    return [
        Card(back, face, M.THICKNESS_CARD + random.randint(-spread, spread))
        for face in range(count)
    ]

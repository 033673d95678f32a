"""Small parts: cards as bodies, inputs with listeners, and the numbers they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from boards import mechanics as M

STEP_UM = 1_000_000 / M.ROLLER_STEPS_M


@dataclass(eq=False, slots=True)
class Card:
    """One card. The machine never sees `face`; only the tests and the picture do."""

    back: str
    face: int
    layer: int  # what it adds to a thickness reading


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


class Faults:
    """Planted faults: a name, and at which passages (counted from 1) it strikes."""

    NAMES: ClassVar[dict[str, str]] = {
        "infeed.misfeed": "the pick roller slips and the card stays where it is",
        "infeed.double_feed": "the pick roller takes two cards at once",
        "path.jam": "the card sticks between the count station and the wheel's mouth",
        "exit.jam": "the ejected card sticks in the exit beam",
        "deal.jam": "the dealt card sticks in the deal beam",
        "deal.misfeed": "the deal roller slips and the card stays in the shoe",
    }

    def __init__(self, planted: dict[str, set[int]] | None = None) -> None:
        self.planted = dict(planted or {})
        for name in self.planted:
            if name not in self.NAMES:
                raise ValueError(f"no fault {name!r}; there are: {', '.join(self.NAMES)}")
        self.passages = dict.fromkeys(self.NAMES, 0)

    def strikes(self, name: str) -> bool:
        """Count one passage; whether the fault strikes it."""
        self.passages[name] += 1
        return self.passages[name] in self.planted.get(name, ())


def new_deck(back: str, count: int, random: Random) -> list[Card]:
    """A deck in the order of its faces."""
    spread = M.THICKNESS_CARD // 20
    return [
        Card(back, face, M.THICKNESS_CARD + random.randint(-spread, spread))
        for face in range(count)
    ]

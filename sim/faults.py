"""What is planted in one simulated machine, and what of it has struck.

The records of the plants stand in `sim/plants/`. A part of the machine asks what strikes there, by
`Faults.at(POINT, part)`. `read()` and `sized()` read a plant as people write it on a command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import TypeVar

from sim.plants.catalogue import AT_POINT, LIKE, NAMES, ONWARDS, SIZES, WHILE_BROKEN
from sim.points import Point

Plants = Mapping[str, "set[int] | float"]
P = TypeVar("P")

DIGITS = 12


@dataclass(frozen=True)
class Struck:
    """A plant that has struck: at which passage, and when."""

    name: str
    passage: int
    ns: int


@dataclass(frozen=True)
class Shown:
    """When a sensor first said something else because of a plant."""

    ns: int
    read: bool  # it was a reading of the firmware's, and no edge


class Faults:
    """Planted faults: at which passages (from 1) each strikes, or how likely at each."""

    def __init__(self, planted: Plants | None = None, seed: int = 0) -> None:
        self.sizes = {name: size.usual for name, size in SIZES.items()}
        self.planted: dict[str, set[int] | float] = {}
        for text, at in (planted or {}).items():
            self.planted[self._sized(text)] = at
        self.passages = dict.fromkeys(self.planted, 0)
        self.struck: list[Struck] = []
        self.shown: dict[Struck, Shown] = {}  # when a sensor first said something else by it
        self.together: dict[Struck, Shown] = {}  # the same, of several of which each hides another
        self.astray: list[tuple[str, int]] = []  # it did so before that had struck: a defect here
        self.acting = ""  # the plant that strikes just now
        self.now_ns: Callable[[], int] = lambda: 0
        self.failed: set[str] = set()  # for good, until it is repaired
        self._chance = {name: Random(f"{name} {seed}") for name in self.planted}

    def _sized(self, text: str) -> str:
        """Keep the size of what is planted, given or usual; return its name."""
        name, size = sized(text)
        if name in SIZES:
            self.sizes[name] = SIZES[name].usual if size is None else size
        return name

    def plant(self, text: str, at: set[int] | float) -> None:
        """Plant one more; its passages are counted from here."""
        name = self._sized(text)
        self.planted[name] = at
        self.passages[name] = 0
        self.failed.discard(name)
        self._chance[name] = Random(name)

    def at(self, point: Point[P], part: P) -> None:
        """Let everything that is planted at this passage point strike the part."""
        if not self.planted and not self.failed:
            return
        for plant in AT_POINT.get(point, ()):
            name = plant.name
            if (name in self.planted or name in self.failed) and self.strikes(
                name, plant.able(part)
            ):
                self.acting = name
                plant.does(part, self.sizes.get(name, 0))

    def while_broken(self, point: Point[P], part: P) -> None:
        """Let what has failed for good act at this point; no passage is counted."""
        for plant in WHILE_BROKEN[point] if self.failed else ():
            if plant.name in self.failed and plant.while_broken is not None:
                plant.while_broken[1](part)

    def like(self, point: Point[P]) -> Struck:
        """Return what a part does here by itself, as the plant that does the same."""
        return Struck(LIKE[point].name, 0, self.now_ns())

    def strikes(self, name: str, able: bool = True) -> bool:
        """Count one passage, and return whether the plant strikes it.

        When it is not able to, there is nothing to strike.
        """
        at = self.planted.get(name)
        if at is None or name in self.failed:
            return name in self.failed
        self.passages[name] += 1
        n = self.passages[name]
        hit = n in at if isinstance(at, set) else self._chance[name].random() < at
        if hit and able:
            self.struck.append(Struck(name, n, self.now_ns()))
            if name in ONWARDS:
                self.failed.add(name)
        return hit and able

    def forget(self, name: str) -> None:
        """Plant this one no more, as if it had never been planted."""
        self.planted.pop(name, None)
        self.failed.discard(name)

    def repair(self) -> None:
        """Make what had failed for good work again, and plant it no more."""
        for name in self.failed:
            self.planted.pop(name, None)
        self.failed.clear()


def _number(text: str) -> bool:
    """Return whether it is plain digits, no more of them than anything here can measure."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def sized(text: str) -> tuple[str, int | None]:
    """Return name and size of a text as `deal.overlap@5000`; raise ValueError."""
    name, at, size = text.partition("@")
    if name not in NAMES:
        raise ValueError(f"no fault {name!r}; there are: {', '.join(NAMES)}")
    if not at:
        return name, None
    limits = SIZES.get(name)
    if limits is None:
        raise ValueError(f"{text}: {name} has no size")
    if not _number(size) or not limits.least <= int(size) <= limits.most:
        shown = f"{limits.least} to {limits.most} {limits.unit}"
        raise ValueError(f"{text}: {name} may measure {shown}, a whole number")
    return name, int(size)


def written(name: str) -> str:
    """Return a name as it stands on a command line, before its passage."""
    return name.replace(":", "=")


def read(text: str) -> tuple[str, set[int] | float]:
    """Return the plant and when it strikes: `name=17` is a passage, `name=0.02` a chance.

    `path.jam_at=entry:17` has a place, `deal.overlap@5000=17` a size. Raise ValueError with a
    sentence that says how it is written.
    """
    name, _, value = text.partition("=")
    place, colon, rest = value.partition(":")
    if colon:
        name, value = f"{name}:{place}", rest
    if "@" in name:
        sized(name)
    elif name not in NAMES:
        here = [known for known in NAMES if known.startswith(name.split(":")[0] + ":")]
        near = here or get_close_matches(name, NAMES, 3)
        choices = f"; there is: {', '.join(written(known) for known in near)}" if near else ""
        raise ValueError(f"{text}: no fault {written(name)!r}{choices}; dovetail faults lists all")
    if _number(value) and int(value) > 0:
        return name, {int(value)}
    try:
        rate = float(value) if value.isascii() and len(value) <= DIGITS else 0.0
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1:
        shown = written(name) + (":" if colon else "=")
        raise ValueError(
            f"{text}: say at which passage, a whole number from 1, or how likely it is, up to 1.0: "
            f"{shown}20 or {shown}0.02"
        )
    return name, rate

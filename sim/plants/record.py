"""The record of a plant: every fact of one fault that can be planted in the simulated machine.

`sim/points.py` has the places where a plant strikes, `sim/plants/` one record for each plant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from boards import mechanics as M
from sim.points import Point

P = TypeVar("P")

AT = 20  # the passage that is tried, where any card will do
DRAWN_LAST = 10_000

# How long a plant lasts.
ONCE = "once"  # it strikes one passage
BREAKS = "breaks"  # it strikes one passage, and what it broke stays so until it is repaired
ONWARD = "onward"  # it strikes every passage from one on, until it is repaired

# What the machine does about a plant.
STOPS = "stops"  # it stops, and says why
CLEARABLE = "clearable"  # it tries again and goes on
COUNTED = "counted"  # it goes on where cards are only counted
PASSING = "passing"  # it need not notice
HARMLESS = "harmless"  # it must go on: to stop for this is a false alarm

# The phase in which a plant is tried.
FILL, EMPTY, DEAL, REST = "the wheel is filled", "it is emptied", "a stack is dealt", "the rest"

# The lanes in which a plant's point is reached again while a card is tried once more.
WHEEL_LANE, SHOE_LANE = "wheel", "shoe"


@dataclass(frozen=True)
class Size:
    """What a plant measures: the least and the most that may be asked for, and what it is else."""

    unit: str
    least: int
    usual: int
    most: int
    grows: int = 0  # 1 or -1: people are told the length of a card that is so much longer, shorter

    def text(self, size: int) -> str:
        """Return the amount as people read it."""
        if self.unit != "um":
            return f"{size} {self.unit}"
        um = M.CARD_LENGTH_UM + self.grows * size if self.grows else size
        return f"{um / 1000:g} mm"


@dataclass(frozen=True)
class Other:
    """What a plant may be called beside its own number, and why."""

    number: int
    card: int | None  # the card named, beyond the passage struck; None: it can't be said
    why: str


def _always(_: Any) -> bool:
    return True


def _nothing(_: Any, __: int) -> None:
    pass


@dataclass(frozen=True, kw_only=True, eq=False)
class Plant(Generic[P]):
    """One fault that can be planted."""

    # What it is
    name: str  # the part, a dot, and what goes wrong with it
    sentence: str  # in which {size} stands for the amount
    size: Size | None = None
    lasts: str = ONCE
    inprocess: bool = False  # only where the firmware runs in this process

    # What it does
    at: Point[P]
    does: Callable[[P, int], object] = _nothing  # is handed the part and the size
    able: Callable[[P], bool] = _always  # whether there is something to strike
    turn: int = 0  # of several that strike at one point the smaller turn is first
    while_broken: tuple[Point[Any], Callable[[Any], None]] | None = None  # at each such passage
    needs: str = ""  # a plant without which it never strikes, planted beside it
    contrary: str = ""  # a plant that the same part can't have at the same time
    like: Point[Any] | None = None  # what an old card does there by itself is called as this is

    # Where a campaign draws it
    drawn: int = DRAWN_LAST  # its place among those drawn
    passages: int | None = None  # at one of the first so many; None: as many as its point has
    again: frozenset[str] = frozenset()  # the lanes in which its point is reached again in a try
    looked: bool = False  # its point is reached while the machine looks whether all cards are out
    withdrawn: bool = False  # it is not planted any more when a clearing begins
    # The chance that it comes at a passage, where hours are played and nothing is chosen
    wears: float = 0.0  # of wear, which must stop nobody: `dovetail figures` counts false alarms
    nominal: float = 0.0  # of trouble for which a machine in good order may stop: a day of play

    # The scenario that tries it
    phase: str
    tried_at: frozenset[int] = field(default_factory=lambda: frozenset({AT}))
    thin: bool = False  # it is tried on the emulated board too, as one of its kind

    # What the machine must make of it
    station: str  # where it is met
    also: frozenset[str] = frozenset()  # second stations that may be the first to meet it
    number: int = 0  # the fault that stops the machine; 0: it gets over it alone
    card: int | None = None  # named in that scenario; None: it hangs on the order of the cards
    others: tuple[Other, ...] = ()  # what it may be called instead
    tried: tuple[int, ...] = ()  # what it is called while the machine gets over it
    ends: str = STOPS
    by_tries: bool = False  # only tries that bring no card prove it, where no card is left

    # What it does to cards and counts
    spoils: bool = False  # the cards themselves: new decks are needed
    miscounts: bool = False  # afterwards the machine's own truth numbers its cards otherwise
    several: bool = False  # more than one card goes at once
    lags_um: float = 0.0  # a dealt card comes so much later for each unit of the size

    @property
    def part(self) -> str:
        """The part that fails."""
        return self.name.partition(".")[0]

    @property
    def alone(self) -> bool:
        """Whether the machine can go on: nothing is wrong with what it delivers."""
        return self.ends != STOPS

    @property
    def drawn_from(self) -> int:
        """How many passages a campaign draws from."""
        return self.at.passages if self.passages is None else self.passages

    @property
    def usual(self) -> str:
        """The sentence, with the usual size."""
        return self.sentence.format(size=self._text(None))

    def says(self, size: int | None = None) -> str:
        """Return the sentence with a size; without one it is as usual."""
        if self.size is None or "{size}" in self.sentence:
            return self.sentence.format(size=self._text(size))
        return f"{self.sentence}, its front at {self._text(size)}"  # where on its way it sticks

    def _text(self, size: int | None) -> str:
        if self.size is None:
            return ""
        return self.size.text(self.size.usual if size is None else size)


def set_of(*names: str) -> frozenset[str]:
    """Return a set of lanes, or of stations."""
    return frozenset(names)

"""What happens at a table, as a camera above it and an eye inside the machine see it: the facts.

A history is a sequence of these facts, in order. No fact is a verdict. `at_s` is the time of day
in seconds; None says "at the moment of the fact before". A time that is smaller than the time
before belongs to the next day, so two neighbours in a history lie less than a day apart.
A card is any string that names the physical card. Position 1 is the farthest to the dealer's left;
the positions go up clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Name = Literal[
    "let_it_ride",
    "boston_5",
    "caribbean_stud",
    "double_down_stud",
    "double_draw",
    "pai_gow_poker",
    "three_card_poker",
    "poker",
    "blackjack",
    "red_dog",
    "minibaccarat",
]
Delivery = Literal["automated_shoe", "single_stack", "continuous"]
By = Literal["device", "hand", "nobody"]
# "player" and "banker" are the two hands of minibaccarat; "community" is the area that all use.
Recipient = int | Literal["dealer", "community", "player", "banker"]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something that happened."""

    at_s: float | None = None


@dataclass(frozen=True)
class Game(Fact):
    """The table plays this game from now on; `seats` is the number of positions of the table."""

    name: Name
    delivery: Delivery
    two_decks: bool = False
    seats: int | None = None


@dataclass(frozen=True)
class Opened(Fact):
    """A deck comes to the table for use. `cards` includes its `jokers`."""

    deck: str
    cards: frozenset[str]
    back: str
    jokers: frozenset[str] = frozenset()
    preshuffled: bool = False


@dataclass(frozen=True)
class Removed(Fact):
    """A deck left the table for good."""

    deck: str


@dataclass(frozen=True)
class PutIn(Fact):
    """Somebody put these cards into the shuffler; they do not lie in the discard rack any more."""

    cards: frozenset[str]


@dataclass(frozen=True)
class Shuffled(Fact):
    """An order came to be: `cards` went in, `order` came out.

    `by` "nobody": the cards were carried over in the order in which they lay. `complete` False:
    the shuffle stopped on the way. `fresh` False: a cycle that had stopped went on.
    """

    cards: tuple[str, ...]
    order: tuple[str, ...]
    by: By
    complete: bool = True
    fresh: bool = True


@dataclass(frozen=True)
class DeviceCounted(Fact):
    """The device told the number after a shuffle. `trusted` False: it cannot vouch for it."""

    deck: str
    number: int
    trusted: bool = True


@dataclass(frozen=True)
class StubCounted(Fact):
    """The dealer counted the stub; `in_hands` is the true number of cards outside the stub."""

    deck: str
    number: int
    in_hands: int


@dataclass(frozen=True)
class Cut(Fact):
    """Somebody cut the deck, `depth` cards below the top; None: the eye did not see how deep."""

    deck: str
    depth: int | None = None


@dataclass(frozen=True)
class Recut(Cut):
    """A supervisor required that the deck be cut again."""


@dataclass(frozen=True)
class SuitOrdered(Fact):
    """The dealer put the deck into suit and sequence."""

    deck: str


@dataclass(frozen=True)
class Racked(Fact):
    """Somebody put these cards into the discard rack. They lie there until they are put in."""

    cards: frozenset[str]


@dataclass(frozen=True)
class Idle(Fact):
    """The table is open, and no gaming activity goes on."""


@dataclass(frozen=True)
class PlayerArrives(Fact):
    """A player comes to a table that lay idle."""


@dataclass(frozen=True)
class DeviceRemoved(Fact):
    """The device left the table."""


@dataclass(frozen=True)
class DevicePlaced(Fact):
    """The device stands on the table again. A history begins with the device on the table."""


@dataclass(frozen=True)
class Jammed(Fact):
    """The device jammed or stopped, in a shuffle of `deck` or in the deal of `round`."""

    during: Literal["shuffle", "deal"]
    deck: str | None = None
    round: int | None = None

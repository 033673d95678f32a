"""Passage points: the moments at which a planted fault can strike, each exposed by one part.

A part reaches a point and asks `faults.at(POINT, what)`: "what strikes here?". It knows no plant.
A plant names its point, and is handed what the part gives there. A passage is one time that the
point is reached; a plant counts them from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from sim.beam import Beam
    from sim.deal import Deal
    from sim.hands import Hands, Load
    from sim.infeed import Coming, Infeed
    from sim.machine import Machine
    from sim.outfeed import Outfeed
    from sim.supply import Supply
    from sim.wheel import Wheel

P = TypeVar("P", contravariant=True)

CARDS = 52
BEAMS = ("entry", "count", "exit", "deal")
MARKS = ("home", "tick")
TICKS, PASSINGS = 780, 14  # of the tick and the home mark, while a deck goes through the wheel


@dataclass(frozen=True, eq=False)
class Point(Generic[P]):
    """A passage point, in words, and how many passages a deck makes there."""

    says: str
    passages: int = CARDS
    seldom: bool = False  # in a try or a clearing no more than one passage is to be expected

    def __deepcopy__(self, memo: dict[int, object]) -> Point[P]:
        """Return itself: there is one of each."""
        return self


@dataclass
class Reading:
    """What one reading of an analog sensor is made of, before the sensor's own traits."""

    layers: int = 0  # of a thickness
    seen: bool = True  # a card is seen at all
    darker: int = 0  # counts that a colour lacks


class Processor(Protocol):
    """The board, as far as a fault of its processor goes."""

    late_ns: int  # the event loop hears of the present edge so much later

    def hang(self) -> None:
        """Let the feed rollers' pulses stop, and their move never end."""
        ...


# -- on the way in, in the order in which one card reaches them ------------------------------------
CARD_COMES: Point[Coming] = Point("a card comes under the pick roller, as it is made")
PICK_TAKES: Point[Coming] = Point("the pick roller takes a card")
ON_THE_PATH: Point[Coming] = Point("a card has its way before it, from the pick to its slot")
PICK_BRINGS: Point[Coming] = Point("the pick roller brings a card, and perhaps the next one")
SUPPLY_AT_PICK: Point[Supply] = Point("the motor supply, as a card is picked")
PICKED: Point[Machine] = Point("the machine, as a card is picked")
INFEED_SENSOR: Point[Machine] = Point("the infeed's sensor, as a card is picked")
FEED_TAKES: Point[Infeed] = Point("the feed rollers take a card")
LOOP_HEARS: Point[Processor] = Point("the event loop hears of a card at the count beam")
FEED_BRINGS: Point[Processor] = Point("a move of the feed rollers brings a card to the count beam")

# -- in the wheel, and out of it -------------------------------------------------------------------
TICK: Point[Wheel] = Point("a slot passes the tick", TICKS)
STROKE: Point[Outfeed] = Point("the ejector's rod enters a slot with a card")
EJECTED: Point[Machine] = Point("the machine, as a card is ejected")
CRANK_SENSOR: Point[Machine] = Point("the crank's sensor, as a card is ejected")
PUSHED: Point[Outfeed] = Point("a card is pushed through the exit beam")
ROD_LEAVES: Point[Outfeed] = Point("the rod has left the slot of a card")

# -- out of the shoe -------------------------------------------------------------------------------
DEAL_LAYS: Point[Deal] = Point("a card is laid to the deal roller, as it is made")
DEAL_TAKES: Point[Deal] = Point("the deal roller takes a card")
DEAL_BRINGS: Point[Deal] = Point("the deal roller brings a card, and perhaps others")
DEALT: Point[Machine] = Point("the machine, as a card is dealt")
SHOE_SENSOR: Point[Machine] = Point("the shoe's sensor, as a card is dealt")
BEHIND_DEALT: Point[Deal] = Point("what lies in the shoe behind a card that is dealt")
ARRIVES: Point[Deal] = Point("a card arrives in the tray")

# -- sensors ---------------------------------------------------------------------------------------
BEAM: dict[str, Point[Beam]] = {
    **{name: Point(f"something comes before the {name} beam") for name in BEAMS},
    "home": Point("the home mark passes", PASSINGS, seldom=True),
    "tick": Point("the tick of a slot passes", TICKS),
}
THICKNESS: dict[str, Point[Reading]] = {
    "thickness_in": Point("the thickness in the count station is read, with a card there"),
    "thickness_out": Point("the thickness at the shoe is read, with a card there"),
}
BACK: Point[Reading] = Point("the back's colour is read, with a card there")
COLOUR: Point[Reading] = Point("the back's colour is read, and the sensor sees the card")
TRAY_GLANCE: Point[Reading] = Point("the tray's sensor is read once, with a card there")
TRAY: Point[Reading] = Point("the tray's sensor is read, with a card there that it sees")
PRESENCE: dict[str, Point[Reading]] = {
    name: Point(f"the {name} sensor is read") for name in ("infeed", "crank", "shoe")
}

# -- hands -----------------------------------------------------------------------------------------
DECK_CHOSEN: Point[Load] = Point("one of two decks is taken from the table", 1, seldom=True)
DECK_LOADED: Point[Load] = Point("a deck is put into the infeed", 1, seldom=True)
STACK_TAKEN: Point[Hands] = Point("a stack is taken out of the tray", 1, seldom=True)
CLEARED: Point[Hands] = Point("every card is taken out by hand", 1, seldom=True)

"""Plants of the cards themselves: what is wrong with one, wherever it goes from then on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import AT, FILL, HARMLESS, STOPS, Plant, Size
from sim.points import CARD_COMES

if TYPE_CHECKING:
    from sim.infeed import Coming


@dataclass(frozen=True)
class Spoil:
    """Make the card another one: `wrong` is what it measures then; of a size its length is."""

    wrong: Mapping[str, int]

    def __call__(self, coming: Coming, size: int) -> None:
        """Spoil the card that comes."""
        if size:
            sign = 1 if self.wrong["longer_um"] > 0 else -1
            coming.card.card.spoil(longer_um=sign * size)
        else:
            coming.card.card.spoil(**self.wrong)


def _card(
    what: str,
    sentence: str,
    wrong: Mapping[str, int],
    drawn: int,
    number: int,
    *,
    size: Size | None = None,
    pair: bool = False,
    thin: bool = False,
    tried: tuple[int, ...] = (),
    wears: float = 0.0,
) -> Plant[Coming]:
    """Return the plant of a card that has this wrong; pair: it takes a card behind it to show."""
    return Plant(
        name=f"card.{what}",
        sentence=sentence,
        size=size,
        at=CARD_COMES,
        able=lambda coming: bool(coming.infeed.stack) or not pair,
        does=Spoil(wrong),
        phase=FILL,
        drawn=drawn,
        wears=wears,
        thin=thin,
        station="feeder",
        number=number,
        card=AT if number else None,
        tried=tried,
        ends=STOPS if number else HARMLESS,
        spoils=True,
    )


PLANTS = (
    _card(
        "foreign",
        "a card of the other deck lies in this one",
        {"foreign": 1},
        12,
        faults.FOREIGN_BACK,
        thin=True,
    ),
    _card("face_up", "the card lies face up", {"face_up": 1}, 13, faults.FACE_UP),
    _card(
        "short",
        "the card is torn, {size} of it are left",
        {"longer_um": -18500},
        10,
        faults.WRONG_LENGTH,
        size=Size("um", 5000, 18500, 30000, grows=-1),
    ),
    _card(
        "nicked",
        "the card is torn at its front, {size} are gone",
        {"longer_um": -2000},
        19,
        0,
        size=Size("um", 500, 2000, 2500),
        wears=1 / 2000,
    ),
    _card(
        "long",
        "a scrap sticks to the card: {size} pass",
        {"longer_um": 8500},
        11,
        faults.WRONG_LENGTH,
        size=Size("um", 5000, 8500, 20000, grows=1),
    ),
    _card(
        "skewed",
        "the card comes askew by 20 degrees: 67.6 mm pass each beam",
        {"skew_degrees": 20},
        14,
        faults.WRONG_LENGTH,
    ),
    _card(
        "bent",
        "a bent card, its crease 0.3 mm high: it reads a third thicker",
        {"bend_um": 300},
        33,
        0,
        wears=1 / 1000,
    ),
    _card(
        "creased",
        "a badly bent card, its crease 0.9 mm high: it reads as two",
        {"bend_um": 900},
        20,
        faults.DOUBLE_FEED,
    ),
    _card(
        "warped",
        "a warped card: its ends stand up by 2 mm, and it still goes into a slot",
        {"warp_um": 2000},
        21,
        0,
        wears=1 / 500,
    ),
    _card(
        "curled",
        "a card curled by 6 mm: its front edge catches at the wheel's mouth",
        {"warp_um": 6000},
        22,
        faults.FEED_JAM,
    ),
    _card(
        "slick",
        "a slick card, its friction half of a new one's: pick and deal roller slide on it by 6 mm",
        {"grip_mm_s2": 30000},
        23,
        0,
        tried=(faults.DEAL_JAM,),
        wears=1 / 1000,
    ),
    _card(
        "greasy",
        "a greasy card, its friction a third of a new one's: the rollers slide on it by 16 mm",
        {"grip_mm_s2": 21000},
        24,
        faults.SLIP,
    ),
    _card(
        "sticky",
        "a sticky card: it pulls the next one along by 0.4 N, the pads hold 0.3",
        {"tack_mn": 400},
        25,
        faults.DOUBLE_FEED,
        pair=True,
    ),
)

# What each is, and what the card measures then.
WRONG = {
    plant.name: (plant.usual, dict(plant.does.wrong))
    for plant in PLANTS
    if isinstance(plant.does, Spoil)
}

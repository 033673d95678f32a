"""Plants of the shoe: somebody takes cards out of it, or puts one in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import DEAL, REST, Other, Plant, set_of
from sim.points import BEHIND_DEALT, CARDS

if TYPE_CHECKING:
    from sim.deal import Deal

_COUNT = set_of("count")  # a card that is gone or too many is met when the cards are counted


def _empty(deal: Deal, _: int) -> None:
    deal.robbed += deal.shoe
    deal.shoe.clear()


PLANTS = (
    Plant(
        name="shoe.robbed",
        sentence="somebody has taken all cards but this one out of the shoe",
        at=BEHIND_DEALT,
        turn=1,
        able=lambda deal: bool(deal.shoe),
        does=_empty,
        phase=DEAL,
        tried_at=frozenset({2}),
        drawn=91,
        station="shoe",
        also=_COUNT,
        number=faults.SHOE_SHORT,
        card=3,
        others=(
            Other(faults.WRONG_DECK, 0, "the remainder ends with an empty shoe, and its count"),
        ),
        spoils=True,
        miscounts=True,
    ),
    Plant(
        name="shoe.lost",
        sentence="somebody has taken the card behind this one out of the shoe",
        at=BEHIND_DEALT,
        able=lambda deal: bool(deal.shoe),
        does=lambda deal, _: deal.robbed.append(deal.shoe.pop(0)),
        phase=REST,
        tried_at=frozenset({30}),
        drawn=92,
        station="shoe",
        also=_COUNT,
        number=faults.WRONG_DECK,
        card=CARDS - 1,
        tried=(faults.SHOE_SHORT,),
        by_tries=True,
        spoils=True,
        miscounts=True,
    ),
    Plant(
        name="shoe.extra",
        sentence="somebody has put a card of the same back behind this one into the shoe",
        at=BEHIND_DEALT,
        turn=1,
        does=lambda deal, _: deal.add(),
        phase=REST,
        tried_at=frozenset({30, 31}),
        drawn=93,
        thin=True,
        station="shoe",
        also=_COUNT,
        number=faults.WRONG_DECK,
        card=CARDS + 1,
        spoils=True,
        miscounts=True,
    ),
)

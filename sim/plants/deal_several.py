"""Plants of the deal in which more than one card comes out of the shoe at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import CLEARABLE, COUNTED, DEAL, Other, Plant, Size
from sim.points import BEHIND_DEALT, DEAL_BRINGS

if TYPE_CHECKING:
    from sim.deal import Deal

_AT = frozenset({2})


def _bring_bent(deal: Deal, _: int) -> None:
    deal.shoe[0].layer += deal.shoe[0].layer // 2
    deal.bring()


PLANTS = (
    Plant(
        name="deal.double_feed",
        sentence="the deal roller takes two cards at once, edge on edge",
        at=DEAL_BRINGS,
        able=lambda deal: bool(deal.shoe),
        does=lambda deal, _: deal.bring(),
        phase=DEAL,
        tried_at=frozenset({3}),
        drawn=73,
        nominal=1 / 20000,
        station="shoe",
        ends=CLEARABLE,
        tried=(faults.DEAL_DOUBLE,),
        several=True,
    ),
    # Three cards at once are too many for a stack; in the rest they are counted like any other.
    Plant(
        name="deal.triple_feed",
        sentence="the deal roller takes three cards at once, edge on edge",
        at=BEHIND_DEALT,
        able=lambda deal: len(deal.shoe) > 1,
        does=lambda deal, _: deal.bring(2),
        phase=DEAL,
        tried_at=frozenset({3}),
        drawn=74,
        station="shoe",
        number=faults.MISDEAL,
        card=5,
        ends=COUNTED,
        tried=(faults.DEAL_DOUBLE,),
        several=True,
    ),
    Plant(
        name="deal.overlap",
        sentence="the next card comes along {size} behind the dealt one",
        size=Size("um", 200, 20000, 55000),
        at=DEAL_BRINGS,
        turn=1,
        able=lambda deal: bool(deal.shoe),
        does=lambda deal, um: deal.follow_with(um),
        phase=DEAL,
        tried_at=_AT,
        drawn=76,
        station="shoe",
        number=faults.DEAL_JAM,
        card=2,
        others=(
            Other(faults.DEAL_SLIP, 1, "so far behind it looks like the next, come too far"),
            Other(
                faults.DEAL_DOUBLE, 0, "so close behind both are in the station: they read as two"
            ),
            Other(faults.DEAL_JAM, 1, "just before the beam: the one after it stands there"),
        ),
        several=True,
    ),
    Plant(
        name="deal.bent_pair",
        sentence="the deal roller takes two cards at once, one of them badly bent",
        at=DEAL_BRINGS,
        able=lambda deal: bool(deal.shoe),
        does=_bring_bent,
        phase=DEAL,
        tried_at=_AT,
        drawn=75,
        thin=True,
        station="shoe",
        number=faults.DEAL_DOUBLE,
        card=2,
        spoils=True,
        several=True,
    ),
)

"""Plants of the deal: what the roller at the shoe does with the card that is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from boards import mechanics as M
from sim.parts import STEP_UM
from sim.plants.record import (
    CLEARABLE,
    DEAL,
    HARMLESS,
    Plant,
    Size,
)
from sim.points import DEAL_LAYS, DEAL_TAKES

if TYPE_CHECKING:
    from sim.deal import Deal

_MISSED_UM = M.CARD_LENGTH_UM + M.STAGE_UM - 300  # what the roller turns in vain, once
_AT = frozenset({2})
_AHEAD = Size("um", 5000, 6000, 30000)


def _miss(deal: Deal, _: int) -> None:
    deal.lose(_MISSED_UM)
    deal.late_um += _MISSED_UM


def _lose_steps(deal: Deal, steps: int) -> None:
    deal.axis.slip(steps)
    deal.late_um += steps * STEP_UM


def _slip(deal: Deal, um: int) -> None:
    deal.lose(um)
    deal.late_um += um


def _come_ahead(deal: Deal, um: int) -> None:
    deal.come_ahead(um)
    if um - deal.late_um < _AHEAD.least:  # it is late as well: not as much too far in all
        deal.evened.add("deal.ahead")


def _stick(deal: Deal, um: int) -> None:
    deal.limit = um


TAKES = (
    Plant(
        name="deal.misfeed",
        sentence="the deal roller slips on a card once, and takes it at the next try",
        at=DEAL_TAKES,
        does=_miss,
        phase=DEAL,
        tried_at=_AT,
        drawn=71,
        wears=1 / 500,
        nominal=1 / 2000,
        station="shoe",
        ends=CLEARABLE,
        tried=(faults.DEAL_MISFEED,),
    ),
    Plant(
        name="deal.stuck",
        sentence="the card stays in the shoe, and no try brings it out",
        at=DEAL_TAKES,
        turn=1,
        does=_stick,
        phase=DEAL,
        tried_at=_AT,
        drawn=70,
        thin=True,
        nominal=1 / 10000,
        station="shoe",
        number=faults.DEAL_MISFEED,
        card=2,
    ),
)
WAY = (
    Plant(
        name="deal.torn",
        sentence="the card was torn in the shoe: {size} of its end are gone",
        size=Size("um", 6500, 12000, 23000),
        at=DEAL_LAYS,
        does=lambda deal, um: deal.held[0].spoil(longer_um=-um),
        phase=DEAL,
        tried_at=_AT,
        drawn=79,
        thin=True,
        station="shoe",
        number=faults.DEAL_LENGTH,
        card=2,
        spoils=True,
    ),
    Plant(
        name="deal.jam",
        sentence="the dealt card sticks in the deal beam",
        size=Size("um", 41000, 50000, 63000),
        at=DEAL_TAKES,
        turn=1,
        able=lambda deal: deal.limit is None,  # else it does not come so far
        does=_stick,
        phase=DEAL,
        tried_at=_AT,
        drawn=72,
        nominal=1 / 10000,
        station="shoe",
        number=faults.DEAL_JAM,
        card=2,
    ),
    Plant(
        name="deal.lost",
        sentence="the deal roller's motor loses {size} as it takes a card",
        size=Size("steps", 20, 200, 200),
        at=DEAL_TAKES,
        does=_lose_steps,
        phase=DEAL,
        tried_at=_AT,
        drawn=81,
        wears=1 / 2000,
        station="shoe",
        ends=HARMLESS,
        tried=(faults.DEAL_JAM,),
        lags_um=STEP_UM,
    ),
    Plant(
        name="deal.slip",
        sentence="the dealt card slips by {size} under the roller",
        size=Size("um", 500, 8000, 8000),
        at=DEAL_TAKES,
        does=_slip,
        like=DEAL_TAKES,  # a card that is slick slides as far by itself
        phase=DEAL,
        tried_at=_AT,
        drawn=82,
        wears=1 / 1000,
        station="shoe",
        ends=CLEARABLE,
        tried=(faults.DEAL_JAM,),
        lags_um=1.0,
    ),
    Plant(
        name="deal.ahead",
        sentence="the card has come {size} too far out of the shoe with the last one",
        size=_AHEAD,
        at=DEAL_TAKES,
        does=_come_ahead,
        phase=DEAL,
        tried_at=_AT,
        drawn=83,
        station="shoe",
        number=faults.DEAL_SLIP,
        card=2,
    ),
)

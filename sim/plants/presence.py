"""Plants of the sensors of presence: infeed, shoe, crank and tray."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import (
    AT,
    DEAL,
    EMPTY,
    FILL,
    HARMLESS,
    ONWARD,
    REST,
    SHOE_LANE,
    WHEEL_LANE,
    Plant,
    set_of,
)
from sim.points import (
    CRANK_SENSOR,
    INFEED_SENSOR,
    PRESENCE,
    SHOE_SENSOR,
    TRAY,
    TRAY_GLANCE,
)

if TYPE_CHECKING:
    from sim.points import Reading

_BOTH = set_of(WHEEL_LANE, SHOE_LANE)


def _see(there: bool) -> Callable[[Reading], None]:
    def read(reading: Reading) -> None:
        reading.seen = there

    return read


def _overlook(reading: Reading, _: int) -> None:
    reading.seen = False


PLANTS = (
    Plant(
        name="infeed.dead",
        sentence="from this card on the infeed's sensor sees nothing",
        lasts=ONWARD,
        at=INFEED_SENSOR,
        while_broken=(PRESENCE["infeed"], _see(False)),
        contrary="infeed.full",
        phase=FILL,
        drawn=47,
        station="feeder",
        number=faults.INFEED_SENSOR,
    ),
    Plant(
        name="infeed.full",
        sentence="from this card on the infeed's sensor sees a card, whether one is there or not",
        lasts=ONWARD,
        at=INFEED_SENSOR,
        while_broken=(PRESENCE["infeed"], _see(True)),
        contrary="infeed.dead",
        phase=FILL,
        drawn=48,
        station="feeder",
        number=faults.INFEED_SENSOR,
        by_tries=True,
    ),
    Plant(
        name="shoe.dead",
        sentence="from this card on the shoe's sensor sees nothing",
        lasts=ONWARD,
        at=SHOE_SENSOR,
        while_broken=(PRESENCE["shoe"], _see(False)),
        contrary="shoe.full",
        phase=DEAL,
        tried_at=frozenset({2}),
        drawn=89,
        station="shoe",
        number=faults.SHOE_SENSOR,
        card=2,
    ),
    Plant(
        name="shoe.full",
        sentence="from this card on the shoe's sensor sees a card, whether one is there or not",
        lasts=ONWARD,
        at=SHOE_SENSOR,
        while_broken=(PRESENCE["shoe"], _see(True)),
        contrary="shoe.dead",
        phase=REST,
        tried_at=frozenset({30}),
        drawn=90,
        station="shoe",
        number=faults.SHOE_SENSOR,
        tried=(faults.DEAL_MISFEED,),
        by_tries=True,
    ),
    Plant(
        name="crank.dead",
        sentence="from this stroke on the crank's sensor does not see it at rest",
        lasts=ONWARD,
        at=CRANK_SENSOR,
        while_broken=(PRESENCE["crank"], _see(False)),
        phase=EMPTY,
        drawn=67,
        station="ejector",
        number=faults.ROD_LOST,
        card=AT,
    ),
    Plant(
        name="tray.overlooked",
        sentence="the tray's sensor overlooks what lies there, at one reading",
        at=TRAY_GLANCE,
        does=_overlook,
        phase=DEAL,
        tried_at=frozenset({5, 6, 7, 8}),
        drawn=94,
        passages=4,
        again=_BOTH,
        wears=1 / 1000,
        station="tray",
        number=faults.TRAY_FULL,  # of all readings; one that overlooks it is not believed
        card=0,
        ends=HARMLESS,
    ),
    Plant(
        name="tray.dead",
        sentence="from this reading on the tray's sensor sees nothing",
        lasts=ONWARD,
        at=TRAY,
        does=_overlook,
        phase=DEAL,
        tried_at=frozenset({1}),
        drawn=95,
        again=_BOTH,
        thin=True,
        station="tray",
        number=faults.TRAY_BLIND,
        card=0,
    ),
)

"""Plants of the analog sensors: presence, thickness, colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import (
    AS_THE_NEXT,
    AT,
    DEAL,
    EMPTY,
    FILL,
    HARMLESS,
    NEXT_MOVE,
    NEXT_PICK,
    ONWARD,
    REST,
    SHOE_LANE,
    WHEEL_LANE,
    Plant,
    Shows,
    lanes,
)
from sim.points import (
    BACK,
    COLOUR,
    CRANK_SENSOR,
    INFEED_SENSOR,
    PRESENCE,
    SHOE_SENSOR,
    THICKNESS,
    TRAY,
    TRAY_GLANCE,
)

if TYPE_CHECKING:
    from sim.points import Reading

_FADED = 200  # counts
_BOTH = lanes(WHEEL_LANE, SHOE_LANE)


def _see(there: bool) -> Callable[[Reading], None]:
    def read(reading: Reading) -> None:
        reading.seen = there

    return read


def _overlook(reading: Reading, _: int) -> None:
    reading.seen = False


def _read_nothing(reading: Reading, _: int) -> None:
    reading.layers = 0


def _read_more(parts: int) -> Callable[[Reading, int], None]:
    def read(reading: Reading, _: int) -> None:
        reading.layers += reading.layers // parts

    return read


def _fade(reading: Reading, _: int) -> None:
    reading.darker = _FADED


PRESENT = (
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
        shows=Shows(NEXT_PICK),  # the card that is picked just then was seen before
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
        shows=Shows(NEXT_MOVE, at_the_end=True),
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
        shows=AS_THE_NEXT,
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
        shows=Shows(NEXT_MOVE, at_the_end=True),
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
        shows=Shows(unseen="deal", by_chute=True),
    ),
)
MEASURED = (
    Plant(
        name="thickness_in.dead",
        sentence="from this reading on the sensor in the count station reads no card",
        lasts=ONWARD,
        at=THICKNESS["thickness_in"],
        does=_read_nothing,
        phase=FILL,
        drawn=30,
        again=lanes(WHEEL_LANE),
        thin=True,
        station="feeder",
        number=faults.THICKNESS,
        card=AT,
    ),
    Plant(
        name="thickness_in.drift",
        sentence="from this reading on it reads a third too much",
        lasts=ONWARD,
        at=THICKNESS["thickness_in"],
        does=_read_more(3),
        phase=FILL,
        tried_at=frozenset({1}),
        drawn=32,
        again=lanes(WHEEL_LANE),
        station="feeder",
        ends=HARMLESS,
    ),
    Plant(
        name="thickness_out.drift",
        sentence="from this reading on the sensor at the shoe reads a quarter too much",
        lasts=ONWARD,
        at=THICKNESS["thickness_out"],
        turn=1,
        does=_read_more(4),
        phase=DEAL,
        tried_at=frozenset({2}),
        drawn=87,
        again=_BOTH,
        station="shoe",
        ends=HARMLESS,
    ),
    Plant(
        name="thickness_out.dead",
        sentence="from this reading on the sensor at the shoe reads no card",
        lasts=ONWARD,
        at=THICKNESS["thickness_out"],
        does=_read_nothing,
        phase=DEAL,
        tried_at=frozenset({2}),
        drawn=88,
        again=_BOTH,
        station="shoe",
        number=faults.DEAL_THICKNESS,
        card=2,
    ),
    Plant(
        name="back.dead",
        sentence="from this reading on the colour sensor reads no card",
        lasts=ONWARD,
        at=BACK,
        does=_overlook,
        phase=FILL,
        drawn=27,
        again=lanes(WHEEL_LANE),
        station="feeder",
        number=faults.BACK_UNREAD,
        card=AT,
    ),
    Plant(
        name="back.faded",
        sentence="from this reading on the colour sensor reads 200 counts too little",
        lasts=ONWARD,
        at=COLOUR,
        does=_fade,
        phase=FILL,
        drawn=26,
        again=lanes(WHEEL_LANE),
        station="feeder",
        ends=HARMLESS,
    ),
)

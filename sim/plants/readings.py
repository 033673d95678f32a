"""Plants of the sensors that measure a card: its thickness, and the colour of its back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import (
    AT,
    DEAL,
    FILL,
    HARMLESS,
    ONWARD,
    SHOE_LANE,
    WHEEL_LANE,
    Plant,
    set_of,
)
from sim.points import (
    BACK,
    COLOUR,
    THICKNESS,
)

if TYPE_CHECKING:
    from sim.points import Reading

_FADED = 200  # counts
_BOTH = set_of(WHEEL_LANE, SHOE_LANE)


def _see_nothing(reading: Reading, _: int) -> None:
    reading.seen = False


def _read_nothing(reading: Reading, _: int) -> None:
    reading.layers = 0


def _read_more(parts: int) -> Callable[[Reading, int], None]:
    def read(reading: Reading, _: int) -> None:
        reading.layers += reading.layers // parts

    return read


def _fade(reading: Reading, _: int) -> None:
    reading.darker = _FADED


PLANTS = (
    Plant(
        name="thickness_in.dead",
        sentence="from this reading on the sensor in the count station reads no card",
        lasts=ONWARD,
        at=THICKNESS["thickness_in"],
        does=_read_nothing,
        phase=FILL,
        drawn=30,
        again=set_of(WHEEL_LANE),
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
        again=set_of(WHEEL_LANE),
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
        does=_see_nothing,
        phase=FILL,
        drawn=27,
        again=set_of(WHEEL_LANE),
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
        again=set_of(WHEEL_LANE),
        station="feeder",
        ends=HARMLESS,
    ),
)

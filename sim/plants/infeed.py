"""Plants of the infeed: what goes wrong as the pick roller takes a card, and with its motor."""

from __future__ import annotations

from dovetail import faults

from boards import mechanics as M
from sim.parts import STEP_UM
from sim.plants.record import (
    AT,
    CLEARABLE,
    FILL,
    HARMLESS,
    Other,
    Plant,
    Size,
)
from sim.points import PICK_BRINGS, PICK_TAKES

_SPEED, _ACCEL = M.AXES["pick"]
# What the roller turns in vain when it misses a card once: to the nip, and its ramp down.
_MISSED_UM = M.FEED_NIP_UM + _SPEED**2 / (2 * _ACCEL) * STEP_UM - 300

PLANTS = (
    Plant(
        name="infeed.misfeed",
        sentence="the pick roller slips on a card once, and takes it at the next try",
        at=PICK_TAKES,
        does=lambda coming, _: coming.card.lose(_MISSED_UM),
        phase=FILL,
        drawn=46,
        wears=1 / 500,
        nominal=1 / 2000,
        station="feeder",
        ends=CLEARABLE,
        tried=(faults.MISFEED,),
    ),
    Plant(
        name="infeed.stuck",
        sentence="the card holds on to the next one, and no try brings it out",
        at=PICK_TAKES,
        turn=2,
        does=lambda coming, _: coming.card.stick(0.0),
        phase=FILL,
        drawn=0,
        thin=True,
        nominal=1 / 4000,
        station="feeder",
        number=faults.MISFEED,
        card=AT,
    ),
    Plant(
        name="infeed.double_feed",
        sentence="the pick roller takes two cards at once, edge on edge",
        at=PICK_BRINGS,
        able=lambda coming: bool(coming.infeed.stack),
        does=lambda coming, _: coming.infeed.along(coming.card, 0.0),
        phase=FILL,
        drawn=8,
        thin=True,
        nominal=1 / 20000,
        station="feeder",
        number=faults.DOUBLE_FEED,
        card=AT,
    ),
    Plant(
        name="infeed.overlap",
        sentence="the next card comes along {size} behind this one",
        size=Size("um", 200, 20000, 60000),
        at=PICK_BRINGS,
        able=lambda coming: bool(coming.infeed.stack),
        does=lambda coming, um: coming.infeed.along(coming.card, um),
        phase=FILL,
        drawn=9,
        station="feeder",
        number=faults.DOUBLE_FEED,
        card=AT,
        others=(
            Other(faults.WRONG_LENGTH, 0, "one behind the other they are longer than a card"),
            Other(
                faults.FEED_JAM, 0, "the second stands in the count beam when the first is seated"
            ),
        ),
    ),
    Plant(
        name="infeed.creep",
        sentence="the card comes late into the nip, by {size} of travel",
        size=Size("um", 500, 5000, 8000),
        at=PICK_TAKES,
        turn=1,
        does=lambda coming, um: coming.card.lose(um),
        phase=FILL,
        drawn=44,
        wears=1 / 500,
        station="feeder",
        ends=HARMLESS,
    ),
    Plant(
        name="pick.lost",
        sentence="the pick roller's motor loses {size} as it takes a card",
        size=Size("steps", 20, 200, 200),
        at=PICK_TAKES,
        does=lambda coming, steps: coming.infeed.pick.slip(steps),
        phase=FILL,
        drawn=40,
        wears=1 / 2000,
        station="feeder",
        ends=HARMLESS,
    ),
)

"""Plants of the wheel: its motor, and what drags at it."""

from __future__ import annotations

from dovetail import faults

from sim.plants.record import (
    BREAKS,
    CLEARABLE,
    FILL,
    ONWARD,
    WHEEL_LANE,
    Other,
    Plant,
    Size,
    set_of,
)
from sim.points import TICK

_HEAVY_US = 83.3
# In the middle of a turn. At the tick of the slot that is wanted the card meets the wall first.
_IN_A_TURN = frozenset({504})
# The tick is wider than a slot's mouth: what is lost within it card or rod meets as a wall.
_AS_A_WALL = set_of("feeder", "ejector")
_NO_SLOT_KNOWN = Other(faults.WHEEL_HOME, None, "on the way to the home mark no slot is known")
_BEHIND_HOME = Other(faults.WHEEL_LOST, None, "behind the home mark: it stands beside its slot")

PLANTS = (
    Plant(
        name="wheel.slip",
        sentence="the wheel's motor loses {size} of its turn as a slot passes the tick",
        size=Size("steps", 15, 30, 300),
        at=TICK,
        does=lambda wheel, steps: wheel.axis.slip(steps, to_rest=True),
        phase=FILL,
        tried_at=_IN_A_TURN,
        drawn=49,
        again=set_of(WHEEL_LANE),
        looked=True,
        thin=True,
        station="wheel",
        also=_AS_A_WALL,
        ends=CLEARABLE,
        # Within the tick a card, or the ejector's rod, is the first to meet the wall.
        tried=(faults.LOST_STEPS, faults.FEED_JAM, faults.SLOT_EMPTY),
        others=(
            Other(
                faults.LOST_STEPS, None, "at the tick of the wanted slot the card meets the wall"
            ),
            Other(
                faults.WHEEL_HOME, None, "in the home mark, which measures too much or too little"
            ),
            _BEHIND_HOME,
        ),
    ),
    Plant(
        name="wheel.heavy",
        sentence="from this slot on the wheel drags: it follows 12,000 steps a second",
        lasts=ONWARD,
        at=TICK,
        does=lambda wheel, _: wheel.axis.drag(_HEAVY_US),
        phase=FILL,
        tried_at=_IN_A_TURN,
        drawn=50,
        again=set_of(WHEEL_LANE),
        looked=True,
        station="wheel",
        number=faults.LOST_STEPS,
        others=(_NO_SLOT_KNOWN, _BEHIND_HOME),
    ),
    Plant(
        name="wheel.stall",
        sentence="the wheel binds as a slot passes the tick, and stays so until it is cleared",
        lasts=BREAKS,
        at=TICK,
        does=lambda wheel, _: wheel.axis.block(True),
        phase=FILL,
        tried_at=_IN_A_TURN,
        drawn=51,
        again=set_of(WHEEL_LANE),
        looked=True,
        station="wheel",
        also=_AS_A_WALL,
        number=faults.LOST_STEPS,
        tried=(faults.SLOT_EMPTY,),
        others=(
            _NO_SLOT_KNOWN,
            Other(faults.FEED_JAM, None, "it binds within the tick: the card meets the wall first"),
        ),
    ),
)

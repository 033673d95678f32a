"""Plants of the board: its processor is busy elsewhere, or its step pulses stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import AT, FILL, HARMLESS, WHEEL_LANE, Other, Plant, set_of
from sim.points import FEED_BRINGS, LOOP_HEARS

if TYPE_CHECKING:
    from sim.points import Processor

_BUSY_NS = 150_000_000
_FEEDER = set_of("feeder")


def _be_busy(processor: Processor, _: int) -> None:
    processor.late_ns = _BUSY_NS


PLANTS = (
    Plant(
        name="board.busy",
        sentence="the processor is busy elsewhere for 150 ms as a card enters the count station",
        inprocess=True,  # a real image has its own times
        at=LOOP_HEARS,
        does=_be_busy,
        phase=FILL,
        drawn=31,
        again=set_of(WHEEL_LANE),
        station="motion",
        also=_FEEDER,
        ends=HARMLESS,
    ),
    Plant(
        name="board.hung",
        sentence="as a card enters the count station the feed's steps stop, its move never ends",
        at=FEED_BRINGS,
        does=lambda processor, _: processor.hang(),
        phase=FILL,
        drawn=112,
        again=set_of(WHEEL_LANE),
        thin=True,
        station="motion",
        also=_FEEDER,
        number=faults.MOVE_LATE,
        card=AT - 1,  # the move that brings it takes the one ahead into its slot
        others=(
            Other(faults.MOVE_LATE, 0, "with both lanes at work a card takes one move, or two"),
        ),
    ),
)

"""Plants of the ejector: its motor and rod, and the card that it pushes through the exit beam."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import AT, CLEARABLE, EMPTY, WHEEL_LANE, Plant, Size, set_of
from sim.points import PUSHED, STROKE

if TYPE_CHECKING:
    from sim.outfeed import Outfeed


def _miss(outfeed: Outfeed, _: int) -> None:
    outfeed.missed = True


def _stick(outfeed: Outfeed, um: int) -> None:
    outfeed.limit = um


def _hold(outfeed: Outfeed, um: int) -> None:
    outfeed.limit, outfeed.held = um, True


def _tear(outfeed: Outfeed, um: int) -> None:
    outfeed.lead_um += um


def _drag(outfeed: Outfeed, um: int) -> None:
    outfeed.clear_um += um


PLANTS = (
    Plant(
        name="eject.lost",
        sentence="the ejector's motor loses {size} as it takes a card",
        size=Size("steps", 10, 40, 390),
        at=STROKE,
        does=lambda outfeed, steps: outfeed.axis.slip(steps),
        phase=EMPTY,
        drawn=65,
        station="ejector",
        number=faults.ROD_LOST,
        card=AT,
    ),
    Plant(
        name="eject.missed",
        sentence="the ejector's rod misses the card, which stays in its slot",
        at=STROKE,
        does=_miss,
        phase=EMPTY,
        drawn=66,
        station="ejector",
        ends=CLEARABLE,
        tried=(faults.SLOT_EMPTY,),
    ),
    Plant(
        name="exit.jam",
        sentence="the ejected card sticks in the exit beam",
        size=Size("um", 11000, 41750, 72000),
        at=PUSHED,
        does=_stick,
        phase=EMPTY,
        drawn=57,
        again=set_of(WHEEL_LANE),
        thin=True,
        nominal=1 / 10000,
        station="ejector",
        number=faults.EXIT_JAM,
        card=AT,
    ),
    Plant(
        name="exit.hold",
        sentence="the ejected card sticks in the exit beam until it is pushed once more",
        size=Size("um", 11000, 41750, 72000),
        at=PUSHED,
        does=_hold,
        phase=EMPTY,
        drawn=58,
        again=set_of(WHEEL_LANE),
        station="ejector",
        ends=CLEARABLE,
        tried=(faults.EXIT_JAM,),
    ),
    Plant(
        name="exit.torn",
        sentence="the card was torn in the wheel: {size} of its front are gone",
        size=Size("um", 5000, 8000, 40000),
        at=PUSHED,
        does=_tear,
        phase=EMPTY,
        drawn=59,
        again=set_of(WHEEL_LANE),
        station="ejector",
        number=faults.EXIT_JAM,
        card=AT,
        spoils=True,
    ),
    Plant(
        name="exit.drag",
        sentence="a scrap comes with the ejected card: the beam clears {size} late",
        size=Size("um", 5000, 8000, 40000),
        at=PUSHED,
        does=_drag,
        phase=EMPTY,
        drawn=60,
        again=set_of(WHEEL_LANE),
        station="ejector",
        number=faults.EXIT_JAM,
        card=AT,
    ),
)

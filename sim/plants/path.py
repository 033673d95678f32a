"""Plants of the path: the feed rollers, and the card's way from the pick to its slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail import faults

from boards import mechanics as M
from sim.plants.record import (
    AT,
    CLEARABLE,
    FILL,
    HARMLESS,
    ONWARD,
    Other,
    Plant,
    Size,
    set_of,
)
from sim.points import CARDS, FEED_TAKES, ON_THE_PATH, PICK_TAKES

if TYPE_CHECKING:
    from sim.infeed import Coming

_HEAVY_US = 50.0


def _hold(coming: Coming, um: int) -> None:
    coming.card.limit, coming.card.held = um, True


def _slip(coming: Coming, um: int) -> None:
    coming.card.slips_um = um


ROLLERS = (
    Plant(
        name="feed.heavy",
        sentence="from this card on the feed rollers drag: they follow 20,000 steps a second",
        lasts=ONWARD,
        at=PICK_TAKES,
        turn=-1,
        does=lambda coming, _: coming.infeed.feed.drag(_HEAVY_US),
        phase=FILL,
        drawn=41,
        station="feeder",
        also=set_of("wheel"),
        number=faults.FEED_JAM,
        card=AT - 1,  # on its way into the slot
    ),
    Plant(
        name="feed.lost",
        sentence="the feed rollers' motor loses {size} as they take a card",
        size=Size("steps", 20, 200, 200),
        at=FEED_TAKES,
        does=lambda infeed, steps: infeed.feed.slip(steps),
        phase=FILL,
        drawn=42,
        wears=1 / 2000,
        station="feeder",
        ends=HARMLESS,
    ),
    Plant(
        name="path.slip",
        sentence="the card slips by {size} in the feed rollers",
        size=Size("um", 500, 8000, 8000),
        at=ON_THE_PATH,
        turn=-2,
        does=_slip,
        phase=FILL,
        drawn=43,
        wears=1 / 500,
        station="feeder",
        ends=HARMLESS,
    ),
    Plant(
        name="path.skid",
        sentence="the card slips by {size} in the feed rollers",
        size=Size("um", 20000, 25000, 30000),
        at=ON_THE_PATH,
        turn=-2,
        does=_slip,
        phase=FILL,
        drawn=45,
        station="feeder",
        number=faults.SLIP,
        card=AT,
        others=(
            Other(faults.FEED_JAM, 0, "it has slid so far that it is not in the count station"),
        ),
    ),
)
STICKS = (
    Plant(
        name="path.jam",
        sentence="the card sticks between the count station and the wheel's mouth",
        size=Size("um", 41000, 60000, 79000),
        at=ON_THE_PATH,
        does=lambda coming, um: coming.card.stick(um),
        phase=FILL,
        drawn=1,
        nominal=1 / 10000,
        station="feeder",
        number=faults.FEED_JAM,
        card=AT,
    ),
    Plant(
        name="path.hold",
        sentence="the card sticks before the mouth until the rollers are turned back once",
        size=Size("um", 42000, 60000, 75000),
        at=ON_THE_PATH,
        able=lambda coming: coming.card.limit is None,  # else it sticks elsewhere already
        does=_hold,
        phase=FILL,
        drawn=2,
        withdrawn=True,
        station="feeder",
        ends=CLEARABLE,
        tried=(faults.FEED_JAM,),
    ),
)


def _jam_at(
    place: str,
    um: float,
    drawn: int,
    number: int = faults.FEED_JAM,
    *,
    tried_at: int = AT,
    card: int = AT,
    thin: bool = False,
    also: str = "",
    others: tuple[Other, ...] = (),
    miscounts: bool = False,
) -> Plant[Coming]:
    """Return the plant of a card that sticks with its front at this place."""
    return Plant(
        name=f"path.jam_at:{place}",
        sentence=f"the card sticks with its front at the {place}",
        at=ON_THE_PATH,
        turn=-1,
        does=lambda coming, _: coming.card.stick(um),
        phase=FILL,
        tried_at=frozenset({tried_at}),
        drawn=drawn,
        thin=thin,
        station="feeder",
        also=set_of(also) if also else frozenset(),
        number=number,
        card=card,
        others=others,
        miscounts=miscounts,
    )


JAMS_AT = (
    _jam_at("entry", M.ENTRY_BEAM_UM + 2000, 3, tried_at=17, card=17, thin=True),
    _jam_at("nip", (M.FEED_NIP_UM + M.COUNT_BEAM_UM) / 2, 4),
    _jam_at("count", M.COUNT_BEAM_UM + 2000, 5),
    _jam_at("mouth", M.WHEEL_MOUTH_UM, 6),
    # Beyond the beams: the wheel is the first to meet it, and the beams see a card that is seated.
    _jam_at(
        "slot",
        (M.WHEEL_MOUTH_UM + M.SEATED_UM) / 2 + 10000,
        7,
        faults.LOST_STEPS,
        card=AT + 1,
        also="wheel",
        others=(
            Other(
                faults.LOST_STEPS, 1 - CARDS, "behind the last one the wheel turns to be emptied"
            ),
        ),
        miscounts=True,
    ),
)

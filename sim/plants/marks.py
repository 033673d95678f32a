"""Plants of the wheel's marks: the home mark, and the tick of each slot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import (
    CLEARABLE,
    FILL,
    ONCE,
    ONWARD,
    STOPS,
    WHEEL_LANE,
    Other,
    Plant,
    set_of,
)
from sim.points import BEAM

if TYPE_CHECKING:
    from sim.beam import Beam

_AT_HOME = (Other(faults.WHEEL_LOST, None, "at the home mark it is proved, not counted"),)


def _stay_dark(mark: Beam, _: int) -> None:
    mark.stuck = True


def _see_nothing(mark: Beam, _: int) -> None:
    mark.stuck = False


def _miss(mark: Beam, _: int) -> None:
    mark.misses = True


def _mark(
    mark: str,
    what: str,
    sentence: str,
    does: Callable[[Beam, int], None],
    drawn: int,
    tried_at: int,
    *,
    lasts: str = ONWARD,
    number: int = 0,
    card: int | None = None,
    thin: bool = False,
    contrary: str = "",
    tried: tuple[int, ...] = (),
    others: tuple[Other, ...] = (),
) -> Plant[Beam]:
    """Return a plant of one of the marks."""
    return Plant(
        name=f"{mark}.{what}",
        sentence=sentence,
        lasts=lasts,
        at=BEAM[mark],
        does=does,
        contrary=contrary,
        phase=FILL,
        tried_at=frozenset({tried_at}),
        drawn=drawn,
        again=set_of(WHEEL_LANE),
        looked=True,
        thin=thin,
        station="wheel",
        number=number,
        card=card,
        ends=STOPS if number else CLEARABLE,
        tried=tried,
        others=others,
    )


PLANTS = (
    _mark(
        "home",
        "dark",
        "from this passing on the home mark is seen everywhere",
        _stay_dark,
        56,
        6,
        number=faults.WHEEL_LOST,
        contrary="home.blind",
        others=(Other(faults.WHEEL_HOME, None, "while it is looked for, its width is measured"),),
    ),
    _mark(
        "home",
        "blind",
        "from this passing on the home mark is not seen",
        _see_nothing,
        55,
        1,
        number=faults.WHEEL_HOME,
        card=0,
        thin=True,
        contrary="home.dark",
        others=(
            Other(
                faults.WHEEL_LOST, None, "on the way to a slot the mark is proved, not looked for"
            ),
        ),
    ),
    _mark(
        "tick",
        "dark",
        "from this slot on the tick is seen everywhere",
        _stay_dark,
        52,
        500,
        number=faults.LOST_STEPS,
        contrary="tick.blind",
        others=_AT_HOME,
    ),
    _mark(
        "tick",
        "blind",
        "from this slot on no tick is seen",
        _see_nothing,
        53,
        500,
        number=faults.LOST_STEPS,
        contrary="tick.dark",
        others=_AT_HOME,
    ),
    _mark(
        "tick",
        "missed",
        "the tick of one slot is not seen",
        _miss,
        54,
        500,
        lasts=ONCE,
        tried=(faults.LOST_STEPS,),
    ),
)

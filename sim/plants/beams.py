"""Plants of the beams and of the wheel's marks: families over all beams, then single ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail import faults

from sim.plants.record import (
    AS_IT_STRIKES,
    AT,
    CLEARABLE,
    DEAL,
    EMPTY,
    FILL,
    HARMLESS,
    HOME_FREE,
    NEXT_FEED,
    ONCE,
    ONWARD,
    PASSING,
    SHOE_LANE,
    STOPS,
    TICK_FREE,
    WHEEL_LANE,
    Other,
    Plant,
    Shows,
    Size,
    lanes,
)
from sim.points import ARRIVES, BEAM, BEAMS, ROD_LEAVES, TICK, Point

if TYPE_CHECKING:
    from sim.beam import Beam


@dataclass(frozen=True)
class Where:
    """What a beam's own place adds to a family's record."""

    station: str
    phase: str
    at: int  # the passage that is tried
    light_at: int  # the same, of what only changes its light
    lane: str
    # what follows when it stays dark, sees nothing, is covered: the number, and the card named
    dark: tuple[int, int]
    blind: tuple[int, int]
    covered: tuple[int, int | None]
    drawn: dict[str, int]


WHERE = {
    "entry": Where(
        "feeder",
        FILL,
        AT,
        2,
        WHEEL_LANE,
        (faults.PATH_BLOCKED, AT + 1),
        (faults.BEAM_BLIND, AT),
        (faults.PATH_BLOCKED, None),
        {"dust": 15, "glare": 17, "covered": 28, "blind": 34, "dark": 36, "flicker": 38},
    ),
    "count": Where(
        "feeder",
        FILL,
        AT,
        2,
        WHEEL_LANE,
        (faults.FEED_JAM, AT),
        (faults.BEAM_BLIND, AT),
        (faults.FEED_JAM, None),
        {"dust": 16, "glare": 18, "covered": 29, "blind": 35, "dark": 37, "flicker": 39},
    ),
    "exit": Where(
        "ejector",
        EMPTY,
        AT,
        AT,
        WHEEL_LANE,
        (faults.EXIT_JAM, AT),
        (faults.SLOT_EMPTY, AT),
        (faults.EXIT_BLOCKED, AT + 1),
        {"dust": 63, "glare": 64, "covered": 69, "blind": 68, "dark": 61, "flicker": 62},
    ),
    "deal": Where(
        "shoe",
        DEAL,
        2,
        2,
        SHOE_LANE,
        (faults.DEAL_JAM, 2),
        (faults.DEAL_BLIND, 2),
        (faults.DEAL_BLOCKED, 4),
        {"dust": 77, "glare": 78, "covered": 80, "blind": 84, "dark": 85, "flicker": 86},
    ),
}
# Paper falls before it: the passage that is tried, when it falls, and how.
FALLS: dict[str, tuple[int, str, Point[Any], Callable[[Any, int], object]]] = {
    "entry": (500, "a slot passes the tick", TICK, lambda wheel, _: wheel.on_paper("entry")),
    "count": (500, "a slot passes the tick", TICK, lambda wheel, _: wheel.on_paper("count")),
    "exit": (
        AT,
        "the wheel turns on after this card",
        ROD_LEAVES,
        lambda outfeed, _: outfeed.wheel.hang_paper(),
    ),
    "deal": (3, "a card arrives in the tray", ARRIVES, lambda deal, _: deal.beam.cover()),
}
_COVERED_SHOWS = {
    "entry": Shows(NEXT_FEED, unseen="pick"),  # a staged card lies there: when it has gone on
    "count": Shows(NEXT_FEED, unseen="feed"),
    "exit": Shows(unseen="wheel"),  # as it turns on
    "deal": Shows(unseen="deal"),
}
_COVERED_OTHERS = {
    "count": (
        Other(faults.SLIP, None, "the paper falls while a card comes, which seems to be too early"),
    ),
    "deal": (Other(faults.DEAL_JAM, 1, "the paper falls while the next card is in the beam"),),
}
# A beam that stays dark looks as it does with a good card staged, until that should have gone on.
_DARK_SHOWS = {"entry": Shows(later=1, unseen="pick"), "count": Shows(later=1)}


def _stay(dark: bool) -> Callable[[Beam, int], None]:
    def fail(beam: Beam, _: int) -> None:
        beam.stuck = dark

    return fail


def _dim(beam: Beam, counts: int) -> None:
    beam.off -= counts


def _dazzle(beam: Beam, counts: int) -> None:
    beam.off += counts


def _flicker(beam: Beam, _: int) -> None:
    beam.flickers = True


def _miss(beam: Beam, _: int) -> None:
    beam.misses = True


def _stays_dark(beam: str) -> Plant[Beam]:
    """Return the plant of a beam that stays dark."""
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.dark",
        sentence=f"from this card on the {beam} beam stays dark",
        lasts=ONWARD,
        at=BEAM[beam],
        does=_stay(True),
        contrary=f"{beam}.blind",
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["dark"],
        again=lanes(where.lane),
        station=where.station,
        number=where.dark[0],
        card=where.dark[1],
        shows=_DARK_SHOWS.get(beam, AS_IT_STRIKES),
    )


def _sees_nothing(beam: str) -> Plant[Beam]:
    """Return the plant of a beam that sees nothing."""
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.blind",
        sentence=f"from this card on the {beam} beam sees nothing",
        lasts=ONWARD,
        at=BEAM[beam],
        does=_stay(False),
        contrary=f"{beam}.dark",
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["blind"],
        again=lanes(where.lane),
        station=where.station,
        number=where.blind[0],
        card=where.blind[1],
    )


def _light(
    beam: str, way: str, sentence: str, usual: int, does: Callable[[Beam, int], None]
) -> Plant[Beam]:
    """Return the plant of what changes a beam's light, and not yet what it says."""
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.{way}",
        sentence=sentence,
        size=Size("counts", 50, usual, 1000),  # with more, the beam of some board would fail
        lasts=ONWARD,
        at=BEAM[beam],
        does=does,
        phase=where.phase,
        tried_at=frozenset({where.light_at}),
        drawn=where.drawn[way],
        again=lanes(where.lane),
        wears=1 / 2000,
        station=where.station,
        ends=HARMLESS,
    )


def _dust(beam: str) -> Plant[Beam]:
    sentence = f"from this card on dust dims the {beam} beam by {{size}}"
    return _light(beam, "dust", sentence, 700, _dim)


def _glare(beam: str) -> Plant[Beam]:
    sentence = f"from this card on daylight adds {{size}} to the {beam} beam"
    return _light(beam, "glare", sentence, 600, _dazzle)


def _covered(beam: str) -> Plant[Any]:
    """Return the plant of paper that falls before a beam."""
    where, (tried_at, when, at, does) = WHERE[beam], FALLS[beam]
    return Plant(
        name=f"{beam}.covered",
        sentence=f"paper falls before the {beam} beam as {when}",
        at=at,
        does=does,
        phase=where.phase,
        tried_at=frozenset({tried_at}),
        drawn=where.drawn["covered"],
        again=lanes(where.lane),
        looked=beam != "deal",
        station=where.station,
        number=where.covered[0],
        card=where.covered[1],
        others=_COVERED_OTHERS.get(beam, ()),
        shows=_COVERED_SHOWS[beam],
    )


def _flickers(beam: str) -> Plant[Beam]:
    """Return the plant of a beam that flickers: nothing is tried, and nothing told."""
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.flicker",
        sentence=f"the {beam} beam flickers once as a card comes",
        at=BEAM[beam],
        does=_flicker,
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["flicker"],
        again=lanes(where.lane),
        wears=1 / 1000,
        station=where.station,
        ends=PASSING,
    )


def _mark(
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
    shows: Shows = AS_IT_STRIKES,
) -> Plant[Beam]:
    """Return a plant of one of the wheel's marks."""
    return Plant(
        name=what,
        sentence=sentence,
        lasts=lasts,
        at=BEAM[what.partition(".")[0]],
        does=does,
        contrary=contrary,
        phase=FILL,
        tried_at=frozenset({tried_at}),
        drawn=drawn,
        again=lanes(WHEEL_LANE),
        looked=True,
        thin=thin,
        station="wheel",
        number=number,
        card=card,
        ends=STOPS if number else CLEARABLE,
        tried=tried,
        others=others,
        shows=shows,
    )


_AT_HOME = (Other(faults.WHEEL_LOST, None, "at the home mark it is proved, not counted"),)

PLANTS = (
    *map(_stays_dark, BEAMS),
    *map(_sees_nothing, BEAMS),
    *map(_dust, BEAMS),
    *map(_glare, BEAMS),
    *map(_covered, BEAMS),
    *map(_flickers, BEAMS),
    _mark(
        "home.dark",
        "from this passing on the home mark is seen everywhere",
        _stay(True),
        56,
        6,
        number=faults.WHEEL_LOST,
        contrary="home.blind",
        others=(Other(faults.WHEEL_HOME, None, "while it is looked for, its width is measured"),),
        shows=Shows(HOME_FREE, unseen="wheel"),
    ),
    _mark(
        "home.blind",
        "from this passing on the home mark is not seen",
        _stay(False),
        55,
        1,
        number=faults.WHEEL_HOME,
        card=0,
        thin=True,
        contrary="home.dark",
        others=(
            Other(
                faults.WHEEL_LOST,
                None,
                "on the way to a slot the mark is proved, not looked for",
            ),
        ),
    ),
    _mark(
        "tick.dark",
        "from this slot on the tick is seen everywhere",
        _stay(True),
        52,
        500,
        number=faults.LOST_STEPS,
        contrary="tick.blind",
        others=_AT_HOME,
        shows=Shows(TICK_FREE, unseen="wheel"),
    ),
    _mark(
        "tick.blind",
        "from this slot on no tick is seen",
        _stay(False),
        53,
        500,
        number=faults.LOST_STEPS,
        contrary="tick.dark",
        others=_AT_HOME,
    ),
    _mark(
        "tick.missed",
        "the tick of one slot is not seen",
        _miss,
        54,
        500,
        lasts=ONCE,
        tried=(faults.LOST_STEPS,),
    ),
)

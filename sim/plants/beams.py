"""Plants of the four beams, one family for each way in which a beam fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail import faults

from sim.plants.record import (
    AT,
    DEAL,
    EMPTY,
    FILL,
    HARMLESS,
    ONWARD,
    PASSING,
    SHOE_LANE,
    WHEEL_LANE,
    Plant,
    Size,
    set_of,
)
from sim.points import BEAM, BEAMS

if TYPE_CHECKING:
    from sim.beam import Beam


@dataclass(frozen=True, kw_only=True)
class Where:
    """What a beam's own place adds to the record of each family."""

    station: str
    phase: str
    lane: str = WHEEL_LANE
    at: int = AT  # the passage that is tried
    light_at: int = AT  # the same, of what only changes its light
    dark: tuple[int, int]  # the fault and the card named when it stays dark
    blind: tuple[int, int]  # when it sees nothing
    drawn: Mapping[str, int]


WHERE = {
    "entry": Where(
        station="feeder",
        phase=FILL,
        light_at=2,
        dark=(faults.PATH_BLOCKED, AT + 1),
        blind=(faults.BEAM_BLIND, AT),
        drawn={"dust": 15, "glare": 17, "blind": 34, "dark": 36, "flicker": 38},
    ),
    "count": Where(
        station="feeder",
        phase=FILL,
        light_at=2,
        dark=(faults.FEED_JAM, AT),
        blind=(faults.BEAM_BLIND, AT),
        drawn={"dust": 16, "glare": 18, "blind": 35, "dark": 37, "flicker": 39},
    ),
    "exit": Where(
        station="ejector",
        phase=EMPTY,
        dark=(faults.EXIT_JAM, AT),
        blind=(faults.SLOT_EMPTY, AT),
        drawn={"dust": 63, "glare": 64, "blind": 68, "dark": 61, "flicker": 62},
    ),
    "deal": Where(
        station="shoe",
        phase=DEAL,
        lane=SHOE_LANE,
        at=2,
        light_at=2,
        dark=(faults.DEAL_JAM, 2),
        blind=(faults.DEAL_BLIND, 2),
        drawn={"dust": 77, "glare": 78, "blind": 84, "dark": 85, "flicker": 86},
    ),
}


def _stay_dark(beam: Beam, _: int) -> None:
    beam.stuck = True


def _see_nothing(beam: Beam, _: int) -> None:
    beam.stuck = False


def _dim(beam: Beam, counts: int) -> None:
    beam.off -= counts


def _dazzle(beam: Beam, counts: int) -> None:
    beam.off += counts


def _flicker(beam: Beam, _: int) -> None:
    beam.flickers = True


def _dark(beam: str) -> Plant[Beam]:
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.dark",
        sentence=f"from this card on the {beam} beam stays dark",
        lasts=ONWARD,
        at=BEAM[beam],
        does=_stay_dark,
        contrary=f"{beam}.blind",
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["dark"],
        again=set_of(where.lane),
        station=where.station,
        number=where.dark[0],
        card=where.dark[1],
    )


def _blind(beam: str) -> Plant[Beam]:
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.blind",
        sentence=f"from this card on the {beam} beam sees nothing",
        lasts=ONWARD,
        at=BEAM[beam],
        does=_see_nothing,
        contrary=f"{beam}.dark",
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["blind"],
        again=set_of(where.lane),
        station=where.station,
        number=where.blind[0],
        card=where.blind[1],
    )


def _light(
    beam: str, way: str, sentence: str, usual: int, does: Callable[[Beam, int], None]
) -> Plant[Beam]:
    """Return the plant of what changes a beam's light, and not yet what the beam says."""
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
        again=set_of(where.lane),
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


def _flickers(beam: str) -> Plant[Beam]:
    where = WHERE[beam]
    return Plant(
        name=f"{beam}.flicker",
        sentence=f"the {beam} beam flickers once as a card comes",
        at=BEAM[beam],
        does=_flicker,
        phase=where.phase,
        tried_at=frozenset({where.at}),
        drawn=where.drawn["flicker"],
        again=set_of(where.lane),
        wears=1 / 1000,
        station=where.station,
        ends=PASSING,
    )


FAIL = (*map(_dark, BEAMS), *map(_blind, BEAMS), *map(_dust, BEAMS), *map(_glare, BEAMS))
FLICKER = tuple(map(_flickers, BEAMS))

"""Plants of paper that falls before a beam, and lies there until somebody takes it away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dovetail import faults

from sim.plants.record import (
    AT,
    DEAL,
    EMPTY,
    FILL,
    SHOE_LANE,
    WHEEL_LANE,
    Other,
    Plant,
    set_of,
)
from sim.points import ARRIVES, ROD_LEAVES, TICK, Point


def _covered(
    beam: str,
    when: str,
    at: Point[Any],
    does: Callable[[Any, int], object],
    drawn: int,
    *,
    station: str = "feeder",
    phase: str = FILL,
    tried_at: int = 500,
    lane: str = WHEEL_LANE,
    number: int,
    card: int | None = None,
    others: tuple[Other, ...] = (),
) -> Plant[Any]:
    """Return the plant of paper before this beam; it strikes at a point beside the beam."""
    return Plant(
        name=f"{beam}.covered",
        sentence=f"paper falls before the {beam} beam as {when}",
        at=at,
        does=does,
        phase=phase,
        tried_at=frozenset({tried_at}),
        drawn=drawn,
        again=set_of(lane),
        looked=lane == WHEEL_LANE,
        station=station,
        number=number,
        card=card,
        others=others,
    )


PLANTS = (
    _covered(
        "entry",
        "a slot passes the tick",
        TICK,
        lambda wheel, _: wheel.on_paper("entry"),
        28,
        number=faults.PATH_BLOCKED,
    ),
    _covered(
        "count",
        "a slot passes the tick",
        TICK,
        lambda wheel, _: wheel.on_paper("count"),
        29,
        number=faults.FEED_JAM,
        others=(
            Other(
                faults.SLIP, None, "the paper falls while a card comes, which seems to be too early"
            ),
        ),
    ),
    _covered(
        "exit",
        "the wheel turns on after this card",
        ROD_LEAVES,
        lambda outfeed, _: outfeed.wheel.hang_paper(),
        69,
        station="ejector",
        phase=EMPTY,
        tried_at=AT,
        number=faults.EXIT_BLOCKED,
        card=AT + 1,
    ),
    _covered(
        "deal",
        "a card arrives in the tray",
        ARRIVES,
        lambda deal, _: deal.beam.cover(),
        80,
        station="shoe",
        phase=DEAL,
        tried_at=3,
        lane=SHOE_LANE,
        number=faults.DEAL_BLOCKED,
        card=4,
        others=(Other(faults.DEAL_JAM, 1, "the paper falls while the next card is in the beam"),),
    ),
)

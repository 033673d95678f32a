"""All plants, in the order in which they are listed, and the tables that are made from them."""

from __future__ import annotations

from typing import Any

from sim.plants import (
    beams,
    board,
    card,
    deal,
    deal_several,
    eject,
    hands,
    infeed,
    marks,
    paper,
    path,
    presence,
    readings,
    shoe,
    supply,
    wheel,
)
from sim.plants.record import ONWARD, Plant, Size
from sim.points import Point

PLANTS: tuple[Plant[Any], ...] = (
    *infeed.PLANTS,
    *card.PLANTS,
    *path.ROLLERS,
    *path.STICKS,
    *wheel.PLANTS,
    *eject.PLANTS,
    *deal.TAKES,
    *deal_several.PLANTS,
    *deal.WAY,
    *shoe.PLANTS,
    *presence.PLANTS,
    *readings.PLANTS,
    *supply.SAGS,
    *supply.JOLTS,
    *supply.FAILS,
    *hands.PLANTS,
    *board.PLANTS,
    *path.JAMS_AT,
    *beams.FAIL,
    *paper.PLANTS,
    *beams.FLICKER,
    *marks.PLANTS,
)
OF_NAME: dict[str, Plant[Any]] = {plant.name: plant for plant in PLANTS}
NAMES: dict[str, str] = {plant.name: plant.usual for plant in PLANTS}
# What another size would make another plant is no size of this one.
SIZES: dict[str, Size] = {plant.name: plant.size for plant in PLANTS if plant.size is not None}
ONWARDS = frozenset(plant.name for plant in PLANTS if plant.lasts == ONWARD)
INPROCESS = frozenset(plant.name for plant in PLANTS if plant.inprocess)
DRAWN: tuple[Plant[Any], ...] = tuple(sorted(PLANTS, key=lambda plant: plant.drawn))

# By the point at which they strike, in the order in which they do.
AT_POINT: dict[Point[Any], list[Plant[Any]]] = {}
for _plant in sorted(PLANTS, key=lambda plant: plant.turn):
    AT_POINT.setdefault(_plant.at, []).append(_plant)
# By the point at which they do something as long as they last.
WHILE_BROKEN: dict[Point[Any], list[Plant[Any]]] = {}
for _plant in PLANTS:
    if _plant.while_broken is not None:
        WHILE_BROKEN.setdefault(_plant.while_broken[0], []).append(_plant)
# What a part does by itself, where a plant does the same.
LIKE: dict[Point[Any], Plant[Any]] = {
    plant.like: plant for plant in PLANTS if plant.like is not None
}

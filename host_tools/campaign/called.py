"""What the machine may call a plant: read out of the records, for judges and scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from dovetail import faults

from sim.plants.catalogue import OF_NAME
from sim.plants.pairs import TOGETHER
from sim.plants.record import Plant
from sim.points import CARDS


def card_told(plant: Plant[Any], passage: int) -> int | None:
    """Return the card that is named when this passage is struck; None where that can't be said."""
    if plant.card is None or plant.card == 0 or plant.number == faults.WRONG_DECK:
        return plant.card  # a count is what was found, wherever the card was lost
    # ahead of the first one there is none, nor behind the last
    return min(max(plant.card + passage - max(plant.tried_at), 1), CARDS)


def numbers(name: str) -> set[int]:
    """Return what a plant may be called when it is handed over."""
    plant = OF_NAME[name]
    return {plant.number, *(other.number for other in plant.others)} - {0}


def words(name: str) -> set[int]:
    """Return what a plant may be called at all, also while the machine gets over it."""
    return numbers(name) | set(OF_NAME[name].tried)


def stations(name: str) -> set[str]:
    """Return the stations at which a plant may be met."""
    plant = OF_NAME[name]
    there = {plant.station} | plant.also
    if plant.number:
        there.add(row(plant.number)[2])
    return there


def together(names: Iterable[str], number: int) -> bool:
    """Return whether two of these that meet are called so."""
    there = set(names)
    return any(pair <= there and TOGETHER[pair][0] == number for pair in TOGETHER)


def called(names: Iterable[str], number: int) -> bool:
    """Return whether one of these may be called so, or two of them together."""
    there = set(names)
    return any(number in words(name) for name in there) or together(there, number)


def row(number: int) -> tuple[int, str, str, int, str]:
    """Return a line of the firmware's table of faults."""
    return cast(tuple[int, str, str, int, str], faults.row(number))  # pyright: ignore[reportUnknownMemberType]

"""The records of the plants make sense: names, sentences, numbers, and what refers to what."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from dovetail import faults

from sim import points
from sim.faults import Faults
from sim.plants.catalogue import AT_POINT, NAMES, OF_NAME, PLANTS
from sim.plants.pairs import EVEN, EVEN_AT_ONE, TOGETHER
from sim.plants.record import DRAWN_LAST, HARMLESS, PASSING, STOPS, Plant

SIM = Path(__file__).parents[1]
NUMBERS = {row[0] for row in faults.TABLE}
STATIONS = {row[2] for row in faults.TABLE}


def wrong(plant: Plant[Any]) -> list[str]:
    """Return what is wrong with one record."""
    said: list[str] = []
    if ("{size}" in plant.sentence) > (plant.size is not None):
        said.append("its sentence has a size, and the record has none")
    if {plant.number, *plant.tried, *(other.number for other in plant.others)} - NUMBERS - {0}:
        said.append("it is called by a number that no fault has")
    if {plant.station, *plant.also} - STATIONS:
        said.append("its station is none of the firmware's")
    if (plant.number == 0) != (plant.ends != STOPS) and plant.ends not in (HARMLESS, "counted"):
        said.append("nobody says whether the machine stops for it")
    if plant.tried and plant.ends == PASSING:
        said.append("nothing is tried for what passes unnoticed")
    if plant.needs and plant.needs not in OF_NAME:
        said.append("it needs a plant that is not there")
    if plant.contrary and OF_NAME[plant.contrary].contrary != plant.name:
        said.append("its contrary is not contrary to it")
    if not all(passage >= 1 for passage in plant.tried_at):
        said.append("it is tried at a passage that never comes")
    if not all(0.0 <= chance <= 0.01 for chance in (plant.wears, plant.nominal)):
        said.append("it would come every few cards, or is no chance")
    return said


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_record_makes_sense(plant: Plant[Any]) -> None:
    assert wrong(plant) == []


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("path.jam", {"sentence": "the card sticks at {size}", "size": None}),
        ("path.jam", {"number": 999}),
        ("path.jam", {"tried": (1,)}),
        ("path.jam", {"station": "kitchen"}),
        ("path.jam", {"number": 0}),
        ("path.hold", {"ends": STOPS}),
        ("deal.slip", {"ends": PASSING}),
        ("hands.forget", {"needs": "path.storm"}),
        ("entry.dark", {"contrary": "tick.dark"}),
        ("path.jam", {"tried_at": frozenset({0})}),
        ("path.jam", {"nominal": 10_000.0}),
        ("path.hold", {"wears": -0.1}),
    ],
)
def test_a_record_that_makes_no_sense_is_found(name: str, changed: dict[str, Any]) -> None:
    assert wrong(replace(OF_NAME[name], **changed))


def test_a_name_and_a_place_among_the_drawn_are_taken_once() -> None:
    assert len(OF_NAME) == len(PLANTS)
    taken = Counter(plant.drawn for plant in PLANTS if plant.drawn != DRAWN_LAST)
    assert [place for place, times in taken.items() if times > 1] == []


def test_pairs_are_of_plants() -> None:
    assert {name for pairs in (EVEN, EVEN_AT_ONE, TOGETHER) for pair in pairs for name in pair} <= (
        set(NAMES)
    )


def test_the_parts_know_no_plant() -> None:
    """A part asks at its points; the name of a plant stands in its record alone."""
    for path in SIM.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        known = [name for name in NAMES if f'"{name}"' in text]
        assert known == [], path.name


TABLES = ("BEAM", "THICKNESS", "PRESENCE")
POINTS = [*TABLES, *(name for name, value in vars(points).items() if type(value) is points.Point)]


@pytest.mark.parametrize("name", POINTS)
def test_a_part_asks_at_each_point(name: str) -> None:
    parts = [path for path in SIM.rglob("*.py") if path.parent.name not in ("plants", "tests")]
    texts = [path.read_text(encoding="utf-8") for path in parts if path.name != "points.py"]
    assert any(re.search(rf"\b{name}\b", text) for text in texts)


def test_what_strikes_is_handed_the_part_and_its_size() -> None:
    handed: list[tuple[object, int]] = []
    plant = OF_NAME["path.jam"]

    def note(part: object, size: int) -> None:
        handed.append((part, size))

    one = replace(plant, does=note)
    there = Faults({"path.jam@50000": {2}})
    with mock.patch.dict(AT_POINT, {plant.at: [one]}):
        for part in ("first", "second", "third"):
            there.at(plant.at, part)
    assert handed == [("second", 50000)]

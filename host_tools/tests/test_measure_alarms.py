"""The count of false alarms finds one."""

from __future__ import annotations

from unittest import mock

import pytest

from host_tools import measure_alarms
from sim.plants.catalogue import DRAWN as CASES


def test_nominal_wear_stops_nothing() -> None:
    found = measure_alarms.count(measure_alarms.DECK * 8)
    assert found.cards >= measure_alarms.DECK * 8
    assert found.faults == []


def test_wear_and_dirt_are_in_it() -> None:
    """All that changes a sensor or a card and that the machine must live with."""
    harmless = {case.name for case in CASES if not case.number}
    worn = {name for name in harmless if name.endswith((".dust", ".glare", ".jolt"))}
    worn |= {"card.bent", "card.nicked", "card.warped", "card.slick", "supply.sag"}
    assert worn <= harmless
    assert worn <= measure_alarms.NOMINAL.keys()
    assert all(measure_alarms.NOMINAL[name] for name in worn)


def test_a_machine_that_is_too_sensitive_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shoe without its remedies: a slip that is got over otherwise stops it."""
    monkeypatch.setattr(measure_alarms, "NOMINAL", {"deal.slip": 0.05})
    with mock.patch("dovetail.recovery.TABLE", ()):
        found = measure_alarms.count(measure_alarms.DECK)
    assert found.faults

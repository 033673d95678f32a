"""Planted faults strike where they are planted, and nowhere else."""

from __future__ import annotations

import pytest

from sim.beam import Beam
from sim.faults import NAMES, SINCE, Faults, read


def struck(faults: Faults, name: str, passages: int) -> list[int]:
    """Which of so many passages are struck."""
    return [n for n in range(1, passages + 1) if faults.strikes(name)]


def test_at_a_passage_once_or_from_there_on() -> None:
    assert struck(Faults({"path.jam": {3, 5}}), "path.jam", 9) == [3, 5]
    assert struck(Faults({"tray.dead": {3}}), "tray.dead", 5) == [3, 4, 5]
    assert struck(Faults(), "path.jam", 9) == []
    assert "tray.dead" in SINCE
    assert "path.jam" not in SINCE


def test_by_chance_as_often_as_it_says_and_the_same_for_the_same_seed() -> None:
    first = struck(Faults({"path.jam": 0.02}, 7), "path.jam", 20000)
    assert 300 < len(first) < 500  # five standard deviations around 400
    assert first == struck(Faults({"path.jam": 0.02}, 7), "path.jam", 20000)
    assert first != struck(Faults({"path.jam": 0.02}, 8), "path.jam", 20000)


def test_what_has_failed_for_good_can_be_repaired() -> None:
    faults = Faults({"back.dead": {1}})
    assert struck(faults, "back.dead", 3) == [1, 2, 3]
    faults.repair()
    assert struck(faults, "back.dead", 3) == []


def test_what_is_written_is_read() -> None:
    assert read("path.jam=3") == ("path.jam", {3})
    assert read("path.jam_at=entry:17") == ("path.jam_at:entry", {17})
    assert read("infeed.double_feed=0.02") == ("infeed.double_feed", 0.02)
    for text in ("path.jam", "path.jam=0", "path.jam=x", "path.jam=2.5", "path.storm=3"):
        with pytest.raises(ValueError, match=r"path\.jam"):
            read(text)


def test_every_name_says_what_happens() -> None:
    assert all(len(says.split()) >= 4 for says in NAMES.values())


def edges(way: str, at: int) -> list[bool]:
    """What a beam says of three cards."""
    beam = Beam("exit", Faults({f"exit.{way}": {at}}))
    seen: list[bool] = []
    beam.listeners.append(seen.append)
    for _ in range(3):
        beam.set(True)
        beam.set(False)
    return seen


def test_beams_that_lie() -> None:
    assert edges("blind", 2) == [True, False]
    assert edges("dark", 2) == [True, False, True]
    assert edges("flicker", 2) == [True, False, True, False, True, False, True, False]

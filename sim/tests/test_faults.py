"""Planted faults strike where they are planted, and nowhere else."""

from __future__ import annotations

from random import Random

import pytest

from sim.beam import Beam
from sim.card import new_deck
from sim.faults import Faults, read
from sim.loop import HeapWorld
from sim.machine import Machine
from sim.plants.catalogue import NAMES, SIZES
from sim.plants.catalogue import ONWARDS as SINCE


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


def test_a_size_is_planted_with_its_name() -> None:
    assert read("deal.overlap@5000=3") == ("deal.overlap@5000", {3})
    faults = Faults({"deal.overlap@5000": {3}})
    assert faults.sizes["deal.overlap"] == 5000
    assert struck(faults, "deal.overlap", 5) == [3]
    faults.plant("deal.overlap", {1})  # as usual again
    assert faults.sizes["deal.overlap"] == SIZES["deal.overlap"].usual
    for text in ("deal.overlap@100=3", "deal.overlap@x=3", "deal.overlap@=3", "deal.stuck@5=3"):
        with pytest.raises(ValueError, match=r"^deal\."):
            read(text)


def test_every_size_is_between_its_limits() -> None:
    assert set(SIZES) < set(NAMES)
    assert all(size.least <= size.usual <= size.most for size in SIZES.values())


def test_a_size_is_what_the_part_measures() -> None:
    machine = Machine(
        HeapWorld(), faults=Faults({"infeed.overlap@45000": {1}, "card.long@6000": {1}})
    )
    deck = new_deck("red", 3, Random(1))
    length_um = deck[-1].length_um
    machine.infeed.stack = deck
    machine.infeed.loaded()
    first, second = machine.infeed.path
    assert (second.behind_um, first.card.length_um) == (45000, length_um + 6000)


@pytest.mark.parametrize("name", ["infeed.double_feed", "infeed.overlap", "card.sticky"])
def test_the_last_card_of_the_infeed_takes_none_along(name: str) -> None:
    machine = Machine(HeapWorld(), faults=Faults({name: {1}}))
    machine.infeed.stack = new_deck("red", 1, Random(1))
    machine.infeed.loaded()
    assert machine.faults.struck == []


@pytest.mark.parametrize(
    "name", ["double_feed", "bent_pair", "overlap", "triple_feed", "shoe.lost", "shoe.robbed"]
)
def test_the_last_card_of_the_shoe_takes_none_along(name: str) -> None:
    plant = name if "." in name else f"deal.{name}"
    machine = Machine(HeapWorld(), faults=Faults({plant: {1}}))
    machine.deal.drop(new_deck("red", 1, Random(1)))
    assert machine.faults.struck == []


def test_a_passage_counts_where_there_is_nothing_to_strike() -> None:
    """The first card comes into an empty shoe: the second is the second all the same."""
    machine = Machine(HeapWorld(), faults=Faults({"deal.double_feed": {2}}))
    first, *others = new_deck("red", 4, Random(1))
    machine.deal.drop([first])
    machine.deal.drop(others)
    machine.deal.lay()
    assert [one.passage for one in machine.faults.struck] == [2]


def test_the_first_card_of_the_shoe_is_struck_when_it_is_laid_anew() -> None:
    machine = Machine(HeapWorld())
    deck = new_deck("red", 3, Random(1))
    machine.deal.drop(list(deck))
    machine.faults.plant("deal.stuck", {1})
    machine.deal.lay()
    assert [one.passage for one in machine.faults.struck] == [1]
    assert machine.deal.held + machine.deal.shoe == deck


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

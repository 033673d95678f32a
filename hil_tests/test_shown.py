"""Machines that run beside the troubled one change nothing, and differ only by what has struck."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from host_tools.campaign import player
from host_tools.campaign.draw import BOTH, DEALING, FILLING, Trouble, session
from host_tools.campaign.met import Met
from host_tools.campaign.sessions import Standing, play
from sim.faults import Faults

SEED, DRAWN = 5, 12


def met(*troubles: Trouble) -> tuple[list[Met], Faults]:
    """What comes of these on one machine, and what it knows of its plants."""
    standing = Standing(SEED)
    found = [standing.meet(trouble) for trouble in troubles]
    assert standing.end() == []
    return found, standing.player.machine.faults


def test_no_machine_differs_before_its_plant_has_struck() -> None:
    _, faults = met(*session(SEED, DRAWN).troubles)
    assert faults.astray == []
    assert faults.shown
    assert all(one.ns <= shown.ns for one, shown in faults.shown.items())


def test_machines_beside_it_change_nothing() -> None:
    one = session(SEED, DRAWN)
    with mock.patch.object(player, "follow"):
        alone = play(one)
    assert [replace(m, report_ms=None) for m in play(one)] == [
        replace(m, report_ms=None) for m in alone
    ]


@pytest.mark.parametrize(
    ("phase", "plant"),
    [
        (FILLING, "path.jam"),
        (FILLING, "card.long"),
        (FILLING, "infeed.full"),
        (FILLING, "infeed.dead"),
        (FILLING, "hands.rest"),
        (FILLING, "hands.other_deck"),
        (FILLING, "wheel.heavy"),
        (FILLING, "board.hung"),
        (DEALING, "shoe.robbed"),
        (DEALING, "shoe.extra"),
        (DEALING, "tray.dead"),
        (BOTH, "deal.overlap"),
    ],
)
def test_what_is_told_has_shown(phase: str, plant: str) -> None:
    """Also what hands have done, and what the board does."""
    at = 1 if plant.startswith("hands.") else 9
    (one,), faults = met(Trouble(phase, ((plant, at),), begin_ms=3000))
    assert one.fault
    assert one.against == []
    assert [shown.name for shown in faults.shown] == [plant]


def test_each_trouble_begins_with_no_machine_beside() -> None:
    """Also behind one that ended in a clearing."""
    during = Trouble(FILLING, (("path.jam", 9), ("hands.forget", 1)), during="clearing")
    standing = Standing(SEED)
    for trouble in (during, Trouble(FILLING, (("exit.jam", 52),)), Trouble(FILLING)):
        standing.meet(trouble)
        assert standing.player.machine.followers == []
    assert standing.end() == []

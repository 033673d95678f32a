"""A day of play with two decks, in this process."""

from __future__ import annotations

import pytest

from hil_tests import watch
from hil_tests.day import CARDS, Day, wanted
from host_tools import rigs
from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount
from host_tools.hands import SimulatedHands

HOURS = amount(24, 3)
LIFE_H = 8  # of a deck from the shoe: CL-1
SEED = 4


@pytest.mark.slow
@pytest.mark.spends(1200)
@pytest.mark.proof(name="day")
def test_a_day_of_two_decks(monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    """TD-3 TD-4 SH-1 SH-4 CT-1 DS-8 CL-1 I-1 I-2 I-3 I-5: no card is lost."""
    monkeypatch.setattr(watch, "LOOK_S", 1.0)

    async def body(rig: rigs.Rig) -> Day:
        day = Day(rig)
        await day.play(HOURS)
        assert rig.machine is not None
        inside = sum(len(cards) for cards in rig.machine.cards().values())
        assert isinstance(rig.hands, SimulatedHands)
        table = rig.hands.hands.table
        faces = {back: sorted(card.face for card in cards) for back, cards in table.items()}
        assert inside == 0
        assert faces == {back: list(range(CARDS)) for back in ("red", "blue")}
        return day

    day = rigs.in_process(wanted(SEED), body)
    faults = ", ".join(f"{day.faults.count(one)} {one}" for one in sorted(set(day.faults)))
    tell(f"day: {day.rounds} rounds, faults: {faults or 'none'}, {day.changed} decks changed")
    assert day.wrong == []
    assert day.rounds * 24 >= 1500 * HOURS
    assert day.faults
    assert day.changed >= 2 * ((HOURS - 1) // LIFE_H)  # two decks, each time that both are old

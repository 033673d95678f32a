"""Every scenario at every depth that this machine has."""

from __future__ import annotations

from typing import Any, cast

import pytest

from hil_tests.catalogue import SCENARIOS
from hil_tests.scenario import Scenario, lacking, perform
from host_tools import rigs
from host_tools.evidence.drawn import drawn
from sim.tests.images import image

SEED = 5


def run(one: Scenario, depth: str) -> None:
    """One scenario on a fresh rig of a simulated depth."""
    wanted = rigs.Wanted(seed=SEED, faults=one.faults, setup=one.setup)

    async def body(rig: rigs.Rig) -> None:
        assert not lacking(one, rig)
        await perform(one, rig)

    rigs.DEPTHS[depth](wanted, body)


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_in_process(name: str) -> None:
    run(SCENARIOS[name], "in-process")


AT_THE_PINS = [name for name, one in SCENARIOS.items() if "quick" not in one.needs]
SHARE = 6


@pytest.mark.slow
@pytest.mark.proof(name="board_scenarios")
@pytest.mark.parametrize("name", drawn("board scenarios", AT_THE_PINS, SHARE))
def test_emulated(name: str) -> None:
    image("production")
    run(SCENARIOS[name], "emulated")


def at_a_board() -> list[str]:
    """Return the scenarios that a board can run which a person with two decks stands at."""
    person = cast(Any, object())
    rig = rigs.Rig("real", person, person, person)
    return [name for name, one in SCENARIOS.items() if not lacking(one, rig)]


@pytest.mark.skip(reason="no board on a serial port here; make hil PORT=... runs them at one")
@pytest.mark.parametrize("name", at_a_board())
def test_real(name: str) -> None:
    raise AssertionError(name)

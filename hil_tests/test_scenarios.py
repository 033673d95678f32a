"""Every scenario at every depth that this machine has."""

from __future__ import annotations

from typing import Any, cast

import pytest

from hil_tests.catalogue import SCENARIOS
from hil_tests.scenario import Scenario, lacking, perform
from host_tools import rigs
from host_tools.evidence.drawn import drawn, whole
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
# They play for over 80 s of the machine, which is minutes of the emulator
LONG = (
    "five_rounds_by_hand_and_the_stub_is_counted",
    "a_single_stack_is_dealt_by_nobody_but_the_dealer",
)
SHARE = 4


def at_the_pins() -> list[str]:
    """Return the scenarios that this run plays at the emulated board."""
    if whole():
        return AT_THE_PINS
    return drawn("board scenarios", [name for name in AT_THE_PINS if name not in LONG], SHARE)


@pytest.mark.slow
@pytest.mark.proof(name="board_scenarios")
@pytest.mark.parametrize("name", at_the_pins())
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

"""Every scenario at every depth that this machine has."""

from __future__ import annotations

import pytest

from hil_tests.catalogue import SCENARIOS
from hil_tests.scenario import Scenario, lacking, perform
from host_tools import rigs
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


@pytest.mark.parametrize(
    "name", [name for name, one in SCENARIOS.items() if "quick" not in one.needs]
)
def test_emulated(name: str) -> None:
    image("production")
    run(SCENARIOS[name], "emulated")


@pytest.mark.skip(reason="no board on a serial port here; make hil PORT=... runs them at one")
@pytest.mark.parametrize("name", list(SCENARIOS))
def test_real(name: str) -> None:
    raise AssertionError(name)

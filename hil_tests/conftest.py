"""What tests of the hal on the emulated board begin with."""

from __future__ import annotations

import pytest

from hil_tests.hal_bench import Bench
from sim.tests.images import image


@pytest.fixture(scope="module")
def powered() -> Bench:
    """One board for the tests of this file: each leaves it as it was."""
    image()
    return Bench()


@pytest.fixture
def bench(powered: Bench) -> Bench:
    """The board, with all axes still and their steps forgotten."""
    for axis in powered.axes.values():
        axis.clear()
    return powered

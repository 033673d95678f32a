"""All scenarios: the rooms that hold them enter them into one list."""

from __future__ import annotations

from hil_tests import disturbances, on_the_link, rounds
from hil_tests.scenario import SCENARIOS

ROOMS = (on_the_link, rounds, disturbances)

__all__ = ["ROOMS", "SCENARIOS"]

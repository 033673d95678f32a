"""All scenarios, room by room: quiet ones first, then play, then what goes wrong."""

from __future__ import annotations

from hil_tests import (
    ages,
    bad_noise,
    checkup,
    disturbances,
    games,
    guided,
    house_rules,
    on_the_link,
    plant_scenarios,
    refused,
    refused_stages,
    rounds,
    service,
    wrong_stacks,
)
from hil_tests.scenario import ENTERED

ROOMS = (
    on_the_link,
    rounds,
    house_rules,
    games,
    refused,
    refused_stages,
    ages,
    disturbances,
    guided,
    service,
    checkup,
    wrong_stacks,
    plant_scenarios,
    bad_noise,
)
SCENARIOS = {
    name: one
    for room in ROOMS
    for name, one in ENTERED.items()
    if one.run.__module__ == room.__name__
}

"""The link's measurements prove that the machine moved, and ask the others the same question."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from host_tools import measure_link, measure_others
from host_tools.link import link_pb2
from host_tools.measure_link import Latency, Timed
from sim.machine import AXES
from sim.tests.images import image


class Still:
    """A machine of two axes, of which one stands, and whoever asks it."""

    def __init__(self) -> None:
        self.axes = {name: SimpleNamespace(position=7, sync=lambda: None) for name in ("go", "no")}
        self.timed = Timed(0, 1_000_000, 1, 1)

    async def request(self, name: str, message: object) -> None:
        """While it is answered an axis moves, one time less than the other."""
        self.axes["go"].position -= 5 if name == "status" else 3


def test_an_axis_that_stands_in_one_request_is_seen() -> None:
    machine: Any = Still()
    found = Latency()

    async def ask() -> None:
        for name in ("status", "deal"):
            await measure_link.timed(machine, machine, machine, name, link_pb2.GetStatus(), found)

    asyncio.run(ask())
    assert found.steps == {"go": 3, "no": 0}


def test_every_axis_steps_in_every_request() -> None:
    image()
    steps = measure_link.latency(4).steps
    assert set(steps) == set(AXES)
    assert min(steps.values()) > 0


@pytest.mark.parametrize("resting", ["eject", "wheel"])
def test_an_axis_that_rests_on_the_board_is_seen(
    resting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    image()
    moves = "axis.stepper.run("
    assert moves in measure_link.MOVING
    number = ("pick", "feed", "eject", "deal", "wheel").index(resting)
    kept = f"        if axis is not (machine.motors.rollers + (machine.wheel.axis,))[{number}]:\n"
    source = measure_link.MOVING.replace("        " + moves, kept + "            " + moves)
    monkeypatch.setattr(measure_link, "MOVING", source)
    steps = measure_link.latency(4).steps
    assert [name for name, least in steps.items() if not least] == [resting]


def test_the_prompt_tells_the_status_and_takes_its_time() -> None:
    image()
    asked = measure_others.status_at_prompt()
    assert asked.sent < asked.heard
    assert 0 < asked.after_ns < asked.took_ns
    assert asked.after_ms > measure_others.raw_prompt().after_ms > 0

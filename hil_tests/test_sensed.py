"""Sense before and after every actuation: what is read, and that the test sees when it is not."""

from __future__ import annotations

import inspect
import sys
import textwrap
from typing import Any

import pytest
from dovetail.stations.ejector import Ejector  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.feeder import Feeder  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.shoe import Shoe  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.wheel import Wheel  # pyright: ignore[reportUnknownVariableType]

from hil_tests.bench import Bench
from hil_tests.sensed import Call, Reading, Trace, unsensed
from hil_tests.test_planted import on
from sim.inprocess import InProcess


def played() -> set[tuple[str, str, Reading]]:
    """What was not read while a deck was shuffled and a round dealt; homing apart."""
    rig = InProcess(4)
    trace = Trace(rig)
    calls: list[Call] = []

    async def story(bench: Bench) -> None:
        back = await bench.shuffle("red")
        # the wheel has found its home, the first card lies staged
        while not rig.machine.infeed.path or rig.machine.wheel.count() < 1:
            await bench.step(bench.client.status())
        trace.calls.clear()
        await bench.step(bench.heard.wait("ready", 0, 120.0))
        assert back == "red"
        await bench.whole_round()
        calls.extend(trace.calls)

    on(rig, story)
    return unsensed(calls)


def test_sensors_are_read_before_and_after_every_move() -> None:
    assert played() == set()


def changed(owner: type, name: str, text: str, instead: str) -> Any:
    """A method with one of its checks taken out, made of its own source."""
    source = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    assert source.count(text) == 1, f"{owner.__name__}.{name} has no {text!r}"
    names = dict(vars(sys.modules[owner.__module__]))
    exec(source.replace(text, instead), names)
    return names[name]


# The method, the check that is taken out of it and what stands there then, and what is missed.
CHECKS: dict[str, tuple[type, str, str, str, tuple[str, str, Reading]]] = {
    "the entry beam before the pick": (
        Feeder,
        "follow",
        " and not self.entry.dark()",
        "",
        ("pick", "before", ("entry", "dark")),
    ),
    "the count beam before the feed": (
        Feeder,
        "lean",
        "self._present()",
        "pass",
        ("feed", "before", ("count", "dark")),
    ),
    "the count beam after the feed": (
        Feeder,
        "seated",
        "self._gone()",
        "pass",
        ("feed", "after", ("count", "edges")),
    ),
    "the marks before the wheel": (
        Wheel,
        "start",
        "self._prove()",
        "pass",
        ("wheel", "before", ("tick", "dark")),
    ),
    "the marks after the wheel": (
        Wheel,
        "arrive",
        "self._prove()",
        "pass",
        ("wheel", "after", ("tick", "dark")),
    ),
    "the index after the wheel": (
        Wheel,
        "arrive",
        "self._index()",
        "pass",
        ("wheel", "after", ("home", "edges")),
    ),
    "the exit beam before the ejector": (
        Ejector,
        "stroke",
        "self.exit.dark()",
        "False",
        ("eject", "before", ("exit", "dark")),
    ),
    "the crank before the ejector": (
        Ejector,
        "_turn",
        "if not self.at_rest():\n        raise Fault(ROD_LOST)\n    self.axis",
        "self.axis",
        ("eject", "before", ("crank", "level")),
    ),
    "the crank after the ejector": (
        Ejector,
        "_turn",
        "finish()\n    if not self.at_rest():",
        "finish()\n    if False:",
        ("eject", "after", ("crank", "level")),
    ),
    "the exit beam after the ejector": (
        Ejector,
        "out_card",
        "if beam.dark():",
        "if False:",
        ("eject", "after", ("exit", "dark")),
    ),
    "the deal beam before the deal roller": (
        Shoe,
        "deal_card",
        "if beam.dark():\n        raise Fault(DEAL_BLOCKED)",
        "pass",
        ("deal", "before", ("deal", "dark")),
    ),
    "the thickness after the deal roller": (
        Shoe,
        "_measure",
        'self.hal.level("thickness_out")',
        "1000",
        ("deal", "after", ("thickness_out", "level")),
    ),
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_that_is_taken_out_is_missed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, method, text, instead, missed = CHECKS[name]
    monkeypatch.setattr(owner, method, changed(owner, method, text, instead))
    assert missed in played()

"""How far a beam may drift: told as marginal, as dirty, and only then does it fail."""

from __future__ import annotations

import pytest
from dovetail.calibration import SENSORS  # pyright: ignore[reportUnknownVariableType]

from boards import mechanics as M
from hil_tests.bench import Bench
from hil_tests.test_planted import on
from host_tools.link import link_pb2
from host_tools.link.errors import Faulted, Refused
from sim.inprocess import InProcess
from sim.points import BEAMS

SEED = 5
ROOM = M.BEAM_FREE - M.BEAM_MIN  # as much as from the threshold to a blocked beam
STEP = ROOM // 10  # a deck
# What docs/hardware.md says: hundredths of the room.
MARGINAL, DIRTY = 40, 70
STATION = {"entry": "feeder", "count": "feeder", "exit": "ejector", "deal": "shoe"}


def told_at(name: str, way: int) -> dict[str, int]:
    """Hundredths of the room at which each word came, and at which a station stopped."""
    whole = InProcess(SEED)
    beam = whole.machine.beams[name]
    at: dict[str, int] = {}

    async def story(bench: Bench) -> None:
        for n in range(1, 14):
            beam.drift(way * n * STEP)
            since = len(bench.heard.events)
            try:
                await bench.ready()
                await bench.whole_round()
            except Faulted as error:
                at[error.event.fault.station] = 10 * n
            for event in bench.heard.all("sensor", since):
                assert event.sensor.name == name
                at.setdefault(link_pb2.Quality.Name(event.sensor.quality), 10 * n)
            if STATION[name] in at:
                return

    on(whole, story)
    return at


def test_the_beams_are_the_sensors_that_are_calibrated() -> None:
    assert [row[0] for row in SENSORS[:4]] == list(BEAMS)
    assert ROOM == M.BEAM_MIN - M.BEAM_DARK


@pytest.mark.parametrize("name", BEAMS)
def test_dust(name: str) -> None:
    """It takes light away from a beam that is free."""
    at = told_at(name, -1)
    assert at["MARGINAL"] == MARGINAL + 10
    assert at["DIRTY"] == DIRTY + 10
    assert 90 <= at[STATION[name]] <= 110  # by the traits of this board


@pytest.mark.parametrize("name", BEAMS)
def test_ambient_light(name: str) -> None:
    """It shows with a card in the beam; a free one is soon as bright as can be read."""
    at = told_at(name, 1)
    assert at["MARGINAL"] == MARGINAL + 10
    assert 90 <= at[STATION[name]] <= 120
    if name == "exit":  # nobody stands still there with a card: it is told once, and long before
        assert "DIRTY" not in at
    else:
        assert at["DIRTY"] == DIRTY + 10


SEEN_ROOM, ABSENT_ROOM = M.SEEN - M.PRESENT, M.PRESENT - M.ABSENT


@pytest.mark.parametrize(
    ("name", "card", "ended"),
    [
        ("infeed", True, "the infeed is empty"),
        ("infeed", False, 112),
        ("shoe", True, 410),
        ("shoe", False, 411),  # before the next deck falls there
        ("tray", True, 502),
        ("tray", False, "cards lie in the tray"),
    ],
)
def test_a_sensor_that_sees_cards_less_and_less(name: str, card: bool, ended: int | str) -> None:
    """Told as marginal, as dirty; when it fails as the sensor's fault, or nothing is begun."""
    whole = InProcess(SEED)
    traits = whole.machine.levels.traits
    reads, way = (traits.seen, -1) if card else (traits.absent, 1)
    first, step = reads[name], (SEEN_ROOM if card else ABSENT_ROOM) // 10
    at: dict[str, int] = {}
    found: list[int | str] = []

    async def story(bench: Bench) -> None:
        for n in range(1, 14):
            reads[name] = first + way * n * step
            since = len(bench.heard.events)
            try:
                await bench.ready()
                await bench.whole_round()
            except Faulted as error:
                found.append(error.event.fault.fault)
            except Refused as error:
                found.append(error.text)
            for event in bench.heard.all("sensor", since):
                assert event.sensor.name == name
                at.setdefault(link_pb2.Quality.Name(event.sensor.quality), 10 * n)
            if found:
                return

    on(whole, story)
    assert at["MARGINAL"] == MARGINAL + 10
    assert at["DIRTY"] == DIRTY + 10
    assert found == [ended]

"""A deck is dealt while the wheel takes the other: what is wrong with either is told in time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from unittest import mock

import pytest
from dovetail import start  # pyright: ignore[reportUnknownVariableType]: device code
from dovetail.lanes import filling

from boards import mechanics as M
from host_tools.campaign.draw import BOTH, FILLING, Trouble
from host_tools.campaign.met import REPORT_MS, Met
from host_tools.campaign.player import Player
from host_tools.campaign.sessions import Standing
from host_tools.evidence.drawn import drawn

SEED = 5
NOTE_S = 0.005
LOST_STEPS = 203
# the longest turn of the wheel, half a revolution: it is proved at its end
TURN_MS = 2000 * (M.WHEEL_STEPS_REV / 2 / M.AXES["wheel"][1]) ** 0.5
BEFORE_MS = 200  # the round begins so long after the wheel's work
STEP_MS = 37  # or a little later, each time
# the card that the plant meets, and how much later the round begins
MOMENTS = [(at, later_ms) for at in range(3, 24) for later_ms in (0, 300, 600)]
SHARE = 21
PLANTS = (
    ("infeed.double_feed", 103),
    ("infeed.stuck", 101),
    ("infeed.misfeed", 101),
    ("card.face_up", 108),
    ("path.jam_at:count", 102),
)


@pytest.mark.proof(name="two_lanes")
@pytest.mark.parametrize(("plant", "number"), PLANTS)
def test_it_is_told_whatever_the_shoe_does(plant: str, number: int) -> None:
    """The wheel's lane rests for the end of a stack, with a card staged that nobody has judged."""
    for met in each(plant, drawn(f"two lanes, {plant}", MOMENTS, SHARE)):
        assert met.report_ms is not None
        assert met.report_ms < REPORT_MS
        assert met.fault == number or (met.outcome, plant) == ("recovered", "infeed.misfeed")


def test_a_beam_that_is_covered_before_the_next_card_is_told() -> None:
    """It keeps the card from being picked, and so none lies staged while the wheel's lane rests."""
    standing, met = Standing(SEED), list[Met]()
    for begin_ms in range(3000, 4000, 25):
        met.append(standing.meet(Trouble(BOTH, (("entry.covered", 243),), begin_ms=begin_ms)))
    assert standing.end() == []
    assert [one.against for one in met] == [[]] * len(met)
    assert {one.fault for one in met} == {106}


def each(plant: str, moments: Sequence[tuple[int, int]]) -> Iterator[Met]:
    """The plant at one card after another, the round begun at other times with each."""
    standing = Standing(SEED)
    for at, later_ms in moments:
        begin_ms = BEFORE_MS + (at * STEP_MS + later_ms) % 1000
        met = standing.meet(Trouble(BOTH, ((plant, at),), begin_ms=begin_ms))
        assert met.wrong == []
        yield met
    assert standing.end() == []


def test_what_waits_at_the_gate_unjudged_is_found() -> None:
    """The judge counts from the stand of the rollers, whatever moves afterwards."""
    with mock.patch.object(filling._Filling, "wrong", return_value=False):  # pyright: ignore[reportPrivateUsage]
        late = (met.report_ms or 0.0 for met in each("infeed.double_feed", MOMENTS))
        assert any(ms > REPORT_MS for ms in late)


async def notes() -> None:
    """Something waits to be written all the time."""
    while True:
        start.machine.note("alive", {"free": 0})  # pyright: ignore[reportUnknownMemberType]
        await asyncio.sleep(NOTE_S)


async def noted(player: Player, plant: str, at: int) -> float:
    """A trouble in a shuffle, records waiting; how many milliseconds later its first word came."""
    player.judge.told_ns = 0
    writing = asyncio.create_task(notes())
    await player.shuffle(Trouble(FILLING, ((plant, at),)))
    writing.cancel()
    await player.empty()
    assert player.table.heard.all("trying")[-1].trying.fault == LOST_STEPS
    return (player.judge.told_ns - player.machine.faults.struck[-1].ns) / 1e6


def test_what_is_tried_is_told_before_what_waits_is_written() -> None:
    """Flash is written when no card is between two gates, and that is only after the trouble."""
    standing = Standing(SEED)
    late = [standing.run(noted(standing.player, "wheel.slip", at)) for at in (170, 290, 410)]
    assert max(late) < TURN_MS + REPORT_MS / 10
    assert standing.end() == []

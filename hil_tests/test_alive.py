"""The watchdog is fed as long as every lane that works lives; drivers do not stay on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from dovetail.stations.feeder import Feeder  # pyright: ignore[reportUnknownVariableType]
from dovetail.stations.tray import Tray  # pyright: ignore[reportUnknownVariableType]

from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import LinkError
from host_tools.link.keys import of_seed
from sim.inprocess import InProcess
from sim.loop import run

WATCHDOG_S = 2.0  # firmware/main.py


def lived(
    story: Callable[[InProcess, Client], Awaitable[None]], rest_s: float
) -> tuple[InProcess, list[float]]:
    """Play this, then wait so long; when the watchdog was fed."""
    rig = InProcess(1)
    fed: list[float] = []
    rig.hal.feed = lambda: fed.append(rig.world.now_ns() / 1e9)  # type: ignore[method-assign]

    async def play() -> None:
        firmware = asyncio.create_task(rig.start())
        client = bench_client(rig.transport, keys=of_seed(1), provision=True)
        await client.hello()
        await story(rig, client)
        await asyncio.sleep(rest_s)
        fed.append(rig.world.now_ns() / 1e9)
        firmware.cancel()

    run(rig.world, play())
    return rig, fed


async def shuffled(rig: InProcess, client: Client) -> None:
    rig.hands.load("red")
    await client.load(link_pb2.RED)
    await client.shuffle(link_pb2.RED)
    await client.wait_for("ready", timeout_s=60)


async def ordered(rig: InProcess, client: Client) -> None:
    rig.hands.load("red")
    await client.load(link_pb2.RED)
    await client.shuffle(link_pb2.RED)


async def dealt(rig: InProcess, client: Client) -> None:
    await shuffled(rig, client)
    await client.open_round(1, 2)
    await client.no_more_bets(1)
    await client.deal(1, 1)
    await client.wait_for("stack", timeout_s=10)


def longest(fed: list[float]) -> float:
    """The longest time between two feeds."""
    return max(b - a for a, b in pairwise(fed))


def test_it_is_fed_at_work_and_while_a_stack_waits_for_a_hand() -> None:
    _, fed = lived(dealt, 20)
    assert longest(fed) < WATCHDOG_S / 2


async def jogged(rig: InProcess, client: Client) -> None:
    """The longest that service may order."""
    await client.leave()
    await asyncio.sleep(6)
    service = bench_client(rig.transport, keys=of_seed(1), role=link_pb2.ROLE_SERVICE)
    await service.hello()
    slowest = link_pb2.Jog(axis="wheel", steps=5000, slow_us=4000)
    await service.request("jog", slowest)
    assert (await service.wait_for("jogged", timeout_s=25)).jogged.steps == 5000
    await service.leave()


def test_it_is_fed_while_service_moves_an_axis_for_long() -> None:
    _, fed = lived(jogged, 0)
    assert longest(fed) < WATCHDOG_S / 2


async def _never(*_: object) -> None:
    await asyncio.get_running_loop().create_future()


@pytest.mark.parametrize(
    ("owner", "step", "story"),
    [(Feeder, "seated", ordered), (Feeder, "rest", ordered), (Tray, "arrived", dealt)],
)
def test_a_lane_that_hangs_is_not_fed_for(
    owner: type,
    step: str,
    story: Callable[[InProcess, Client], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, step, _never)
    _, fed = lived(story, 10)
    assert longest(fed) > WATCHDOG_S


def test_a_line_that_takes_nothing_is_not_fed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The link lives too: an answer that never leaves hangs it."""

    async def story(rig: InProcess, client: Client) -> None:
        monkeypatch.setattr(rig.hal.uart, "write", _never)
        with pytest.raises(LinkError):
            await client.status()

    _, fed = lived(story, 10)
    assert longest(fed) > WATCHDOG_S


def test_the_drivers_go_off_a_minute_after_the_last_work() -> None:
    rig, _ = lived(shuffled, 50)
    assert rig.machine.enabled
    rig, _ = lived(shuffled, 70)
    assert not rig.machine.enabled


def test_work_goes_on_after_the_drivers_were_off() -> None:
    async def story(rig: InProcess, client: Client) -> None:
        await shuffled(rig, client)
        await asyncio.sleep(70)
        rig.machine.wheel.start += 37  # somebody has turned the wheel by hand
        rig.machine.wheel.moved()
        await client.open_round(1, 2)
        await client.no_more_bets(1)
        await client.deal(1, 1)
        await client.wait_for("stack", timeout_s=10)
        rig.hands.load("blue")
        await client.load(link_pb2.BLUE)
        await client.shuffle(link_pb2.BLUE)
        await client.wait_for("shuffle_done", timeout_s=60)

    rig, _ = lived(story, 0)
    assert rig.machine.wheel.count() == 52

"""The firmware on CPython in the simulated machine: what is delivered, and that a run repeats."""

import asyncio
import hashlib

import pytest

from host_tools.link.client import bench_client
from host_tools.link.keys import of_seed
from host_tools.link.link_pb2 import RED
from sim.inprocess import InProcess
from sim.loop import run


def _one_deck(seed: int, cards: int = 52) -> tuple[InProcess, list[str]]:
    """Shuffle a deck into the shoe; the machine and the events as text."""
    rig = InProcess(seed, cards=cards)
    log: list[str] = []

    async def play() -> None:
        firmware = asyncio.create_task(rig.start())
        client = bench_client(rig.transport, keys=of_seed(seed), provision=True)
        await client.hello()
        rig.hands.load("red")
        await client.load(RED)
        await client.shuffle(RED)
        event = await client.wait_for("ready", "fault", timeout_s=60)
        log.append(f"{rig.world.now_ns()} {event}")
        firmware.cancel()

    run(rig.world, play())
    return rig, log


def _shoe(rig: InProcess) -> list[int]:
    return [card.face for card in rig.machine.cards()["shoe"]]


def test_the_same_seed_gives_the_same_run() -> None:
    def digest(seed: int) -> str:
        rig, log = _one_deck(seed)
        return hashlib.sha256(f"{log} {_shoe(rig)}".encode()).hexdigest()

    assert digest(7) == digest(7)
    assert digest(7) != digest(8)


def test_the_order_in_the_shoe_is_the_order_of_the_slots() -> None:
    rig, log = _one_deck(3)
    assert "52 of 52" in log[0]
    seated = rig.machine.wheel.seated
    assert sorted(seated) == list(range(52))
    # the top card of the infeed, the last face, went to the first slot drawn
    expected = [0] * 52
    for i, slot in enumerate(seated):
        expected[slot] = 51 - i
    assert _shoe(rig) == expected
    assert rig.machine.wheel.torn == rig.machine.infeed.crashed == 0


@pytest.mark.parametrize("cards", [51, 53])
def test_a_deck_of_the_wrong_size_is_never_ready(cards: int) -> None:
    _, log = _one_deck(5, cards)
    assert "wrong number of cards" in log[0]
    assert "fault: 601" in log[0]

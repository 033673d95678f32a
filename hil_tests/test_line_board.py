"""Breaks on the line, and more than can be taken in, at the image itself."""

from __future__ import annotations

from random import Random

from hil_tests.test_link_board import SOURCE
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.keys import of_seed
from host_tools.measure_link import Tapped, in_time, prompted
from sim.emulated.board import EmulatedBoard
from sim.tests.images import image

RATES = (115_200, 921_600)
FLOOD = 40_000  # bytes without a pause: many times what the board has room for


async def _ready(board: EmulatedBoard, baud: int) -> tuple[Client, link_pb2.Status]:
    client = bench_client(
        Tapped(board), keys=of_seed(1), provision=True, nonce=bytes(16), timeout_s=0.3, tries=20
    )
    await client.hello()
    if baud != RATES[0]:
        await client.set_baud(baud)
    return client, await client.status()


async def _unchanged(client: Client, before: link_pb2.Status) -> int:
    """The next good request is answered, nothing has changed; how many frames were dropped."""
    after = await client.status()
    assert after.digest == before.digest
    assert after.next_event == before.next_event
    return after.bad_frames - before.bad_frames


async def _breaks(board: EmulatedBoard, baud: int) -> None:
    client, before = await _ready(board, baud)
    for count in (1, 50):  # between two frames: nothing is lost
        for _ in range(count):
            board.line.hold_low()
        assert await _unchanged(client, before) == 0
    order = b"\0\x10" + bytes(range(1, 16)) + b"\x0b" + bytes(range(31, 41)) + b"\0"
    for at in range(1, len(order) - 1):  # inside of one: what it covers is lost
        board.line.write(order[:at])
        board.line.hold_low()
        board.line.write(order[at + 1 :])
    dropped = await _unchanged(client, before)
    assert dropped == len(order) - 2
    await client.leave()


async def _flood(board: EmulatedBoard, baud: int) -> None:
    client, before = await _ready(board, baud)
    dice = Random(5)
    board.line.write(dice.randbytes(FLOOD))
    while board.line.waiting():
        board.advance(board.now_ns() + 1_000_000)
    board.line.write(b"\0")
    assert await _unchanged(client, before) > FLOOD // 2000
    await client.leave()


def test_breaks_are_nothing_or_cost_one_frame() -> None:
    image()
    for baud in RATES:
        board, _ = prompted(SOURCE)
        in_time(board, _breaks(board, baud))


def test_a_flood_costs_nothing_but_itself() -> None:
    image()
    for baud in RATES:
        board, _ = prompted(SOURCE)
        in_time(board, _flood(board, baud))

"""Random and mutated frames at the flashed image's own link, at 921,600 baud.

`make prove` sends 20,000 of them, `make test` a share that is another one for each commit. After
every batch the rightful controller is answered, and nothing has changed. In the end the board
itself is asked at its prompt: no exception escaped, and it took part of every kind.
"""

from __future__ import annotations

import ast
from typing import Any

import pytest

from host_tools.build.told import Tell
from host_tools.evidence.drawn import amount, seed
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.keys import of_seed
from host_tools.measure_link import in_time, prompted
from host_tools.tests.link_mutate import STRANGER, Mutator
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import INTERRUPT, RawError, RawPrompt
from sim.tests.images import image

FRAMES = amount(20_000, 2_000)
BAUD = 921_600
ROOM = 1400  # bytes at once: what the board's buffer holds
HEARD = 40  # frames of the session that a stranger remembers
LATE_S = 5.0

# The image's own machine, and a name for its link.
SOURCE = """
import asyncio, board, mechanics
from dovetail import start
from dovetail.hal.rp2 import Hal
kept = []
Link = start.Link
def named(*given):
    kept.append(Link(*given))
    return kept[0]
start.Link = named
image = {"board": "bench", "variant": "bench", "image": "bench"}
asyncio.run(start.serve(Hal(board, mechanics), image))
"""
LOOK = "l = kept[0]; print([l.failures, str(l.failure), l.receiver.bad, l.uart.baud])"


class Ear:
    """The line, and what a stranger hears on it."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.heard: list[bytes] = []
        self._line = board.line
        self._coming = b""
        self.on_bytes: Any = None
        self.on_lost: Any = None
        board.line.on_bytes = self._received

    def write(self, data: bytes) -> None:
        """The controller's."""
        if len(self.heard) < HEARD:
            self.heard.append(data)
        self._line.write(data)

    def inject(self, data: bytes) -> None:
        """The stranger's."""
        self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """The controller's."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """The line stays."""

    def _received(self, data: bytes) -> None:
        if len(self.heard) < HEARD:
            self._coming += data
            *whole, self._coming = self._coming.split(b"\0")
            self.heard += [b"\0" + one + b"\0" for one in whole if one]
        self.on_bytes(data)


def batches(mutator: Mutator, frames: int) -> list[tuple[int, bytes]]:
    """Frames of every kind in turn, as many at once as the board has room for."""
    kinds = list(STRANGER.values())
    found: list[tuple[int, bytes]] = []
    count, data = 0, b""
    for n in range(frames):
        one = kinds[n % len(kinds)](mutator)
        if len(data) + len(one) > ROOM:
            found.append((count, data + b"\0"))
            count, data = 0, b""
        count, data = count + 1, data + one
    found.append((count, data + b"\0"))
    return found


async def attack(board: EmulatedBoard, frames: int) -> int:
    """All frames; how many there were."""
    ear = Ear(board)
    client = bench_client(
        ear, keys=of_seed(1), provision=True, nonce=bytes(16), timeout_s=0.3, tries=20
    )
    identity = await client.hello()
    await client.set_baud(BAUD)
    await client.status()
    before = await client.status()
    sent = 0
    for count, data in batches(Mutator(seed("board frames"), b"dovetail", ear.heard), frames):
        ear.inject(data)
        sent += count
        beat = (await client.request("heartbeat", link_pb2.Heartbeat(digest=before.digest))).beat
        assert not beat.HasField("status"), "a stranger has changed something"
        assert beat.next_event == before.next_event
        assert beat.uptime_ms >= before.uptime_ms, "it has restarted"
    after = await client.status()
    assert after.bad_frames > sent // 2, "the frames did not come there"
    assert after.session == link_pb2.ROLE_TABLE
    for status in (before, after):
        for volatile in ("uptime_ms", "free_heap", "bad_frames"):
            status.ClearField(volatile)
    assert after == before
    await client.leave()
    assert (await client_after(ear).hello()).boots == identity.boots
    return sent


def client_after(ear: Ear) -> Client:
    """Another controller, when all is over."""
    return bench_client(ear, nonce=b"y" * 16)


def look(prompt: RawPrompt, board: EmulatedBoard) -> list[Any]:
    """What the board says of its link, when its program is interrupted."""
    board.prompt.write(INTERRUPT)
    with pytest.raises(RawError, match="KeyboardInterrupt"):
        prompt.result()
    found: list[Any] = ast.literal_eval(prompt.run(LOOK))
    return found


@pytest.mark.spends(3600)
@pytest.mark.proof(name="board_frames")
def test_frames_at_the_image_itself(tell: Tell) -> None:
    image()
    board, prompt = prompted(SOURCE)
    sent = in_time(board, attack(board, FRAMES))
    assert sent == FRAMES
    tell(f"link, emulated: {sent} frames of a stranger")
    failures, failure, bad, _ = look(prompt, board)
    assert (failures, failure) == (0, "None")
    overrun, cut, short, wrong_crc, unknown, wrong_tag, old = bad
    assert min(overrun, cut, short, wrong_crc, unknown, wrong_tag, old) > 0, bad

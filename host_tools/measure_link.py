"""Measurements of the table link on the emulated board's bench image, in the board's own time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

from dovetail.journal.journal import Journal  # pyright: ignore[reportUnknownVariableType]
from google.protobuf.message import Message

from boards.shuffler_rp2040 import board as pins
from hil_tests.hal_bench import Bench
from host_tools import rigs
from host_tools.build.tell import ROOT
from host_tools.journal.source import Reader, part
from host_tools.link import link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from host_tools.link.transport import BAUD
from sim.block import Block
from sim.emulated.board import STORAGE_AT, UNIQUE_ID, EmulatedBoard
from sim.emulated.raw import RawPrompt
from sim.emulated.wiring import Board
from sim.line import wire_ns
from sim.loop import run
from sim.machine import Machine

T = TypeVar("T")

REQUESTS = 600
PAUSE_S = 0.02  # at most, between an answer and the next request
WARM_S = 3.0  # until the machine has started and all axes are at full speed

# The image's own machine and link, and beside them somebody who keeps all axes at full speed.
MOVING = """
import asyncio, board, mechanics
from dovetail import start
from dovetail.hal.rp2 import Hal
hal = Hal(board, mechanics)
async def move():
    await asyncio.sleep(2)
    machine = start.machine
    hal.enable(True)
    for axis in machine.motors.rollers + (machine.wheel.axis,):
        up = axis.up
        axis.stepper.run(0, len(up), {seconds} * 1000000 // up[-1], up[-1])
async def main():
    image = {{"board": "bench", "variant": "bench", "image": "bench"}}
    await asyncio.gather(start.serve(hal, image), move())
asyncio.run(main())
"""
SECONDS = 120
DOWNLOADS = ((BAUD, 6), (921_600, 24))  # baud, segments of the journal


@dataclass
class Timed:
    """The line's two ends: bytes of one exchange, and when it began and ended."""

    began_ns: int = 0
    ended_ns: int = 0
    sent: int = 0
    heard: int = 0

    def beyond_ms(self, baud: int) -> float:
        """What the exchange took beside its bytes' time on the wire."""
        return (self.ended_ns - self.began_ns - wire_ns(self.sent + self.heard, baud)) / 1e6


class Tapped:
    """The board's line as a transport, with a look at every exchange."""

    def __init__(self, board: EmulatedBoard) -> None:
        self._line = board.line
        self._now_ns = board.now_ns
        self.timed = Timed()
        self.on_lost: Callable[[str], None] = board.line.on_lost
        self.on_bytes: Callable[[bytes], None] = board.line.on_bytes
        self._line.on_bytes = self._heard

    def write(self, data: bytes) -> None:
        """The controller's."""
        self.timed = Timed(self._now_ns(), self._now_ns(), len(data))
        self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """The controller's."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """The controller's."""
        self._line.close()

    def _heard(self, data: bytes) -> None:
        self.timed.heard += len(data)
        self.timed.ended_ns = self._now_ns()
        self.on_bytes(data)


@dataclass
class Latency:
    """Milliseconds beyond the wire, of each kind of request."""

    rows: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    bytes: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    # Of each axis of the simulated machine: the fewest steps that it made in any one exchange.
    steps: dict[str, int] = field(default_factory=dict[str, int])

    def all_ms(self) -> list[float]:
        """Every one, sorted."""
        return sorted(ms for row in self.rows.values() for ms in row)


def prompted(source: str) -> tuple[EmulatedBoard, RawPrompt]:
    """A board with the simulated machine at its pins, that runs this source; its prompt."""
    board, _ = wired()
    prompt = RawPrompt(board)
    prompt.start(source)
    return board, prompt


def wired() -> tuple[EmulatedBoard, Machine]:
    """A powered board, and the simulated machine at its pins."""
    board = EmulatedBoard(rigs.image_path("bench"), cast(Board, pins), seed=1)
    machine = Machine(board, 1)
    board.wire(machine)
    board.power_on()
    return board, machine


def in_time(board: EmulatedBoard, body: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine while the board runs."""
    return run(board, body)


def positions(machine: Machine) -> dict[str, int]:
    """Where every axis of the simulated machine stands, in steps."""
    for axis in machine.axes.values():
        axis.sync()
    return {name: axis.position for name, axis in machine.axes.items()}


async def timed(
    client: Client, line: Tapped, machine: Machine, name: str, message: Message, to: Latency
) -> None:
    """One request: how long it took, and how far every axis came meanwhile."""
    before = positions(machine)
    with suppress(Refused):
        await client.request(name, message)
    for axis, position in positions(machine).items():
        steps = abs(position - before[axis])
        to.steps[axis] = min(to.steps.get(axis, steps), steps)
    took = line.timed
    to.rows.setdefault(name, []).append(took.beyond_ms(BAUD))
    to.bytes[name] = (took.sent, took.heard)


def latency(requests: int = REQUESTS) -> Latency:
    """Of requests in a session while all five axes are at full speed."""
    board, machine = wired()
    RawPrompt(board).start(MOVING.format(seconds=SECONDS))
    found = Latency()
    random = Random(5)

    async def body() -> None:
        line = Tapped(board)
        client = bench_client(line, keys=of_seed(1), provision=True, nonce=bytes(16))
        await client.hello()
        await asyncio.sleep(WARM_S)
        digest = (await client.status()).digest
        order: list[tuple[str, Message]] = [
            ("heartbeat", link_pb2.Heartbeat(digest=digest)),
            ("status", link_pb2.GetStatus()),
            ("deal", link_pb2.Deal(round=1, position=1)),
            ("acknowledge", link_pb2.Acknowledge(number=1)),
        ]
        for n in range(requests):
            await timed(client, line, machine, *order[n % len(order)], found)
            await asyncio.sleep(random.uniform(0, PAUSE_S))
        await client.close()

    in_time(board, body())
    return found


def records(segments: int) -> bytes:
    """The beginning of a store whose journal has so many full segments."""
    block = Block(pins.JOURNAL_BYTES)
    journal: Any = Journal(block, UNIQUE_ID)
    while journal.segment <= segments:
        if not journal.room():
            journal.prepare()
        journal.put("alive", {"free": 1}, 1)
        journal.flush()
    return bytes(block.cells[: (segments + 8) * Block.SECTOR])


def download(baud: int, segments: int) -> float:
    """Bytes of a journal that came, as a share of all that the line could have carried."""
    board = powered(rigs.image_path("bench"), records(segments))

    async def body() -> float:
        giver = bench_client(board.line, keys=of_seed(1), provision=True, nonce=bytes(16))
        await giver.hello()
        await giver.leave()
        role = link_pb2.ROLE_AUDIT
        client = bench_client(
            board.line, keys=of_seed(1), role=role, nonce=b"a" * 16, timeout_s=2.0
        )
        await client.hello()
        await client.set_baud(baud)
        first = await part(client, 0, 0)
        assert first.newest - first.oldest >= segments, first
        reader = Reader.of(client)
        began_ns = board.now_ns()
        await reader.whole(range(first.oldest, first.oldest + segments), len(first.data))
        took_s = (board.now_ns() - began_ns) / 1e9
        count = sum(len(raw) for raw in reader.raw.values())
        assert count == segments * Block.SECTOR
        await client.close()
        return count * 10 / baud / took_s

    return in_time(board, body())


def powered(image: Path, store: bytes) -> EmulatedBoard:
    """A board with the simulated machine at its pins, and this at the beginning of its store."""
    board = EmulatedBoard(image, cast(Board, pins), seed=1)
    board.wire(Machine(board, 1))
    board.chip.flash()[STORAGE_AT : STORAGE_AT + len(store)] = store
    board.power_on()
    return board


# The link's own server, a controller at the end of a line that is no wire: a session is open and
# another asked for, 32 events wait, four of the longest answers are remembered, program flash is
# being proved, half a frame has come. At the end the server waits at the real UART.
HEAP = """
import gc, heap
from dovetail import clock, faults
from dovetail.hal import rp2_uart, wire
from dovetail.table import decks, layout
class Line:
    baud = 115200
    coming = b""
    def take(self, buf):
        n = min(len(self.coming), len(buf))
        buf[:n] = self.coming[:n]
        self.coming = self.coming[n:]
        return n
    def waits(self):
        return len(self.coming) > 0
    async def read(self, buf):
        while feeding and not self.coming:
            await asyncio.sleep_ms(1)
        return self.take(buf) if self.coming else await hal.uart.read(buf)
    async def write(self, buf, n):
        pass
class Guard:
    program_size = 1 << 20
    def key(self, role): return secret
    def fresh(self): return secret
    def hinder(self, role): return None
    def began(self, role): pass
    async def settled(self): return True
    def recorded(self): return 0
def handle(name, fields):
    return {"outcome": 2, "rule": "R" * 15, "text": "t" * 200}
def now(): return 1
def send(name, fields, key=None):
    global counter
    counter += 1
    body = codec.encode(schema.Request, {"id": counter, name: fields})
    line.coming = bytes(out[: frame.encode(frame.REQUEST, counter, body, out, key)])
secret, out, line, guard, tasks = bytes(32), bytearray(543), Line(), Guard(), []
guard.program = hal.program
counter, feeding = 0, True
codec = frame = schema = Link = link = None
gc.collect()
before, lay = heap.free(), heap.room()[0]
from dovetail.link import codec, frame, schema
from dovetail.link.server import Link
link = Link(line, handle, guard, {}, now)
gc.collect()
at_rest, lasting = before - heap.free(), heap.room()[0] - lay
async def fill():
    global feeding
    tasks.append(asyncio.create_task(link.run()))
    send("hello", {"version": 1, "nonce": bytes(16), "role": 2})
    await asyncio.sleep_ms(50)
    key = link.sessions.asked.key
    for _ in range(4):
        send("shuffle", {}, key)
        await asyncio.sleep_ms(50)
    send("verify", {"challenge": bytes(32)}, key)
    await asyncio.sleep_ms(50)
    send("hello", {"version": 1, "nonce": b"n" * 16, "role": 1})
    await asyncio.sleep_ms(50)
    for n in range(40):
        link.event("stack", {"round": 70000 + n, "position": 2, "ordered": 3, "delivered": 3})
    link.event("progress", {"back": 1, "in_wheel": 50})
    link.events.mute(True)
    line.coming = bytes(out[:20])
    await asyncio.sleep_ms(50)
    feeding = False
    await asyncio.sleep_ms(50)
    gc.collect()
    return before - heap.free()
full = asyncio.run(fill())
answered, asked = link.sessions.open.answered, link.sessions.asked.role
kept = link.events.count, answered, asked, link.done > 0, link.failures
print([at_rest, full, lasting, heap.room()[2], kept])
"""
# What comes in: noise, frames that are none, and good ones that somebody else takes care of.
RECEIVE = """
from dovetail.link import frame
import gc, heap
receiver = frame.Receiver(frame.REQUEST)
out = bytearray(frame.MAX_FRAME)
n = frame.encode(frame.REQUEST, 1, bytes(range(200)), out)
wire = bytearray(out[:n]) + bytes(range(255, 0, -1)) * 4 + bytes(3) + bytearray(out[:n])
wire[-20] ^= 1
gc.collect()
gc.disable()
def feed():
    at = 0
    while at < len(wire):
        at = receiver.feed(wire, at, len(wire))
feed()
before = heap.free()
for _ in range(20):
    feed()
print([before - heap.free(), sum(receiver.bad)])
"""


def heap_bytes() -> tuple[int, int, int]:
    """Of the link with its modules, as it begins, and with all events and answers that it keeps.

    And its buffers, which lie beside the heap.
    """
    at_rest, full, lasting, refused, kept = cast(list[Any], Bench().ask(HEAP))
    assert kept == (32, 5, link_pb2.ROLE_TABLE, True, 0), kept
    assert not refused
    return at_rest, full, lasting


UART = """
import gc, heap
from machine import UART, Pin
gc.collect()
before, lay = heap.free(), heap.room()[0]
uart = UART(1, 115200, tx=Pin(8), rx=Pin(9), txbuf=_GOING, rxbuf=_COMING)
gc.collect()
print([before - heap.free(), heap.room()[0] - lay])
"""


def uart_bytes() -> tuple[int, int]:
    """Of the port's own buffers: of heap, and beside it."""
    source = (ROOT / "firmware" / "dovetail" / "hal" / "rp2_uart.py").read_text()
    uart = UART
    for name in ("_COMING", "_GOING"):
        size = re.search(rf"^{name} = const\((\d+)\)", source, re.MULTILINE)
        assert size
        uart = uart.replace(name, size[1])
    heap, beside = Bench().ask(uart)
    return heap, beside


def receiving_bytes() -> int:
    """Allocated while a thousand bytes and more come in twenty times, good and bad."""
    allocated, dropped = Bench().ask(RECEIVE)
    assert dropped
    return allocated

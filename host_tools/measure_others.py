"""The same question by other ways: Modbus RTU by minimalmodbus, mpremote's raw prompt.

Their own host programs ask the emulated board, in the board's time. A Modbus slave in plain
MicroPython has the board to itself; the prompt is that of the bench image, on its USB port, and
the machine stands still for it: what runs there is stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import minimalmodbus  # pyright: ignore[reportMissingTypeStubs]
import serial
from mpremote.transport_serial import (  # pyright: ignore[reportMissingTypeStubs]
    SerialTransport,
)

from hil_tests.hal_bench import Bench
from host_tools.link.transport import BAUD
from host_tools.measure_link import wired
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import RawPrompt
from sim.line import wire_ns

TIMES = 50
REGISTERS = 16  # as many facts as a status has
LIMIT_NS = 1_000_000_000
STEP_NS = 20_000

SLAVE = """
from array import array
from machine import UART, Pin
import struct
u = UART(0, 115200, tx=Pin(board.PINS["uart_tx"]), rx=Pin(board.PINS["uart_rx"]))
registers = array("H", range(16))
def crc(data):
    c = 0xFFFF
    for byte in data:
        c ^= byte
        for _ in range(8):
            c = c >> 1 ^ 0xA001 if c & 1 else c >> 1
    return c
while True:
    data = b""
    while not u.any():
        pass
    last = time.ticks_us()
    while time.ticks_diff(time.ticks_us(), last) < 1750:  # three and a half characters of silence
        if u.any():
            data += u.read(u.any())
            last = time.ticks_us()
    if len(data) == 8 and crc(data) == 0 and data[:2] == b"\\x01\\x03":
        start, count = struct.unpack(">HH", data[2:6])
        answer = struct.pack(">BBB", 1, 3, 2 * count)
        for n in range(start, start + count):
            answer += struct.pack(">H", registers[n])
        u.write(answer + struct.pack("<H", crc(answer)))
"""
PROMPT = """
facts = tuple(range(16))
"""
# The image's own machine, as it stands after a second. At the prompt it is asked for its status.
STATUS = """
import asyncio, board, mechanics
from dovetail import start
from dovetail.hal.rp2 import Hal
from dovetail.requests.status import status
async def begin():
    image = {"board": "bench", "variant": "bench", "image": "bench"}
    try:
        await asyncio.wait_for(start.serve(Hal(board, mechanics), image), 1)
    except asyncio.TimeoutError:
        pass
asyncio.run(begin())
"""
FACTS, OF_STATUS = b"print(facts)", b"print(status(start.machine, None))"


@dataclass(frozen=True)
class Asked:
    """One question and its answer."""

    sent: int
    heard: int
    took_ns: int
    after_ns: int  # from its last byte, as the host's port was given it, to the answer's last one

    @property
    def wire_bytes(self) -> int:
        """Both ways."""
        return self.sent + self.heard

    @property
    def after_ms(self) -> float:
        """The latter in milliseconds, with all that the way back takes."""
        return self.after_ns / 1e6

    @property
    def beyond_ms(self) -> float:
        """What it took beside its bytes' time on a wire of 115,200 baud."""
        return (self.took_ns - wire_ns(self.wire_bytes, BAUD)) / 1e6


class Port(serial.Serial):
    """What these programs take for a serial port: the board lives while they read."""

    def __init__(self, board: EmulatedBoard, write: Callable[[bytes], None]) -> None:
        super().__init__(baudrate=BAUD, timeout=1.0)
        self.is_open = True
        self._board = board
        self._write = write
        self._came = bytearray()
        self.began_ns = self.asked_ns = self.ended_ns = 0
        self.sent = self.heard = 0

    def received(self, data: bytes) -> None:
        """From the board."""
        self._came += data
        self.heard += len(data)
        self.ended_ns = self._board.now_ns()

    def fresh(self) -> None:
        """Before a question."""
        self.sent = self.heard = 0
        self.began_ns = self._board.now_ns()

    def asked(self) -> Asked:
        """After its answer."""
        took_ns, after_ns = self.ended_ns - self.began_ns, self.ended_ns - self.asked_ns
        return Asked(self.sent, self.heard, took_ns, after_ns)

    def close(self) -> None:
        """There is nothing to close."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """To the board."""
        self.sent += len(data)
        self.asked_ns = self._board.now_ns()
        self._write(data)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        """So many bytes, or what came within the limit."""
        limit = self._board.now_ns() + LIMIT_NS
        while len(self._came) < size and self._board.now_ns() < limit:
            self._board.advance(self._board.now_ns() + STEP_NS)
        data = bytes(self._came[:size])
        del self._came[:size]
        return data

    def inWaiting(self) -> int:  # noqa: N802, their name
        """Bytes that can be read."""
        return len(self._came)

    def reset_input_buffer(self) -> None:
        """Nothing waits."""
        self._came.clear()

    def reset_output_buffer(self) -> None:
        """Nothing waits."""


def middle(rows: list[Asked]) -> Asked:
    """The one in the middle, by its time."""
    took = median(row.took_ns for row in rows)
    return min(rows, key=lambda row: abs(row.took_ns - took))


def modbus() -> Asked:
    """Sixteen holding registers."""
    bench = Bench()
    bench.prompt.start(SLAVE)
    board = bench.board
    port = Port(board, board.line.write)
    board.line.on_bytes = port.received
    board.advance(board.now_ns() + LIMIT_NS // 4)  # until the slave listens
    instrument: Any = minimalmodbus.Instrument(port, 1)
    rows: list[Asked] = []
    for _ in range(TIMES):
        port.fresh()
        registers = instrument.read_registers(0, REGISTERS)
        assert registers == list(range(REGISTERS))
        rows.append(port.asked())
        board.advance(board.now_ns() + 5_000_000)
    return middle(rows)


def raw_prompt() -> Asked:
    """Sixteen numbers, printed."""
    bench = Bench()
    bench.run(PROMPT)
    return _at_prompt(bench.board, FACTS, lambda printed: printed.count(b",") == REGISTERS - 1)


def status_at_prompt() -> Asked:
    """The machine's status, printed: what the link's request of that name asks for."""
    board, _ = wired()
    RawPrompt(board).run(STATUS)
    return _at_prompt(board, OF_STATUS, lambda printed: b"'may_be_inside'" in printed)


def _at_prompt(board: EmulatedBoard, question: bytes, answers: Callable[[bytes], bool]) -> Asked:
    port = Port(board, board.prompt.write)
    board.prompt.on_bytes = port.received
    transport: Any = SerialTransport.__new__(SerialTransport)
    transport.serial, transport.is_pty, transport.use_raw_paste = port, True, True
    transport.in_raw_repl = False
    transport.enter_raw_repl(soft_reset=False)
    rows: list[Asked] = []
    for _ in range(TIMES):
        port.fresh()
        printed, wrong = transport.exec_raw(question)
        assert not wrong, wrong
        assert answers(printed), printed
        rows.append(port.asked())
    return middle(rows)

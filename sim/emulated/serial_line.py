"""UART0's two wires: bytes go both ways at the line's rate, and only while the chip listens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rp2040py.peripherals.uart import RPUART

from sim.emulated.chip import Chip
from sim.line import garbled

FRAME_BITS = 10  # start, eight data bits, stop
APART = 0.03  # of two rates that do not understand each other
BREAK = 0x500  # a line that was held low, in the chip's FIFO: zero, with break and frame error


class SerialLine:
    """The host's end of the line: a transport for a controller's client."""

    def __init__(self, chip: Chip, uart: RPUART, baud: int) -> None:
        self._chip = chip
        self._uart = uart
        self._baud: int | None = baud
        self._queue: deque[int] = deque()
        self._sending = False
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None  # wires do not get lost
        uart.on_byte = self._received

    def set_baud(self, baud: int | None) -> None:
        """Another rate of the host; None: whatever the chip's is, as on a pseudo-terminal."""
        self._baud = baud

    def _chip_baud(self) -> int:
        return self._uart.baud_rate if self._uart.baud_divider else self._baud or 115_200

    def _byte_ns(self) -> int:
        return FRAME_BITS * 1_000_000_000 // (self._baud or self._chip_baud())

    def _as_heard(self, data: bytes) -> bytes:
        baud = self._baud or self._chip_baud()
        return data if abs(self._chip_baud() - baud) <= APART * baud else garbled(data)

    def write(self, data: bytes) -> None:
        """Queue bytes; the first has arrived one byte's time after the line is free."""
        self._queue.extend(data)
        if self._queue and not self._sending:
            self._sending = True
            self._chip.at(self._chip.now_ns() + self._byte_ns(), self._sent)

    def hold_low(self) -> None:
        """A break condition, behind what is queued."""
        self._queue.append(BREAK)
        self.write(b"")

    def close(self) -> None:
        """Pull the plug: what is not sent never will be."""
        self._queue.clear()
        self.on_bytes = lambda data: None

    def waiting(self) -> int:
        """Bytes that are not on the board's side yet."""
        return len(self._queue)

    def _sent(self) -> None:
        if self._queue:
            what = self._queue.popleft()
            self._uart.feed_byte(what if what == BREAK else self._as_heard(bytes((what,)))[0])
        if self._queue:
            self._chip.at(self._chip.now_ns() + self._byte_ns(), self._sent)
        else:
            self._sending = False

    def _received(self, byte: int) -> None:
        self.on_bytes(self._as_heard(bytes((byte,))))

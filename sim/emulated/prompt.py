"""The prompt of a bench image: the emulated USB serial port, seen from the host."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rp2040py.usb.cdc import TX_FIFO_SIZE, USBCDC

from sim.emulated.chip import Chip

FILL_NS = 1_000_000  # one USB frame


class Prompt:
    """The host's end: write(), and on_bytes for what comes. A production image never connects."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._cdc = USBCDC(chip.mcu.usb_ctrl)
        self._queue: deque[int] = deque()
        self._filling = False
        self.connected = False
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self._cdc.on_serial_data = self._received
        self._cdc.on_device_connected = self._connect
        chip.on_reset.append(self._let_go)

    def write(self, data: bytes) -> None:
        """Queue bytes for the board; they are lost while it is not connected."""
        if self.connected:
            self._queue.extend(data)
            if not self._filling:
                self._fill()

    def waiting(self) -> int:
        """Bytes that the board has not taken yet."""
        return len(self._queue)

    def _fill(self) -> None:
        room = TX_FIFO_SIZE - self._cdc.tx_fifo.item_count
        for _ in range(min(room, len(self._queue))):
            self._cdc.send_serial_byte(self._queue.popleft())
        self._filling = bool(self._queue)
        if self._filling:
            self._chip.at(self._chip.now_ns() + FILL_NS, self._fill)

    def _received(self, data: bytes | bytearray) -> None:
        self.on_bytes(bytes(data))

    def _connect(self) -> None:
        self.connected = True

    def _let_go(self) -> None:
        self.connected = False
        self._queue.clear()

"""The table link between the firmware on CPython and a controller, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil

from dovetail.clock import Flag

from sim.world import World


class Uart:
    """One end of a line of so many baud; bytes arrive when the last of a piece would have."""

    def __init__(self, world: World, baud: int) -> None:
        self.world, self.baud = world, baud
        self.other: Uart | None = None
        self._ready = Flag()
        self._inbox = bytearray()
        self._free_ns = 0

    def receive(self, data: bytes, baud: int) -> None:
        """Bytes from the line; what was sent at another rate comes as something else."""
        self._inbox += data if baud == self.baud else garbled(data)
        self._ready.set()

    async def set_baud(self, baud: int) -> None:
        """Change the rate when all has left. What has come in at the old one is dropped."""
        while self._free_ns > self.world.now_ns():
            await asyncio.sleep((self._free_ns - self.world.now_ns()) / 1e9)
        self.baud = baud
        self._inbox.clear()

    def take(self, buf: bytearray) -> int:
        """Nothing without a wait."""
        return 0

    def waits(self) -> bool:
        """Whether bytes are there that nobody has taken."""
        return bool(self._inbox)

    async def read(self, buf: bytearray) -> int:
        """At least one byte."""
        while not self._inbox:
            await self._ready.wait()
        n = min(len(buf), len(self._inbox))
        buf[:n] = self._inbox[:n]
        del self._inbox[:n]
        return n

    def send(self, data: bytes) -> int:
        """Put bytes on the line; when the last will have left, in ns."""
        self._free_ns = max(self._free_ns, self.world.now_ns()) + wire_ns(len(data), self.baud)
        baud, other = self.baud, self.other
        if other is not None:
            self.world.at(self._free_ns, lambda: other.receive(data, baud))
        return self._free_ns

    async def write(self, buf: bytearray, n: int) -> None:
        """n bytes of buf, until they have left."""
        gone = self.send(bytes(buf[:n]))
        await asyncio.sleep((gone - self.world.now_ns()) / 1e9)


def wire_ns(count: int, baud: int) -> int:
    """How long bytes take on the line, 8N1."""
    return ceil(count * 10 * 1_000_000_000 / baud)


def garbled(data: bytes) -> bytes:
    """What a receiver at another rate takes bytes for."""
    return bytes(byte * 5 + 3 & 0xFF for byte in data)


class _End(Uart):
    """The controller's: what comes is handed on at once."""

    def __init__(self, world: World, baud: int) -> None:
        super().__init__(world, baud)
        self.heard: Callable[[bytes], None] = lambda data: None

    def receive(self, data: bytes, baud: int) -> None:
        """Bytes from the line."""
        self.heard(data if baud == self.baud else garbled(data))


class Line:
    """The controller's end of the same line."""

    def __init__(self, world: World, uart: Uart) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._end = _End(world, uart.baud)
        self._end.heard = self._hand_on
        self._end.other, uart.other = uart, self._end

    def write(self, data: bytes) -> None:
        """Bytes to the machine."""
        self._end.send(data)

    def set_baud(self, baud: int) -> None:
        """Another rate, from the next byte on."""
        self._end.baud = baud

    def close(self) -> None:
        """Nothing more is heard."""
        self.on_bytes = lambda data: None

    def _hand_on(self, data: bytes) -> None:
        self.on_bytes(data)

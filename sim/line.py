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
        self.other: Callable[[bytes], None] = lambda data: None
        self._ready = Flag()
        self._inbox = bytearray()
        self._free_ns = 0

    def receive(self, data: bytes) -> None:
        """Bytes from the line."""
        self._inbox += data
        self._ready.set()

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
        self.world.at(self._free_ns, lambda: self.other(data))
        return self._free_ns

    async def write(self, buf: bytearray, n: int) -> None:
        """n bytes of buf, until they have left."""
        gone = self.send(bytes(buf[:n]))
        await asyncio.sleep((gone - self.world.now_ns()) / 1e9)


def wire_ns(count: int, baud: int) -> int:
    """How long bytes take on the line, 8N1."""
    return ceil(count * 10 * 1_000_000_000 / baud)


class Line:
    """The controller's end of the same line."""

    def __init__(self, world: World, uart: Uart) -> None:
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._out = Uart(world, uart.baud)
        self._out.other = uart.receive
        uart.other = self._heard

    def _heard(self, data: bytes) -> None:
        self.on_bytes(data)

    def write(self, data: bytes) -> None:
        """Bytes to the machine."""
        self._out.send(data)

    def close(self) -> None:
        """Nothing more is heard."""
        self.on_bytes = lambda data: None

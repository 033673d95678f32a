"""The heap of the device, seen from outside: nothing is asked, and nothing runs for it."""

from __future__ import annotations

from dataclasses import dataclass

from sim.emulated.board import EmulatedBoard

RAM = 0x20000000
RAM_END = 0x20042000
BLOCK = 16  # bytes; two bits of the table tell of each whether it is free
EVERY_NS = 1_000_000
_LOW_BITS = int.from_bytes(b"\x55" * 8192, "little")


@dataclass(frozen=True)
class Area:
    """Where the collector's table and its pool lie."""

    table: int
    table_bytes: int
    pool_bytes: int


class Heap:
    """Looks a thousand times a second how much is free. Garbage counts as used."""

    def __init__(self, board: EmulatedBoard) -> None:
        self._board = board
        self._area: Area | None = None
        self.least = 0  # since clear()
        self.clear()
        self._look()

    def clear(self) -> None:
        """Only what comes from now on."""
        self.least = RAM_END - RAM

    def _look(self) -> None:
        self._board.at(self._board.now_ns() + EVERY_NS, self._look)
        if self._area is None:
            self._area = _find(self._board.chip.ram())
        else:
            self.least = min(self.least, self.free())

    def free(self) -> int:
        """Bytes that are free now."""
        area = self._area
        if area is None:
            raise RuntimeError("the device has no heap yet")
        table = self._board.chip.ram()[area.table - RAM : area.table - RAM + area.table_bytes]
        kinds = int.from_bytes(table, "little")
        return area.pool_bytes - BLOCK * ((kinds | kinds >> 1) & _LOW_BITS).bit_count()


def _find(ram: memoryview) -> Area | None:
    """MicroPython's note of its heap: table, its length, perhaps one more table, pool, its end."""
    words = ram.cast("I")
    for i in range(len(words) - 4):
        table = words[i]
        if not RAM < table < RAM_END:
            continue
        length = words[i + 1]
        for pool, end in ((words[i + 2], words[i + 3]), (words[i + 3], words[i + 4])):
            if table + length <= pool < end <= RAM_END and length > 1024:
                size = end - pool
                if abs(size // (4 * BLOCK) - length) <= 1:
                    return Area(table, length, size)
    return None

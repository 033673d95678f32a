# The journal's flash: the first part of the storage area, which no file system touches.
# Erase and program stop everything that runs from flash; PIO and DMA go on. The caller sees to it that no axis moves.

import rp2
import uctypes
from micropython import const

_XIP = const(0x10000000)
PROGRAM = const(0x100000)  # flash before the storage area
_FILES = const(0x40000)     # what a chip that is smaller than the board's keeps for files


def chip_bytes(board):
    """The size of the flash that is really there. A smaller chip shows its beginning again behind its end."""
    start = uctypes.bytes_at(_XIP, 256)
    size = 2 * PROGRAM
    while size < board.FLASH_BYTES and uctypes.bytes_at(_XIP + size, 256) != start:
        size *= 2
    return size


def journal_bytes(board):
    """What of the storage area is the journal's; files begin behind it."""
    return min(board.JOURNAL_BYTES, chip_bytes(board) - PROGRAM - _FILES)


def program(offset, n):
    """Program flash as it lies there."""
    return uctypes.bytearray_at(_XIP + offset, n)


class Store:
    SECTOR = const(4096)  # from journal/ring.py: SECTOR
    PAGE = const(256)  # from journal/journal.py: _PAGE

    def __init__(self, size):
        self.size = size
        self.flash = rp2.Flash(start=0, len=size)
        self.view = memoryview(self.flash)  # pyright: ignore[reportArgumentType]: it has a buffer that its stub hides

    def read(self, offset, buf):
        self._within(offset, len(buf), 1)
        self.flash.readblocks(offset // 4096, buf, offset % 4096)

    def erase(self, sector):
        self._within(sector * 4096, 4096, 1)
        self.flash.ioctl(6, sector)

    def program(self, offset, buf):
        self._within(offset, len(buf), 256)
        self.flash.writeblocks(offset // 4096, buf, offset % 4096)

    def _within(self, offset, n, unit):
        if offset < 0 or offset + n > self.size or offset % unit or n % unit:
            raise ValueError("outside the store, or no whole pages")

# The journal's flash: the first part of the storage area, which no file system touches.
# Erase and program stop everything that runs from flash; PIO and DMA go on. The caller sees to it that no axis moves.

import rp2
from micropython import const


class Store:
    SECTOR = const(4096)
    PAGE = const(256)

    def __init__(self, size):
        self.size = size
        self.flash = rp2.Flash(start=0, len=size)

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

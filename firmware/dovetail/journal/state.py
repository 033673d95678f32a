# The coarse state that outlives the power: two slots in flash, written in turn, the newest whole one counts.
# A record: magic, generation, boots, inside, locks, last round, CRC-32.

import struct
from binascii import crc32

_FORMAT = "<4sIIBBI"
_MAGIC = b"DVT1"
_SIZE = struct.calcsize(_FORMAT)


class State:
    def __init__(self, store):
        self.store = store
        self.generation = 0
        self.boots = 0
        self.inside = 0  # 1: cards may be inside
        self.locks = 0   # bit a back colour: its deck is locked out
        self.round = 0   # the last round that was opened: a number is never used twice
        self.fresh = True
        self._slot = 1
        self._buf = bytearray(_SIZE + 4)
        for slot in (0, 1):
            self._take(slot)

    def _take(self, slot):
        buf = self._buf
        self.store.read(slot * self.store.SECTOR, buf)
        magic, generation, boots, inside, locks, last = struct.unpack_from(_FORMAT, buf, 0)
        if magic != _MAGIC or crc32(memoryview(buf)[:_SIZE]) != struct.unpack_from("<I", buf, _SIZE)[0]:
            return
        if self.fresh or generation > self.generation:
            self.fresh = False
            self._slot = slot
            self.generation, self.boots = generation, boots
            self.inside, self.locks, self.round = inside, locks, last

    def write(self):
        """The other slot is erased and written; the last one stays whole until then. Raises OSError."""
        slot = 1 - self._slot
        self.generation += 1
        page = bytearray(self.store.PAGE)
        struct.pack_into(
            _FORMAT, page, 0, _MAGIC, self.generation, self.boots, self.inside, self.locks, self.round
        )
        struct.pack_into("<I", page, _SIZE, crc32(memoryview(page)[:_SIZE]))
        self.store.erase(slot)
        self.store.program(slot * self.store.SECTOR, page)
        self.store.read(slot * self.store.SECTOR, self._buf)
        if self._buf != page[: _SIZE + 4]:
            raise OSError("flash did not take the record")
        self._slot = slot
        self.fresh = False

# The segments on the store: which there are, which is the newest, and one erased ahead of it. A segment is a sector,
# its number modulo the number of segments is its place: all wear the same. Which bytes mean what: docs/memory.md.

import struct
from binascii import crc32
import micropython
from micropython import const
from dovetail.journal.record import BLANK

_FIRST = const(2)      # sectors before the ring: settings
SECTOR = const(4096)
MARK = const(16)
HEADER = const(512)
_VERSION = const(3)
_SIZE = const(64)     # from journal/record.py: SIZE
LAST = const(SECTOR - _SIZE)  # the last place for a record
_PLACES = const((SECTOR - HEADER) // _SIZE)  # for records


class Ring:
    def __init__(self, store):
        self.store = store
        self.view = store.view
        self.count = store.size // SECTOR - _FIRST
        self.newest = 0  # the highest number with a whole mark; 0: none
        self.oldest = 0
        self.odd = 0     # sectors that should hold a segment and have no mark of one
        limit = 1 << 30
        while True:
            newest, oldest, strange = self._survey(limit)
            if not newest or self.marked(newest):
                break
            limit = newest
        if newest:
            self.newest, self.oldest = newest, max(oldest, newest - self.count + 1)
            self.odd = strange - max(self.count - newest, 0)  # in the first turn of the ring places were never used

    def at(self, segment):
        return (_FIRST + segment % self.count) * SECTOR

    @micropython.native
    def _survey(self, limit):
        """Highest number below limit, lowest, and how many sectors have none."""
        view, count = self.view, self.count
        newest = strange = 0
        oldest = limit
        at = _FIRST * SECTOR
        for place in range(count):
            segment = 0
            if view[at] == 0x44 and view[at + 1] == 0x4A:
                segment = view[at + 2] | view[at + 3] << 8 | view[at + 4] << 16 | (view[at + 5] & 31) << 24
            if segment == 0 or segment % count != place or segment >= limit:
                strange += 1
            else:
                if segment > newest:
                    newest = segment
                if segment < oldest:
                    oldest = segment
            at += SECTOR
        return newest, oldest, strange

    def marked(self, segment):
        """Return whether the mark of this segment is there and whole."""
        at, view = self.at(segment), self.view
        magic, low, high = struct.unpack_from("<HHH", view, at)
        return (
            magic == 0x4A44
            and low | high << 16 == segment
            and crc32(view[at : at + 12]) == struct.unpack_from("<I", view, at + 12)[0]
        )

    def blank(self, at, end):
        """Return whether all is erased from `at` to `end`."""
        view = self.view
        while at < end:
            part = min(_SIZE, end - at)
            if view[at : at + part] != (BLANK if part == _SIZE else BLANK[:part]):
                return False
            at += part
        return True

    def erases(self, segment):
        """Return how often the sector of a segment that lies there was erased; 0 if it does not say."""
        at = self.at(segment)
        if self.view[at] != 0x44 or crc32(self.view[at : at + 12]) != struct.unpack_from("<I", self.view, at + 12)[0]:
            return 0
        return struct.unpack_from("<I", self.view, at + 8)[0]

    def erase(self, segment):
        """Makes the place of a segment ready: erased, and marked as erased to the end."""
        n = max(self.erases(segment), segment // self.count) + 1
        at = self.at(segment)
        self.store.erase(at // SECTOR)
        if not self.blank(at, at + SECTOR):
            raise OSError("memory refuses to be erased")
        page = bytearray(4 * BLANK)
        struct.pack_into("<HHHHI", page, 0, 0x4A44, segment & 0xFFFF, segment >> 16, _VERSION, n)
        struct.pack_into("<I", page, 12, crc32(memoryview(page)[:12]))
        self.program(at, page, 0, MARK)
        if segment > self.count:
            self.oldest = max(self.oldest, segment - self.count + 1)
        elif not self.oldest:
            self.oldest = segment

    @micropython.native
    def program(self, at, pages, first, end):
        """Programs whole pages; what matters of them, from `first` to `end`, must be there afterwards."""
        self.store.program(at, pages)
        if self.view[at + first : at + end] != memoryview(pages)[first:end]:
            raise OSError("memory refuses writes")

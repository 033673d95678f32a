# Keys, calibration, profile: named bytes in two slots of flash, a sector each, with the same in both.
# A slot: "DVS1", generation, length, CRC-32 of all but itself; then for each setting its name and its value,
# a byte of length before the name and two before the value. What begins with "key." never leaves the machine.

import struct
from binascii import crc32
from micropython import const

_HEAD = "<4sII"
_MAGIC = b"DVS1"
_HEADER = const(16)
MOST = const(1024)  # bytes of all settings

FRESH = const(0)    # no settings were ever written here
WHOLE = const(1)
OLDER = const(2)    # one slot is damaged, or was being written when the power went
LOST = const(3)     # both are damaged


class Settings:
    def __init__(self, store):
        self._store = store
        self._values = {}
        self.generation = 0
        self._slot = 1
        none = whole = 0
        for slot in (0, 1):
            at = slot * store.SECTOR
            if bytes(store.view[at : at + 4]) != _MAGIC:
                none += 1
            elif self._take(slot, at):
                whole += 1
        self.state = (FRESH if none == 2 else LOST, OLDER, WHOLE)[whole]

    def _take(self, slot, at):
        view = self._store.view
        magic, generation, length = struct.unpack_from(_HEAD, view, at)
        if magic != _MAGIC or length > MOST:
            return False
        crc = crc32(view[at + _HEADER : at + _HEADER + length], crc32(view[at : at + 12]))
        if crc != struct.unpack_from("<I", view, at + 12)[0]:
            return False
        if generation > self.generation:
            try:
                self._values = _read(view, at + _HEADER, at + _HEADER + length)
            except (ValueError, IndexError):  # a right checksum, and it makes no sense: nobody of ours wrote it
                return False
            self.generation, self._slot = generation, slot
        return True

    def get(self, name):
        """Bytes, or None."""
        return self._values.get(name)

    def put(self, changes):
        """Writes both slots, one after the other: one is whole at any moment, and one that is damaged later takes
        nothing away. Nothing may move meanwhile. Raises OSError.

        changes: names and their bytes; None takes a setting away.
        """
        values = dict(self._values)
        for name in changes:
            if changes[name] is None:
                values.pop(name, None)
            else:
                values[name] = bytes(changes[name])
        body = bytearray()
        for key in sorted(values):
            body.append(len(key))
            body.extend(key.encode())
            body.extend(struct.pack("<H", len(values[key])))
            body.extend(values[key])
        if len(body) > MOST:
            raise ValueError("settings: %d bytes, at most %d" % (len(body), MOST))
        store = self._store
        generation = self.generation + 1
        head = struct.pack(_HEAD, _MAGIC, generation, len(body))
        head += struct.pack("<I", crc32(body, crc32(head)))
        body = head + body
        body += b"\xff" * (-len(body) % store.PAGE)
        for slot in (1 - self._slot, self._slot):
            at = slot * store.SECTOR
            store.erase(slot)
            store.program(at, body)
            if bytes(store.view[at : at + len(body)]) != body:
                raise OSError("memory refuses writes")
            self._slot, self._values, self.generation = slot, values, generation
        self.state = WHOLE


def _read(view, at, end):
    values = {}
    while at < end:
        n = view[at]
        name = bytes(view[at + 1 : at + 1 + n]).decode()
        at += 1 + n
        n = view[at] | view[at + 1] << 8
        values[name] = bytes(view[at + 2 : at + 2 + n])
        at += 2 + n
    return values

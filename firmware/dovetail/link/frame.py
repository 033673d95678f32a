# Frames on the wire: 0x00 COBS( header | body | [tag] | CRC-32 ) 0x00; docs/protocol.md has more.
# Taking bytes in allocates nothing, whatever they are; at its delimiter a frame is judged.

import struct
from binascii import crc32

from dovetail.link.auth import CONTROLLER, MACHINE, TAG
from micropython import const

VERSION = const(1)
REQUEST = const(1)  # kinds: from the controller
REPORT = const(2)  # from the machine
TAGGED = const(1)  # flag: a tag of 16 bytes stands before the CRC

MAX_BODY = const(512)
MAX_FRAME = const(543)  # on the wire, with both delimiters
_HEADER = const(6)
_CRC = const(4)
_MAX_RAW = const(538)  # header, body, tag, CRC
_RESIDUE = const(0x2144DF1C)  # CRC-32 of anything followed by its own CRC-32

# Why a frame was dropped: places in Receiver.bad
OVERRUN = const(0)  # longer than any frame may be
CUT = const(1)  # the delimiter came inside a block
SHORT = const(2)  # less than a header and a CRC
WRONG_CRC = const(3)
UNKNOWN = const(4)  # another version, another kind, or flags that are not known here
WRONG_TAG = const(5)  # these two are found by sessions.py
OLD = const(6)  # a counter that is not greater than the last


def encode(kind, counter, body, out, key=None):
    """Write a whole frame into out, which has MAX_FRAME bytes; return the frame's length. key: of the session."""
    if len(body) > MAX_BODY:
        raise ValueError("body of %d bytes" % len(body))
    raw = struct.pack("<BBI", VERSION << 4 | kind, TAGGED if key else 0, counter) + body
    if key:
        raw += key.tag(CONTROLLER if kind == REQUEST else MACHINE, raw)
    raw += struct.pack("<IB", crc32(raw), 0)  # the zero at the end closes the last block
    last = len(raw) - 1
    out[0] = 0  # ends whatever noise came before
    at = 0
    n = 1
    while at <= last:
        end = raw.find(b"\0", at)
        if end - at >= 254:  # a full block stands for no zero
            out[n] = 255
            out[n + 1 : n + 255] = raw[at : at + 254]
            n += 255
            at += 254
            if at == last:
                break
        else:
            out[n] = end - at + 1
            out[n + 1 : n + 1 + end - at] = raw[at:end]
            n += end - at + 1
            at = end + 1
    out[n] = 0
    return n + 1


class Receiver:
    """Finds the frames of one kind in a stream of bytes."""

    def __init__(self, kind):
        self.first = VERSION << 4 | kind  # what the first byte of a frame must be
        self.raw = bytearray(_MAX_RAW)
        self.view = memoryview(self.raw)
        self.bad = [0] * 7  # dropped frames, by reason
        self.ready = False  # a good frame is in .body and .counter until the next feed()
        self.body = self.signed = self.tag = self.view[:0]
        self.tagged = False  # then .tag is the frame's, over .signed
        self.counter = 0
        self._restart()

    def _restart(self):
        self.n = 0  # bytes in raw
        self.left = 0  # bytes that the block still has
        self.full = True  # the block before stands for no zero
        self.any = False  # something came since the delimiter
        self.over = False

    def feed(self, chunk, at, end):
        """Take chunk[at:end], but no further than to the end of a good frame; return how far."""
        raw = self.raw
        n = self.n
        left = self.left
        self.ready = False
        while at < end:
            byte = chunk[at]
            at += 1
            if byte == 0:
                self.n = n
                self.left = left
                self._judge()
                if self.ready:
                    return at
                n = 0
                left = 0
            elif left:
                left -= 1
                if n < _MAX_RAW:
                    raw[n] = byte
                    n += 1
                else:
                    self.over = True
            else:  # the length of the next block
                self.any = True
                if not self.full:
                    if n < _MAX_RAW:
                        raw[n] = 0
                        n += 1
                    else:
                        self.over = True
                left = byte - 1
                self.full = byte == 255
        self.n = n
        self.left = left
        return at

    def _judge(self):
        n = self.n
        reason = -1
        if not self.any:  # delimiters in a row: nothing is lost
            self._restart()
            return
        if self.over:
            reason = OVERRUN
        elif self.left:
            reason = CUT
        elif n < _HEADER + _CRC:
            reason = SHORT
        elif crc32(self.view[:n]) != _RESIDUE:
            reason = WRONG_CRC
        elif self.raw[0] != self.first or self.raw[1] > TAGGED:
            reason = UNKNOWN
        elif self.raw[1] and n < _HEADER + TAG + _CRC:
            reason = SHORT
        self._restart()
        if reason >= 0:
            self.bad[reason] += 1
            return
        self.counter = struct.unpack_from("<I", self.raw, 2)[0]
        self.tagged = self.raw[1] == TAGGED
        n -= _CRC
        if self.tagged:
            self.tag = self.view[n - TAG : n]
            n -= TAG
        self.signed = self.view[:n]
        self.body = self.view[_HEADER:n]
        self.ready = True

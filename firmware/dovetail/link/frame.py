# Frames on the wire: 0x00 COBS( header | body | [tag] | CRC-32 ) 0x00; docs/protocol.md has more.
# Taking bytes in allocates nothing, whatever they are; at its delimiter a frame is judged.

import micropython
import struct
from array import array
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

# Why a frame was dropped: places in Receiver.bad
OVERRUN = const(0)  # longer than any frame may be
CUT = const(1)  # the delimiter came inside a block
SHORT = const(2)  # less than a header and a CRC
WRONG_CRC = const(3)
UNKNOWN = const(4)  # another version, another kind, or flags that are not known here
WRONG_TAG = const(5)  # these two are found by sessions.py
OLD = const(6)  # a counter that is not greater than the last


_scratch = bytearray(_MAX_RAW)
_view = memoryview(_scratch)


def encode(kind, counter, body, out, key=None):
    """Write a whole frame into out, which has MAX_FRAME bytes; return the frame's length. key: of the session."""
    n = len(body)
    if n > MAX_BODY:
        raise ValueError("body of %d bytes" % n)
    n += _HEADER
    struct.pack_into("<BBI", _scratch, 0, VERSION << 4 | kind, TAGGED if key else 0, counter)
    _view[_HEADER:n] = body
    if key:
        _view[n : n + TAG] = key.tag(CONTROLLER if kind == REQUEST else MACHINE, _view[:n])
        n += TAG
    struct.pack_into("<I", _scratch, n, crc32(_view[:n]))
    return _stuff(_scratch, n + _CRC, out)


@micropython.viper
def _stuff(raw, n: int, out) -> int:
    # COBS of n bytes of raw between two delimiters, the first of which ends whatever noise came before.
    r = ptr8(raw)
    o = ptr8(out)
    o[0] = 0
    start = 1  # of the block: its length goes here
    length = 1
    to = 2
    at = 0
    while at < n:
        if length == 255:  # a full block stands for no zero; none follows it at the end
            start = to
            length = 1
            to += 1
        byte = r[at]
        at += 1
        if byte:
            o[to] = byte
            to += 1
            length += 1
            if length == 255:
                o[start] = 255
        else:
            o[start] = length
            start = to
            length = 1
            to += 1
    if length < 255:
        o[start] = length
    o[to] = 0
    return to + 1


# CRC-32 by four bits, and what it gives over anything followed by its own CRC-32
_table = array("I", (
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
))  # fmt: skip
_REST_HIGH = const(0xDEBB)
_REST_LOW = const(0x20E3)


@micropython.viper
def _wrong(raw, n: int, table) -> int:
    # 0 when n bytes end in their own CRC-32. binascii has one that wants a slice, which would have to be allocated.
    r = ptr8(raw)
    t = ptr32(table)
    # No constant of more than 16 bits: a frozen function reads those from where they are not.
    ones = 0xFFFF
    crc = ones << 16 | ones
    most = ones >> 4 << 16 | ones
    for i in range(n):
        byte = r[i]
        crc = (crc >> 4 & most) ^ t[(crc ^ byte) & 15]
        crc = (crc >> 4 & most) ^ t[(crc ^ byte >> 4) & 15]
    return ((crc >> 16 & 0xFFFF) ^ _REST_HIGH) | ((crc & 0xFFFF) ^ _REST_LOW)


# What a receiver knows between two bytes: places in its state
_N = const(0)  # bytes in raw
_LEFT = const(1)  # bytes that the block still has
_FULL = const(2)  # the block before stands for no zero
_ANY = const(3)  # something came since the delimiter
_OVER = const(4)  # more came than any frame has
_END = const(5)  # a delimiter came


@micropython.viper
def _take(state, raw, chunk, at: int, end: int) -> int:
    # COBS back into raw, up to a delimiter; how far it came.
    s = ptr16(state)
    r = ptr8(raw)
    c = ptr8(chunk)
    n = s[_N]
    left = s[_LEFT]
    while at < end:
        byte = c[at]
        at += 1
        if byte == 0:
            s[_END] = 1
            break
        if left:
            left -= 1
            if n < _MAX_RAW:
                r[n] = byte
                n += 1
            else:
                s[_OVER] = 1
        else:  # the length of the next block
            s[_ANY] = 1
            if s[_FULL] == 0:
                if n < _MAX_RAW:
                    r[n] = 0
                    n += 1
                else:
                    s[_OVER] = 1
            left = byte - 1
            s[_FULL] = 1 if byte == 255 else 0
    s[_N] = n
    s[_LEFT] = left
    return at


class Receiver:
    """Finds the frames of one kind in a stream of bytes."""

    def __init__(self, kind):
        self.first = VERSION << 4 | kind  # what the first byte of a frame must be
        self.state = array("H", bytes(2 * 6))
        self.raw = bytearray(_MAX_RAW)
        self.view = memoryview(self.raw)
        self.bad = [0] * 7  # dropped frames, by reason
        self.ready = False  # a good frame is in .body and .counter until the next feed()
        self.end = _HEADER  # of its body
        self.tagged = False  # then .tag is the frame's, over .signed
        self._restart()

    def _restart(self):
        state = self.state
        state[_N] = state[_LEFT] = state[_ANY] = state[_OVER] = state[_END] = 0
        state[_FULL] = 1

    def feed(self, chunk, at, end):
        """Take chunk[at:end], but no further than to the end of a good frame; return how far."""
        self.ready = False
        while at < end:
            at = _take(self.state, self.raw, chunk, at, end)
            if self.state[_END]:
                self._judge()
                if self.ready:
                    return at
        return at

    def _judge(self):
        state = self.state
        n = state[_N]
        raw = self.raw
        reason = -1
        if not state[_ANY]:  # delimiters in a row: nothing is lost
            state[_END] = 0
            return
        if state[_OVER]:
            reason = OVERRUN
        elif state[_LEFT]:
            reason = CUT
        elif n < _HEADER + _CRC:
            reason = SHORT
        elif _wrong(raw, n, _table):
            reason = WRONG_CRC
        elif raw[0] != self.first or raw[1] > TAGGED:
            reason = UNKNOWN
        elif raw[1] and n < _HEADER + TAG + _CRC:
            reason = SHORT
        elif n > _HEADER + MAX_BODY + _CRC and not raw[1]:
            reason = OVERRUN
        self._restart()
        if reason >= 0:
            self.bad[reason] += 1
            return
        self.tagged = raw[1] == TAGGED
        self.end = n - _CRC - (TAG if self.tagged else 0)
        self.ready = True

    @property
    def counter(self):
        return struct.unpack_from("<I", self.raw, 2)[0]

    @property
    def body(self):
        return self.view[_HEADER : self.end]

    @property
    def signed(self):
        """What the tag is over."""
        return self.view[: self.end]

    @property
    def tag(self):
        return self.view[self.end : self.end + TAG]

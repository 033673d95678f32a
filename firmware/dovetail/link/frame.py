# Frames on the wire: 0x00 COBS( header | body | [tag] | CRC-32 ) 0x00; docs/protocol.md has more.
# Taking bytes in allocates nothing, whatever they are; at its delimiter a frame is judged.

import micropython
import struct

from dovetail.hal import wire
from dovetail.hal.lasting import lasting_array, lasting_bytes
from dovetail.link.auth import CONTROLLER, MACHINE
from micropython import const

VERSION = const(1)
REQUEST = const(1)  # kinds: from the controller
REPORT = const(2)  # from the machine
TAGGED = const(1)  # flag: a tag of 16 bytes stands before the CRC

MAX_BODY = const(512)
_GAP = const(4)  # before a raw frame, for what COBS adds; from hal/wire_twin.py: GAP
_HEADER = const(6)
_CRC = const(4)
_TAG = const(16)  # from link/auth.py: TAG
_MAX_RAW = const(_HEADER + MAX_BODY + _TAG + _CRC)
_MAX_BLOCK = const(_MAX_RAW + 3)  # with what COBS adds, between two delimiters
MAX_FRAME = const(_MAX_BLOCK + 2)  # on the wire, with both delimiters

# Why a frame was dropped: places in Receiver.bad
OVERRUN = const(0)  # longer than any frame may be
CUT = const(1)  # the delimiter came inside a block
SHORT = const(2)  # less than a header and a CRC
WRONG_CRC = const(3)
UNKNOWN = const(4)  # another version, another kind, or flags that are not known here
WRONG_TAG = const(5)  # these two are found by sessions.py
OLD = const(6)  # a counter that is not greater than the last


@micropython.native
def encode(kind, counter, body, out, key=None):
    """Write a whole frame into out, which has MAX_FRAME bytes; return the frame's length. key: of the session."""
    n = len(body)
    if n > MAX_BODY:
        raise ValueError("body of %d bytes" % n)
    struct.pack_into("<BBI", out, _GAP, VERSION << 4 | kind, TAGGED if key else 0, counter)
    out[_GAP + _HEADER : _GAP + _HEADER + n] = body
    n += _HEADER
    if key:
        wire.sign(key, CONTROLLER if kind == REQUEST else MACHINE, out, _GAP, n)
        n += _TAG
    return wire.stuff(out, n)


# What a receiver knows between two bytes: places in its state, as wire.take() has them
_N = const(0)  # bytes in raw
_LEFT = const(1)  # bytes that the block still has
_FULL = const(2)  # the block before stands for no zero
_ANY = const(3)  # something came since the delimiter
_OVER = const(4)  # more came than any frame has
_END = const(5)  # a delimiter came


class Receiver:
    """Finds the frames of one kind in a stream of bytes."""

    def __init__(self, kind):
        self.first = VERSION << 4 | kind  # what the first byte of a frame must be
        self.state = lasting_array("H", 6)
        self.raw = lasting_bytes(MAX_FRAME)  # what goes out is made here too, between two frames or in a pause()
        self.view = memoryview(self.raw)[:_MAX_RAW]
        self.bad = [0] * 7  # dropped frames, by reason
        self.ready = False  # a good frame is in .body and .counter until the next feed()
        self.end = _HEADER  # of its body
        self.tagged = False  # then .tag is the frame's, over .signed
        self._restart()

    @micropython.native
    def _restart(self):
        state = self.state
        state[_N] = state[_LEFT] = state[_ANY] = state[_OVER] = state[_END] = 0
        state[_FULL] = 1

    @micropython.native
    def feed(self, chunk, at, end):
        """Take chunk[at:end], but no further than to the end of a good frame; return how far."""
        self.ready = False
        while at < end:
            at = wire.take(self.state, self.view, chunk, at, end)
            if self.state[_END]:
                self._judge()
                if self.ready:
                    return at
        return at

    def pause(self):
        """What has come of a frame, for go_on(): meanwhile .raw may be used, and nothing is fed."""
        n = self.state[_N]
        return bytes(self.view[:n]) if n else b""

    def go_on(self, came):
        self.raw[: len(came)] = came

    @micropython.native
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
        elif not wire.good(raw, n):
            reason = WRONG_CRC
        elif raw[0] != self.first or raw[1] > TAGGED:
            reason = UNKNOWN
        elif raw[1] and n < _HEADER + _TAG + _CRC:
            reason = SHORT
        elif n > _HEADER + MAX_BODY + _CRC and not raw[1]:
            reason = OVERRUN
        self._restart()
        if reason >= 0:
            self.bad[reason] += 1
            return
        self.tagged = raw[1] == TAGGED
        self.end = n - _CRC - (_TAG if self.tagged else 0)
        self.ready = True

    def begun(self):
        """Whether a frame has begun, or noise, and its end did not come yet."""
        return self.state[_ANY] != 0

    @property
    @micropython.native
    def counter(self):
        return struct.unpack_from("<I", self.raw, 2)[0]

    @property
    @micropython.native
    def body(self):
        return self.view[_HEADER : self.end]

    @micropython.native
    def signed(self, key, direction):
        """Whether the tag is that of this key."""
        return wire.signed(key, direction, self.raw, self.end)

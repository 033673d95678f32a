# A record of 64 bytes: what it says, the tag that chains it to the one before, and a CRC. Layout: docs/memory.md.

import struct
from binascii import crc32
from hashlib import sha256
import micropython
from micropython import const

SIZE = const(64)
TAG = const(16)
_BODY = const(44)  # kind to payload
_FROM = const(6)   # the tag is made of the kind and of what begins here: length and number follow from kind and place
_MADE = const(39)
_CRC = const(60)

# written out, so that it lies in flash
BLANK = (
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
)


class Chain:
    """HMAC-SHA256 with one key of at most 64 bytes, cut to 128 bits."""

    def __init__(self, key):
        self.name = sha256(key).digest()[:4]
        self._inner = self._keyed(key, 0x36, 64 + TAG + _MADE)  # with its end two blocks of SHA-256: no byte more
        self._outer = self._keyed(key, 0x5C, 96)

    def _keyed(self, key, pad, n):
        buf = bytearray(n)
        for i in range(64):
            buf[i] = pad
        for i in range(len(key)):
            buf[i] ^= key[i]
        return buf

    @micropython.native
    def tag(self, before, buf, at):
        """Of the record at buf[at], after the one with the tag `before`."""
        inner = self._inner
        inner[64:80] = before
        inner[80] = buf[at]
        inner[81:] = buf[at + _FROM : at + _BODY]
        self._outer[64:] = sha256(inner).digest()
        return sha256(self._outer).digest()[:TAG]

    def tag_of(self, data):
        """Of a segment's header."""
        inner = sha256(self._inner[:64])
        inner.update(data)
        self._outer[64:] = inner.digest()
        return sha256(self._outer).digest()[:TAG]


def derive(key, unique_id):
    """The chain key of a device, from its audit key: 32 zeros as long as none was given. All of HMAC-SHA256."""
    chain = Chain(key)
    chain.tag_of(b"dovetail journal" + unique_id)
    return sha256(chain._outer).digest()


@micropython.native
def stamp(buf, at, number, boot, uptime_ms, time):
    """Number and times of the record at buf[at]."""
    struct.pack_into("<IIIHI", buf, at + 2, number, boot, uptime_ms & 0xFFFFFFFF, uptime_ms >> 32 & 0xFFFF, time)


@micropython.native
def seal(buf, at, tag):
    """Tag and CRC."""
    buf[at + _BODY : at + _CRC] = tag
    struct.pack_into("<I", buf, at + _CRC, crc32(memoryview(buf)[at : at + _CRC]))


def whole(buf):
    """Whether the 64 bytes are a record."""
    return buf[0] not in (0, 255) and crc32(memoryview(buf)[:_CRC]) == struct.unpack_from("<I", buf, _CRC)[0]


@micropython.native
def mend(buf):
    """Puts one flipped bit right, by trying them all. True when the record is whole then."""
    body = memoryview(buf)[:_CRC]
    wanted = struct.unpack_from("<I", buf, _CRC)[0]
    wrong = crc32(body) ^ wanted
    if wrong & (wrong - 1) == 0:  # it is a bit of the CRC itself
        struct.pack_into("<I", buf, _CRC, wanted ^ wrong)
        return whole(buf)
    for i in range(_CRC):
        was = buf[i]
        for bit in (1, 2, 4, 8, 16, 32, 64, 128):
            buf[i] = was ^ bit
            if crc32(body) == wanted:
                return whole(buf)
        buf[i] = was
    return False


def header(buf):
    """(number, boot, uptime_ms, time) of a record."""
    number, boot, low, high, time = struct.unpack_from("<IIIHI", buf, 2)
    return number, boot, high << 32 | low, time


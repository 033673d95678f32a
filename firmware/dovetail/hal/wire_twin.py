# What the C module `cwire` does (boards/wire.c), in Python: what both must do is said here.

import micropython
from array import array
from binascii import crc32
from hashlib import sha256

from micropython import const

GAP = const(4)  # before a raw frame in its buffer: what COBS and the delimiters add
_TAG = const(16)  # from link/auth.py: TAG
_CRC = const(4)  # from link/frame.py: _CRC

# ---- HMAC-SHA256


def key(secret):
    """What mac(), sign() and signed() want of a secret of 32 bytes: in C the states of two hashes."""
    if len(secret) != 32:
        raise ValueError("key")
    inner, outer = bytearray(b"\x36" * 64), bytearray(b"\x5c" * 64)
    for i in range(32):
        inner[i] ^= secret[i]
        outer[i] ^= secret[i]
    return bytes(inner), bytes(outer)


def mac(key, first, second):
    """The HMAC of two texts, one behind the other."""
    inner = sha256(key[0])
    inner.update(first)
    inner.update(second)
    outer = sha256(key[1])
    outer.update(inner.digest())
    return outer.digest()


def sign(key, direction, buf, at, n):
    """Puts the tag over n bytes of buf from `at` on behind them."""
    if at < 0 or n < 0 or at + n + _TAG > len(buf):
        raise ValueError("range")
    buf[at + n : at + n + _TAG] = mac(key, bytes((direction,)), memoryview(buf)[at : at + n])[:_TAG]


def signed(key, direction, buf, n):
    """Whether the tag of n bytes stands behind them; in a time that does not depend on where it is wrong."""
    if n < 0 or n + _TAG > len(buf):
        raise ValueError("range")
    right = mac(key, bytes((direction,)), memoryview(buf)[:n])
    return _difference(right, memoryview(buf)[n : n + _TAG], _TAG) == 0


@micropython.viper
def _difference(a, b, n: int) -> int:
    x = ptr8(a)
    y = ptr8(b)
    differ = 0
    for i in range(n):
        differ |= x[i] ^ y[i]
    return differ


# ---- COBS and CRC-32


def stuff(buf, n):
    """A frame of the n bytes that stand in buf behind the gap: their CRC-32 behind them, then COBS of it all from
    buf[0] on, between two delimiters, the first of which ends whatever noise came before. How long it is."""
    if n < 0 or n + _CRC > 3 * 254 - 1 or GAP + n + _CRC + 1 > len(buf):
        raise ValueError("range")
    crc = crc32(memoryview(buf)[GAP : GAP + n])
    for i in range(_CRC):
        buf[GAP + n + i] = crc >> 8 * i & 255
    return _stuff(buf, GAP + n + _CRC)


@micropython.viper
def _stuff(buf, last: int) -> int:
    b = ptr8(buf)
    b[0] = 0
    start = 1  # of the block: its length goes here
    to = 2
    at = 4
    while at < last:
        if to - start == 255:  # a full block stands for no zero; none follows it at the end
            b[start] = 255
            start = to
            to += 1
        byte = b[at]
        at += 1
        if byte:
            b[to] = byte
        else:
            b[start] = to - start
            start = to
        to += 1
    b[start] = to - start
    b[to] = 0
    return to + 1


# What a receiver knows between two bytes: places in its state
_N = const(0)  # bytes in raw; from link/frame.py: _N
_LEFT = const(1)  # bytes that the block still has; from link/frame.py: _LEFT
_FULL = const(2)  # the block before stands for no zero; from link/frame.py: _FULL
_ANY = const(3)  # something came since the delimiter; from link/frame.py: _ANY
_OVER = const(4)  # more came than any frame has; from link/frame.py: _OVER
_END = const(5)  # a delimiter came; from link/frame.py: _END


def take(state, raw, chunk, at, end):
    """COBS back into raw, up to a delimiter; how far in chunk it came. What raw has no room for is noted, and lost."""
    return _take(state, raw, len(raw), chunk, at, end)


@micropython.viper
def _take(state, raw, size: int, chunk, at: int, end: int) -> int:
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
            if n < size:
                r[n] = byte
                n += 1
            else:
                s[_OVER] = 1
        else:  # the length of the next block
            s[_ANY] = 1
            if s[_FULL] == 0:
                if n < size:
                    r[n] = 0
                    n += 1
                else:
                    s[_OVER] = 1
            left = byte - 1
            s[_FULL] = 1 if byte == 255 else 0
    s[_N] = n
    s[_LEFT] = left
    return at


# CRC-32 by four bits
_table = array("I", (
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
))  # fmt: skip
_REST_HIGH = const(0xDEBB)
_REST_LOW = const(0x20E3)


def good(raw, n):
    """Whether n bytes end in their own CRC-32. binascii has one that wants a slice: something would be allocated."""
    return _wrong(raw, n, _table) == 0


@micropython.viper
def _wrong(raw, n: int, table) -> int:
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

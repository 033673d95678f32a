"""SHA-256's state after each block of a message: what a hash object holds while it is alive."""

from __future__ import annotations

import struct
from itertools import count, islice
from math import isqrt

_WORD = 0xFFFFFFFF
_PRIMES = list(islice((n for n in count(2) if all(n % d for d in range(2, n))), 64))


def _cube_root(n: int) -> int:
    root = 1 << (n.bit_length() + 2) // 3
    while root**3 > n:
        root = (2 * root + n // root**2) // 3
    return root


_ROUND = [_cube_root(p << 96) & _WORD for p in _PRIMES]
_BEGIN = tuple(isqrt(p << 64) & _WORD for p in _PRIMES[:8])

State = tuple[int, ...]


def _turn(x: int, n: int) -> int:
    return (x >> n | x << 32 - n) & _WORD


def _next(state: State, block: bytes) -> State:
    w = list(struct.unpack(">16I", block))
    for i in range(16, 64):
        x, y = w[i - 15], w[i - 2]
        small = _turn(x, 7) ^ _turn(x, 18) ^ x >> 3
        large = _turn(y, 17) ^ _turn(y, 19) ^ y >> 10
        w.append(w[i - 16] + small + w[i - 7] + large & _WORD)
    a, b, c, d, e, f, g, h = state
    for k, x in zip(_ROUND, w, strict=True):
        one = h + (_turn(e, 6) ^ _turn(e, 11) ^ _turn(e, 25)) + (e & f ^ ~e & g) + k + x
        two = (_turn(a, 2) ^ _turn(a, 13) ^ _turn(a, 22)) + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = one + two & _WORD, a, b, c, d + one & _WORD, e, f, g
    pairs = zip(state, (a, b, c, d, e, f, g, h), strict=True)
    return tuple(old + new & _WORD for old, new in pairs)


def states(message: bytes) -> list[State]:
    """The state after each block of the padded message; the last one is the digest."""
    padding = b"\x80" + bytes(-(len(message) + 9) % 64) + struct.pack(">Q", 8 * len(message))
    padded = message + padding
    state, found = _BEGIN, list[State]()
    for at in range(0, len(padded), 64):
        state = _next(state, padded[at : at + 64])
        found.append(state)
    return found

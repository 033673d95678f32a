# HMAC-SHA256 from sha256 alone, and what sessions make with it; docs/protocol.md has the formulas.

import micropython
from hashlib import sha256

from micropython import const

KEY = const(32)
NONCE = const(16)
TAG = const(16)
CONTROLLER = b"C"  # direction of a frame, so that it is none of the session when it is sent back
MACHINE = b"D"

_BLOCK = const(64)


class Key:
    """A secret of 32 bytes, with which HMACs are made."""

    def __init__(self, secret):
        self.ready = []  # hashes that have had their block of the key: (inner, outer)
        self.inner = bytearray(b"\x36" * _BLOCK)
        self.outer = bytearray(b"\x5c" * _BLOCK)
        at = 0
        for byte in secret:
            self.inner[at] ^= byte
            self.outer[at] ^= byte
            at += 1

    def prepare(self):
        """Half of the work for the next two HMACs, while nobody waits for it."""
        while len(self.ready) < 2:
            self.ready.append((sha256(self.inner), sha256(self.outer)))

    def begin(self):
        """A hash to update with the text, for end()."""
        return sha256(self.inner)

    def end(self, inner):
        """The HMAC of the text that begin()'s hash has had."""
        return _over(sha256(self.outer), inner)

    def mac(self, first, second):
        """The HMAC of two texts, one behind the other."""
        inner, outer = self.ready.pop() if self.ready else (sha256(self.inner), sha256(self.outer))
        inner.update(first)
        inner.update(second)
        return _over(outer, inner)

    def tag(self, direction, text):
        """Tag of a frame: of its header and body."""
        return self.mac(direction, text)[:TAG]


def _over(outer, inner):
    outer.update(inner.digest())
    return outer.digest()


def session_key(role_key, role, controller, machine):
    """The key of a session, from both nonces."""
    return Key(Key(role_key).mac(b"dovetail session 1" + bytes([role]), controller + machine))


def same(a, b):
    """Whether two texts of the same length are equal, in a time that does not depend on where they differ."""
    return len(a) == len(b) and _difference(a, b, len(a)) == 0


@micropython.viper
def _difference(a, b, n: int) -> int:
    x = ptr8(a)
    y = ptr8(b)
    differ = 0
    for i in range(n):
        differ |= x[i] ^ y[i]
    return differ

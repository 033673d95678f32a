# What sessions make of HMAC-SHA256; docs/protocol.md has the formulas.

from hashlib import sha256

from dovetail.hal import wire
from micropython import const

KEY = const(32)
NONCE = const(16)
TAG = const(16)
CONTROLLER = const(0x43)  # "C", direction of a frame, so that it is none of the session when it is sent back
MACHINE = const(0x44)  # "D"


def hmac(secret, first, second):
    """The HMAC of two texts, one behind the other."""
    return wire.mac(wire.key(secret), first, second)


def session_secret(role_key, role, controller, machine):
    """The key of a session, from both nonces; tags are made with wire.key() of it."""
    return hmac(role_key, b"dovetail session 1" + bytes((role,)), controller + machine)


def begin(secret):
    """A hash to update with a long text, for end()."""
    return sha256(_padded(secret, 0x36))


def end(secret, inner):
    """The HMAC of the text that begin()'s hash has had."""
    return sha256(_padded(secret, 0x5C) + inner.digest()).digest()


def _padded(secret, pad):
    return bytes([byte ^ pad for byte in secret]) + bytes((pad,)) * 32


def same(a, b):
    """Whether two texts of the same length are equal, in a time that does not depend on where they differ."""
    differ = len(a) ^ len(b)
    for i in range(min(len(a), len(b))):
        differ |= a[i] ^ b[i]
    return differ == 0

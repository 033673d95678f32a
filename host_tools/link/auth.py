"""Keys, tags and proofs of a session, as docs/protocol.md has them."""

import hashlib
import hmac

NONCE = 16  # from link/auth.py: NONCE
KEY = 32  # from link/auth.py: KEY
TAG = 16  # from link/auth.py: TAG
CONTROLLER = b"C"
MACHINE = b"D"


def session_key(role_key: bytes, role: int, controller: bytes, machine: bytes) -> bytes:
    """The key of one session, from the key of its role and both nonces."""
    text = b"dovetail session 1" + bytes([role]) + controller + machine
    return hmac.digest(role_key, text, hashlib.sha256)


def tag(key: bytes, direction: bytes, header_and_body: bytes) -> bytes:
    """The tag of a frame."""
    return hmac.digest(key, direction + header_and_body, hashlib.sha256)[:TAG]


def program_digest(key: bytes, challenge: bytes, program: bytes) -> bytes:
    """What a machine answers to `verify` when this is its program flash."""
    return hmac.digest(key, b"V" + challenge + program, hashlib.sha256)

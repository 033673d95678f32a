# How the house has set the machine up: a game and a way of dealing, signed. Nobody edits it over the link in play.
# "DVP1", from the hand, continuous, cards (0: the game's), the game's name with a byte of length before it; then
# HMAC-SHA-256 of all that with the service key.

from hashlib import sha256
from dovetail.cards.profile import Profile

MAGIC = b"DVP1"
TAG = 32
DEFAULT = "let_it_ride"


def sign(message, key):
    """HMAC-SHA-256, RFC 2104; the key is 32 bytes, shorter than a block."""
    block = bytearray(64)
    block[: len(key)] = key
    inner = sha256(bytes([byte ^ 0x36 for byte in block]))
    inner.update(message)
    outer = sha256(bytes([byte ^ 0x5C for byte in block]))
    outer.update(inner.digest())
    return outer.digest()


def make_profile(key, game, by_hand=0, continuous=0, cards=0):
    """The signed blob, for whoever has the key."""
    name = game.encode()
    message = MAGIC + bytes([by_hand, continuous, cards, len(name)]) + name
    return message + sign(message, key)


def load_profile(blob, key, known=None):
    """The Profile of a signed blob. Raises ValueError for what is not signed, not understood, or contradicts itself."""
    if not key or len(key) != 32:
        raise ValueError("configuration: no service key to check it with")
    if len(blob) < len(MAGIC) + 4 + TAG or blob[:4] != MAGIC:
        raise ValueError("configuration: not one of this machine's")
    message = blob[:-TAG]
    wrong = 0
    for x, y in zip(sign(message, key), blob[-TAG:]):
        wrong |= x ^ y
    if wrong:
        raise ValueError("configuration: signed with another key")
    by_hand, continuous, cards, n = message[4:8]
    if len(message) != 8 + n or by_hand > 1 or continuous > 1:
        raise ValueError("configuration: not one of this machine's")
    return Profile(message[8:].decode(), by_hand, continuous, cards, known=known)


def signed_anew(blob, before, key):
    """Return a profile signed with another service key. One that the key before has not signed stays as it is."""
    try:
        load_profile(blob, before)
    except ValueError:
        return blob
    return blob[:-TAG] + sign(blob[:-TAG], key)


def configured(settings, known=None):
    """What the settings say; without any, the default."""
    blob = settings.get("profile")
    return load_profile(blob, settings.get("key.service"), known) if blob else Profile(DEFAULT)

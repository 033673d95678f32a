"""Decks from the device's own code: the files of firmware/dovetail/chance, run as they are.

As on the device: a generator made at power-on, and fresh entropy mixed in before every shuffle. The
noise part and its conditioning are not in it; 32 bytes from the run's seed stand for their result.
"""

from __future__ import annotations

from hashlib import sha256, shake_256
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from dovetail.chance import hmac_drbg, permutation

from host_tools.certify.tally import Decks, invert

FILES = (hmac_drbg, permutation)
ENTROPY = 32
NONCE = 32


class Drbg(Protocol):
    """The device's generator; its own file carries no types."""

    def reseed(self, entropy: bytes) -> None:
        """Mix in fresh entropy."""
        ...


class Permutation(Protocol):
    """The device's draw."""

    def __call__(self, n: int, drbg: Drbg, out: bytearray) -> None:
        """A permutation of 0..n-1 into out."""
        ...


draw = cast(Permutation, permutation.permutation)  # pyright: ignore[reportUnknownMemberType]


def power_on(entropy: bytes, nonce: bytes, boot: int) -> Drbg:
    """A generator as the device makes it."""
    person = b"dovetail" + b"certify." + boot.to_bytes(4, "big")
    return cast(Drbg, hmac_drbg.HmacDrbg(entropy, nonce, person))


def plans(seed: int, boot: int, count: int, cards: int) -> Decks:
    """So many consecutive plans after a power-on; a row says which slot each card goes to."""
    noise = shake_256(f"dovetail certify {seed} {boot}".encode()).digest(
        ENTROPY * (count + 1) + NONCE
    )
    drbg = power_on(noise[:ENTROPY], noise[ENTROPY : ENTROPY + NONCE], boot)
    drawn = bytearray(cards * count)
    out = bytearray(cards)
    at = ENTROPY + NONCE
    for row in range(0, cards * count, cards):
        drbg.reseed(noise[at : at + ENTROPY])
        at += ENTROPY
        draw(cards, drbg, out)
        drawn[row : row + cards] = out
    return np.frombuffer(bytes(drawn), np.uint8).reshape(count, cards)


def decks(seed: int, boot: int, count: int, cards: int) -> Decks:
    """The orders that those plans deliver: slots are emptied in their order."""
    return invert(plans(seed, boot, count, cards))


def hashes() -> dict[str, str]:
    """SHA-256 of the files that draw, to be compared with those that an image is built from."""
    found: dict[str, str] = {}
    for module in FILES:
        path = Path(str(module.__file__))
        found[f"dovetail/chance/{path.name}"] = sha256(path.read_bytes()).hexdigest()
    return found

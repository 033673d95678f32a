"""What the ring oscillator's random bit gives: good noise, or one of the ways in which it fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Noise = Callable[[], int]


def good(seed: int) -> Noise:
    """Independent bits, no bias."""
    random = Random(f"noise {seed}")
    return lambda: random.getrandbits(1)


def biased(seed: int, ones: float) -> Noise:
    """A one with that chance, else a zero."""
    random = Random(f"noise {seed}")
    return lambda: int(random.random() < ones)


def stuck(bit: int) -> Noise:
    """The same bit for ever."""
    return lambda: bit


def alternating() -> Noise:
    """0101..."""
    last = 1

    def bit() -> int:
        nonlocal last
        last ^= 1
        return last

    return bit


def vanishing(seed: int, after: int) -> Noise:
    """Good for so many bits, then stuck at the last."""
    random = Random(f"noise {seed}")
    left, last = after, 0

    def bit() -> int:
        nonlocal left, last
        if left > 0:
            left -= 1
            last = random.getrandbits(1)
        return last

    return bit

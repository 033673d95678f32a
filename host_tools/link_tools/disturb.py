"""A line that loses, doubles, swaps, bends and holds back bytes, by chance from a seed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from random import Random


@dataclass(frozen=True)
class Shares:
    """Of each thing that can happen to a byte, how often it does: 0.01 is one in a hundred."""

    drop: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0  # with the next one
    flip: float = 0.0  # one bit
    delay: float = 0.0  # it, and all behind it, by up to LONGEST_S

    def __str__(self) -> str:
        return ", ".join(f"{f.name} {getattr(self, f.name):g}" for f in fields(self))


KINDS = tuple(field.name for field in fields(Shares))
LONGEST_S = 0.05


class Disturber:
    """One direction of a line. `counts`: what was done to how many bytes."""

    def __init__(self, shares: Shares, seed: int | str) -> None:
        self.shares = shares
        self.counts = dict.fromkeys(("bytes", *KINDS), 0)
        self._random = Random(seed)
        self._kept = b""  # waits until the next one has overtaken it

    def take(self, data: bytes) -> list[tuple[float, bytes]]:
        """What comes out for these bytes: pieces, and by how many seconds each is held back."""
        pieces: list[tuple[float, bytes]] = []
        out = bytearray()
        for byte in data:
            self.counts["bytes"] += 1
            if self._happens("delay"):
                if out:
                    pieces.append((0.0, bytes(out)))
                    out.clear()
                pieces.append((self._random.uniform(0, LONGEST_S), b""))
            out += self._one(byte)
        if out:
            pieces.append((0.0, bytes(out)))
        return pieces

    def _one(self, byte: int) -> bytes:
        one = bytes((byte,))
        if self._happens("drop"):
            one = b""
        if one and self._happens("flip"):
            one = bytes((byte ^ 1 << self._random.randrange(8),))
        if one and self._happens("duplicate"):
            one += one
        if self._kept:
            one, self._kept = one + self._kept, b""
        elif one and self._happens("reorder"):
            one, self._kept = b"", one
        return one

    def _happens(self, kind: str) -> bool:
        share: float = getattr(self.shares, kind)
        happens = share > 0 and self._random.random() < share
        self.counts[kind] += happens
        return happens

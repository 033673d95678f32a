"""The device's randomness once more, in this process: the same noise makes the same secrets.

What is made on the way is written down. That is what must not lie in a board's memory.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, cast
from unittest import mock

from dovetail.chance import hmac_drbg, kat, source
from dovetail.chance.chance import Chance

from hil_tests.sha256_states import states


class _Generator(Protocol):
    """The device's generator; its own file carries no types."""

    _inner: bytearray
    _outer: bytearray


class _Device(Protocol):
    """The device's source of randomness."""

    _drbg: _Generator

    def start(self) -> None: ...
    def tend(self) -> bool: ...
    def plan(self, n: int, out: bytearray) -> None: ...


class _Noise:
    """The samples that a board has read."""

    def __init__(self) -> None:
        self.left = b""

    def bits(self, buffer: bytearray) -> None:
        """The next samples, one a byte."""
        buffer[:], self.left = self.left[: len(buffer)], self.left[len(buffer) :]


class _Hash:
    """SHA-256 that writes down what is hashed."""

    log: list[bytes] | None = None

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytes(data)

    def update(self, data: bytes) -> None:
        self._data += bytes(data)

    def digest(self) -> bytes:
        if _Hash.log is not None:
            _Hash.log.append(self._data)
        return hashlib.sha256(self._data).digest()


@contextmanager
def _listening() -> Generator[list[bytes]]:
    """Every message that is hashed meanwhile."""
    log: list[bytes] = []
    _Hash.log = log
    with mock.patch.object(hmac_drbg, "sha256", _Hash), mock.patch.object(source, "sha256", _Hash):
        yield log
    _Hash.log = None


class Twin:
    """A board's chance from power-on. `secrets`: all that it ever made."""

    def __init__(self, unique_id: bytes, boots: int) -> None:
        self.secrets: dict[str, bytes] = {}
        self._noise = _Noise()
        self._chance = cast(_Device, Chance(self._noise, unique_id, boots))
        with _listening() as public:
            passes = cast(Callable[[Callable[[bytes], None]], bool], kat.passes)  # pyright: ignore[reportUnknownMemberType]
            assert passes(lambda digest: None)
        self._public = set(public)

    def start(self, samples: Sequence[int]) -> None:
        """What the board did at power-on with these samples."""
        self._follow(samples, self._chance.start)

    def order(self, samples: Sequence[int], cards: int) -> list[int]:
        """The plan that the board drew with these samples."""
        out = bytearray(cards)

        def draw() -> None:
            while self._chance.tend():
                pass
            self._chance.plan(cards, out)

        self._follow(samples, draw)
        return list(out)

    def live(self) -> dict[str, bytes]:
        """The generator's working state, as its two buffers hold it."""
        drbg = self._chance._drbg  # pyright: ignore[reportPrivateUsage]
        inner, outer = bytes(drbg._inner), bytes(drbg._outer)  # pyright: ignore[reportPrivateUsage]
        return {
            "K, inner": inner[:32],
            "V": inner[64:96],
            "K, outer": outer[:32],
            "tail": outer[64:],
        }

    def gone(self) -> dict[str, bytes]:
        """All that was made, but for the working state of now."""
        live = self.live().values()
        return {what: secret for what, secret in self.secrets.items() if secret not in live}

    def _follow(self, samples: Sequence[int], step: Callable[[], None]) -> None:
        self._noise.left = bytes(samples)
        with _listening() as log:
            step()
        assert not self._noise.left, "the board has read more noise than its twin"
        packed = bytes(
            int("".join(map(str, samples[i : i + 8])), 2) for i in range(0, len(samples), 8)
        )
        self._note("noise", packed)
        for message in log:
            if message not in self._public:
                self._note_hash(message)

    def _note_hash(self, message: bytes) -> None:
        """A digest, also as the keys made of it, and what the hash object held on the way."""
        *between, last = states(message)
        for state in between:
            self._note("state", _bytes(state))
        digest = _bytes(last)
        for what, mask in (("digest", 0), ("inner key", 0x36), ("outer key", 0x5C)):
            self._note(what, bytes(x ^ mask for x in digest))

    def _note(self, what: str, secret: bytes) -> None:
        """As bytes, and as the words that a hash works with."""
        number = len(self.secrets)
        words = len(secret) // 4
        swapped = struct.pack(f"<{words}I", *struct.unpack(f">{words}I", secret))
        self.secrets[f"{what} {number}"] = secret
        self.secrets[f"{what} {number}, in words"] = swapped


def _bytes(state: Sequence[int]) -> bytes:
    return struct.pack(">8I", *state)

"""The RP2350's noise part read from a model of its registers: no emulator has that chip."""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable
from random import Random
from typing import Any, cast

import pytest

from host_tools.build.tell import ROOT

FILE = ROOT / "firmware" / "dovetail" / "hal" / "rp2350_noise.py"
BATCH = 192
ICR, VALID, DATA, ENABLE, COUNT, BYPASS, RESET = 66, 68, 69, 75, 76, 78, 80
BATCH_US = BATCH * 10


class Trng:
    """Registers by their word; `given`: every sample of every batch that was read."""

    def __init__(self) -> None:
        self.random = Random("trng")
        self.now_us = 0
        self.done_us: int | None = None
        self.resets = 0
        self.settings: dict[int, int] = {}
        self.given: list[int] = []
        self.hangs = self.stands_still = self.repeats = False

    def sleep_us(self, us: int) -> None:
        self.now_us += us

    def __setitem__(self, register: int, value: int) -> None:
        self.settings[register] = value
        if register == RESET:
            self.resets += 1
        if register == ENABLE:
            assert (self.settings[COUNT], self.settings[BYPASS]) == (1500, 14)
            self._begin()

    def __getitem__(self, register: int) -> int:
        if register == VALID:
            return int(self.done_us is not None and self.now_us >= self.done_us)
        assert self[VALID], "read before it was there"
        word = register - DATA
        value = sum(bit << i for i, bit in enumerate(self.batch[32 * word : 32 * word + 32]))
        if word == 5 and not self.stands_still:
            self.given += self.batch
            self._begin()
        return value

    def _begin(self) -> None:
        if not self.repeats:
            self.batch = [self.random.getrandbits(1) for _ in range(BATCH)]
        self.done_us = None if self.hangs else self.now_us + BATCH_US


@pytest.fixture
def trng(monkeypatch: pytest.MonkeyPatch) -> Trng:
    """The part, and a clock that its waits turn."""
    part = Trng()
    monkeypatch.setattr(time, "sleep_us", part.sleep_us, raising=False)
    return part


def _reader(trng: Trng) -> Callable[[bytearray], None]:
    """The device's file, run as it is; viper's pointers are what they point at."""

    def ptr32(there: int | bytearray) -> Trng | memoryview:
        if isinstance(there, bytearray):
            return memoryview(there).cast("I")
        assert there == 0x400F_0000
        return trng

    pointers: dict[str, Any] = {"ptr32": ptr32, "ptr8": lambda buffer: buffer}  # pyright: ignore[reportUnknownLambdaType]
    return cast(Callable[[bytearray], None], runpy.run_path(str(FILE), pointers)["bits"])


def test_every_sample_is_given_once_and_in_order(trng: Trng) -> None:
    bits = _reader(trng)
    had: list[int] = []
    for size in (64, 64, 64, 64, 1, 191, 192, 193, 1000, 64):
        samples = bytearray(b"\xff" * size)
        bits(samples)
        had += samples
    assert had == trng.given[: len(had)]
    assert len(trng.given) - len(had) < BATCH
    assert trng.resets == 1  # the oscillator is never stopped


def test_what_was_given_is_not_kept(trng: Trng) -> None:
    bits = _reader(trng)
    bits(bytearray(100))
    batch = cast(Any, bits).__globals__["_batch"]
    assert not any(batch[:100])
    assert list(batch[100:]) == trng.given[100:BATCH]


@pytest.mark.parametrize(
    ("kind", "told"),
    [("hangs", "does not answer"), ("stands_still", "stands still"), ("repeats", "repeats itself")],
)
def test_a_part_that_gives_nothing_new_is_an_error(trng: Trng, kind: str, told: str) -> None:
    bits = _reader(trng)
    bits(bytearray(2 * BATCH))
    setattr(trng, kind, True)
    with pytest.raises(OSError, match=told):
        bits(bytearray(3 * BATCH))
    assert trng.now_us < 1_000_000
    file = cast(Any, bits).__globals__
    assert not any(file["_batch"])
    assert not any(file["_before"])


def test_words_that_come_again_are_no_error_alone(trng: Trng) -> None:
    """Five of six: rare, but not what a part that has stopped gives."""
    bits = _reader(trng)
    bits(bytearray(BATCH))
    trng.repeats = True
    bits(bytearray(BATCH))
    trng.batch[100] ^= 1
    bits(bytearray(BATCH))
    with pytest.raises(OSError, match="repeats itself"):
        bits(bytearray(BATCH))

"""Looks through memory for an order of cards, in every guise that it could have, and for bytes.

Side by side an order is looked for by the differences of neighbours, so that it does not matter
from where slots or cards are counted: nine cards in a row make a find. Memory that knows nothing
of an order, drawn uniformly, agrees with given nine in a given place with a chance of 1 in
51·50·…·44 = 2^44.5; there are 2^22.7 places in 264 KB of RAM and 2 MB of flash at three strides,
and 2^10.9 windows of guises: one false alarm in 2,000 runs, and a seeded run repeats.

Scattered, an order is looked for as frames of the interpreter would hold it: small ints at any
distance, each with the same pointer beside it. Eight bytes of a secret, or forty raw samples, make
a find too: by chance 1 in 2^64 in each place, and 1 in 2^40.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from dovetail.motion.ramp import ramp  # pyright: ignore[reportUnknownVariableType]
from numpy.typing import NDArray

from boards import mechanics as M

STRIDES = (1, 2, 4)
FACTORS = {1: "", 2: ", as small ints", M.SLOT_STEPS: ", in steps"}  # a small int is 2 n + 1
RUN = 8  # differences, or bytes, that make a find
SAMPLES = 40
BESIDE = [*range(-12, 0), *range(1, 13)]  # words between a number and the pointer that goes with it
POINTERS = 0x1000_0000  # flash and RAM begin here

_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd: no two keys become one
_BITS = re.compile(rb"[\0\1]{%d,}" % SAMPLES)

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]


class Find(NamedTuple):
    """What lies where in a piece of memory; stride 0: scattered."""

    what: str
    stride: int
    offset: int


def guises(plan: Sequence[int], delivered: Sequence[int]) -> dict[str, list[int]]:
    """What tells an order. plan: the slot of each card; delivered: the card of each place."""
    turns = [(b - a) % M.SLOTS for a, b in pairwise(plan)]
    return {
        "slots by card": list(plan),
        "cards by slot": _inverse(plan),
        "slots at the ejector": [(slot - M.EXIT_SLOTS) % M.SLOTS for slot in plan],
        "turns of the wheel": turns,
        "shorter turns of the wheel": [min(turn, M.SLOTS - turn) for turn in turns],
        "cards as delivered": list(delivered),
        "places by card": _inverse(delivered),
    }


def _inverse(order: Sequence[int]) -> list[int]:
    return sorted(range(len(order)), key=lambda i: order[i])


def find_order(memory: bytes, orders: Mapping[str, Sequence[int]]) -> list[Find]:
    """Every stretch of memory that holds nine or more of an order's numbers in a row."""
    wanted = {key: what for what, row in _rows(orders) for key in _windows(row)}
    cells = np.frombuffer(memory, np.uint8)
    found: list[Find] = []
    for stride in STRIDES:
        keys = _keys(cells[stride:] - cells[:-stride], stride)
        found += [Find(what, stride, at) for what, at in _matches(keys, wanted, stride)]
    return found + _find_scattered(memory, orders)


def find_bytes(memory: bytes, secrets: Mapping[str, bytes]) -> list[Find]:
    """Every stretch of memory that holds eight or more bytes of a secret in a row."""
    wanted = {key: what for what, secret in secrets.items() for key in _windows(secret)}
    keys = _keys(np.frombuffer(memory, np.uint8), 1)
    return [Find(what, 1, at) for what, at in _matches(keys, wanted, 1)]


def find_samples(memory: bytes, samples: bytes) -> list[Find]:
    """Every stretch of memory that holds forty or more raw samples in a row, one a byte."""
    wanted = {samples[at : at + SAMPLES] for at in range(len(samples) - SAMPLES + 1)}
    found: list[Find] = []
    for stretch in _BITS.finditer(memory):
        for at in range(stretch.start(), stretch.end() - SAMPLES + 1):
            if memory[at : at + SAMPLES] in wanted:
                found.append(Find("samples", 1, at))
                break
    return found


# -- side by side ------------------------------------------------------------------------------


def _rows(orders: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, bytes]]:
    """Differences of neighbours; of two names for the same row the first one in orders counts."""
    for name, order in reversed(list(orders.items())):
        for factor, guise in FACTORS.items():
            for direction, way in ((", backwards", -1), ("", 1)):
                row = bytes((b - a) * factor & 255 for a, b in pairwise(order[::way]))
                yield name + guise + direction, row


def _windows(row: bytes) -> list[int]:
    return [int.from_bytes(row[at : at + RUN], "little") for at in range(len(row) - RUN + 1)]


def _keys(cells: Bytes, stride: int) -> Keys:
    """For every place, the eight cells from there on at that stride, as one number."""
    count = max(len(cells) - (RUN - 1) * stride, 0)
    keys = np.zeros(count, np.uint64)
    for i in range(RUN):
        keys |= cells[i * stride : i * stride + count].astype(np.uint64) << np.uint64(8 * i)
    return keys


def _hash(keys: Keys) -> NDArray[np.intp]:
    """Twenty bits of each key."""
    return (keys * _MIX >> np.uint64(44)).astype(np.intp)


def _matches(keys: Keys, wanted: Mapping[int, str], stride: int) -> Iterator[tuple[str, int]]:
    """Where a wanted key lies; of a stretch of neighbours only the first."""
    may_be = np.zeros(1 << 20, np.bool_)
    may_be[_hash(np.fromiter(wanted, np.uint64))] = True
    last = -stride - 1
    for place in np.flatnonzero(may_be[_hash(keys)]):
        at = int(place)
        what = wanted.get(int(keys[at]))
        if what is not None:
            if at - last != stride:
                yield what, at
            last = at


# -- scattered ---------------------------------------------------------------------------------


def _turn_us(slots: int) -> int:
    """How long the wheel takes for so many slots, as its axis computes it."""
    up = ramp(*M.AXES["wheel"])[0]
    steps = slots * M.SLOT_STEPS
    m = min(len(up), steps // 2)
    return 2 * sum(up[:m]) + (steps - 2 * m) * up[m - 1]


# What a small int beside a pointer may mean: an order's own number, or how long that turn took
READINGS = {
    "": {number: number for number in range(M.SLOTS)},
    " as times": {_turn_us(slots): slots for slots in range(1, M.SLOTS // 2 + 1)},
}


def _find_scattered(memory: bytes, orders: Mapping[str, Sequence[int]]) -> list[Find]:
    """Every pointer beside which nine or more of an order's numbers stand, one after another."""
    wanted: dict[bytes, str] = {}
    for name, order in orders.items():
        for row in (bytes(order), bytes(reversed(order))):
            wanted |= {row[at : at + RUN + 1]: name for at in range(len(row) - RUN)}
    words = np.frombuffer(memory[: len(memory) & -4], "<u4")
    found: list[Find] = []
    for what, reading in READINGS.items():
        found += _find_read(words, wanted, what, reading)
    return found


def _find_read(
    words: NDArray[np.uint32], wanted: Mapping[bytes, str], what: str, reading: Mapping[int, int]
) -> list[Find]:
    """The same in one reading of small ints."""
    places = np.flatnonzero(np.isin(words, [2 * number + 1 for number in reading]))
    found: list[Find] = []
    for beside in BESIDE:
        here = places[(places + beside >= 0) & (places + beside < len(words))]
        pointers = words[here + beside]
        here, pointers = here[pointers >= POINTERS], pointers[pointers >= POINTERS]
        sorting = np.argsort(pointers, kind="stable")
        numbers = [reading[number] for number in (words[here[sorting]] >> 1).tolist()]
        pairs = zip(pointers[sorting].tolist(), numbers, strict=True)
        for pointer, group in groupby(pairs, key=lambda pair: pair[0]):
            row = bytes(number for number, _ in groupby(number for _, number in group))
            hit = next(
                (row[i : i + RUN + 1] for i in range(len(row)) if row[i : i + RUN + 1] in wanted),
                None,
            )
            if hit is not None:
                name = f"{wanted[hit]}{what}, scattered beside {pointer:#x}"
                found.append(Find(name, 0, beside))
    return found

"""Looks through a board's memory for an order of cards, in every guise that it could be left in, and for bytes.

An order is looked for by the differences of neighbours, so that it does not matter from where slots
or cards are counted. Nine cards in a row make a find. Memory that knows nothing of an order, drawn
uniformly, agrees with given nine in a given place with a chance of 1 in 51·50·…·44 = 2^44.5; there
are 2^22.7 places in 264 KB of RAM and 2 MB of flash at three strides, and 2^10.9 windows of guises:
one false alarm in 2,000 runs, and a seeded run has it always or never. Eight bytes of a secret make
a find too: by chance 1 in 2^64 in each place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boards import mechanics as M

STRIDES = (1, 2, 4)
FACTORS = {1: "", 2: ", as small ints", M.SLOT_STEPS: ", in steps"}  # a small int is 2 n + 1
RUN = 8  # differences, or bytes, that make a find
SAMPLES = 40  # raw samples, one a byte, that make a find

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]


class Find(NamedTuple):
    """What lies where in a piece of memory."""

    what: str
    stride: int
    offset: int


def guises(plan: Sequence[int], delivered: Sequence[int]) -> dict[str, list[int]]:
    """What tells an order. plan: the slot of each card; delivered: the card of each place."""
    moves = [(b - a) % M.SLOTS for a, b in pairwise(plan)]
    return {
        "slots by card": list(plan),
        "cards by slot": _inverse(plan),
        "slots at the ejector": [(slot - M.EXIT_SLOTS) % M.SLOTS for slot in plan],
        "turns of the wheel": moves,
        "shorter turns of the wheel": [min(turn, M.SLOTS - turn) for turn in moves],
        "delivered": list(delivered),
        "places by card": _inverse(delivered),
    }


def _inverse(order: Sequence[int]) -> list[int]:
    return sorted(range(len(order)), key=lambda i: order[i])


def find_order(memory: bytes, orders: Mapping[str, Sequence[int]]) -> list[Find]:
    """Every stretch of memory that holds nine or more of an order's numbers in a row."""
    wanted = _order_keys(orders)
    cells = np.frombuffer(memory, np.uint8)
    found: list[Find] = []
    for stride in STRIDES:
        keys = _keys(cells[stride:] - cells[:-stride], stride)
        found += [Find(what, stride, at) for what, at in _matches(keys, wanted, stride)]
    return found


def find_bytes(memory: bytes, secrets: Mapping[str, bytes]) -> list[Find]:
    """Every stretch of memory that holds eight or more bytes of a secret in a row."""
    wanted: dict[int, str] = {}
    for what, secret in secrets.items():
        for at in range(len(secret) - RUN + 1):
            wanted[int.from_bytes(secret[at : at + RUN], "little")] = what
    keys = _keys(np.frombuffer(memory, np.uint8), 1)
    return [Find(what, 1, at) for what, at in _matches(keys, wanted, 1)]


def find_samples(memory: bytes, samples: bytes) -> list[Find]:
    """Every stretch of memory that holds forty or more raw samples in a row, one a byte."""
    found: list[Find] = []
    for at in range(len(samples) - SAMPLES + 1):
        offset = memory.find(samples[at : at + SAMPLES])
        if offset >= 0:
            found.append(Find(f"samples from {at}", 1, offset))
    return found


def _order_keys(orders: Mapping[str, Sequence[int]]) -> dict[int, str]:
    wanted: dict[int, str] = {}
    for name, order in orders.items():
        for factor, guise in FACTORS.items():
            for direction, turned in (("", 1), (", backwards", -1)):
                row = [(b - a) * factor & 255 for a, b in pairwise(order[::turned])]
                for at in range(len(row) - RUN + 1):
                    key = int.from_bytes(bytes(row[at : at + RUN]), "little")
                    wanted[key] = name + guise + direction
    return wanted


def _keys(cells: Bytes, stride: int) -> Keys:
    """For every place, the eight cells from there on at that stride, as one number."""
    count = max(len(cells) - (RUN - 1) * stride, 0)
    keys = np.zeros(count, np.uint64)
    for i in range(RUN):
        keys |= cells[i * stride : i * stride + count].astype(np.uint64) << np.uint64(8 * i)
    return keys


def _matches(keys: Keys, wanted: Mapping[int, str], stride: int) -> Iterable[tuple[str, int]]:
    """Where a wanted key lies; of a stretch of neighbours only the first."""
    hits = np.flatnonzero(np.isin(keys, np.fromiter(wanted, np.uint64)))
    last = -stride - 1
    for place in hits:
        at = int(place)
        if at - last != stride:
            yield wanted[int(keys[at])], at
        last = at

"""Orders written into a copy of a memory, in every form that the search must find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from hil_tests import memory

ROOM = 128  # bytes that a planted row may take, so that none writes over another


def side_by_side(
    ram: bytearray, at: int, row: Sequence[int], stride: int, factor: int, shift: int = 0
) -> None:
    """The row's numbers as bytes at this stride, multiplied, counted from anywhere."""
    for i, number in enumerate(row):
        ram[at + i * stride] = (number * factor + shift) & 255


def scattered(
    ram: bytearray, places: Sequence[int], row: Sequence[int], reading: str, pointer: int
) -> None:
    """The row's numbers as small ints, each beside the same pointer."""
    written = {number: value for value, number in memory.READINGS[reading].items()}
    for at, number in zip(places, row, strict=True):
        ram[at : at + 4] = pointer.to_bytes(4, "little")
        ram[at + 12 : at + 16] = (2 * written[number] + 1).to_bytes(4, "little")


def missed(ram: bytes, orders: Mapping[str, Sequence[int]]) -> list[str]:
    """Every form of every guise is planted in this memory, and looked for; what was not found."""
    planted, changed = count(0x4000, ROOM), bytearray(ram)
    forms: dict[int, tuple[str, int]] = {}
    pointers: dict[str, str] = {}
    length = memory.RUN + 1
    for name, order in orders.items():
        for row in (order[5 : 5 + length], order[5 + length : 5 : -1]):
            for stride in memory.STRIDES:
                for factor, what in memory.FACTORS.items():
                    at = next(planted)
                    side_by_side(changed, at, row, stride, factor)
                    forms[at] = f"{name}{what} at stride {stride}", stride
            for reading, numbers in memory.READINGS.items():
                if set(row) <= set(numbers.values()):
                    places = [next(planted) for _ in row]
                    pointer = memory.POINTERS + places[0]
                    scattered(changed, places, row, reading, pointer)
                    pointers[f"scattered beside {pointer:#x}"] = f"{name}{reading}, scattered"
    found = memory.find_order(bytes(changed), orders)
    offsets = {(find.offset, find.stride) for find in found}
    # the cell before a row may fit by chance
    told = [
        what
        for at, (what, stride) in forms.items()
        if not {(at, stride), (at - stride, stride)} & offsets
    ]
    seen = " ".join(find.what + " " for find in found)
    return told + [what for name, what in pointers.items() if name + " " not in seen]

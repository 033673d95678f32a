"""The wheel as a ring of slots, seen from the side of its axle, turning as the wheel turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan2, hypot, pi

from boards import mechanics as M
from host_tools.play.canvas import Canvas

INNER = 0.66  # of the outer radius: a card takes the rest
HUB = 0.74  # up to here a slot is drawn even when it is empty
THICK = 0.27  # of a slot's share of the circle: a card's half thickness
EMPTY, HOME = 0x5A6675, 0xE8C15A
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # four rows of two in a character

# A dot: its bit, its turn from the mouth in slots, and whether it belongs to the hub.
Dot = tuple[int, float, bool]


@lru_cache(maxsize=4)
def _shape(rows: int) -> list[tuple[int, int, list[Dot]]]:
    """The cells of a ring so many rows high, each with its dots; as wide as it is high."""
    radius = 2.0 * rows
    cells: list[tuple[int, int, list[Dot]]] = []
    for y in range(rows):
        for x in range(2 * rows):
            dots: list[Dot] = []
            for row, bits in enumerate(DOTS):
                for column, bit in enumerate(bits):
                    dx, dy = 2 * x + column + 0.5 - radius, 4 * y + row + 0.5 - radius
                    far = hypot(dx, dy) / radius
                    if INNER <= far <= 1.0:
                        turn = atan2(-dy, -dx) / (2 * pi) * M.SLOTS  # the mouth is on the left
                        dots.append((bit, turn % M.SLOTS, far <= HUB))
            if dots:
                cells.append((x, y, dots))
    return cells


def draw_ring(
    canvas: Canvas, x: int, y: int, rows: int, angle: int, slots: Sequence[int | None]
) -> None:
    """`angle`: steps past slot 0 at the mouth; `slots`: the colour of each one's card, or None."""
    turned = angle / M.SLOT_STEPS + 0.5
    for dx, dy, dots in _shape(rows):
        bits, colour = 0, EMPTY
        for bit, turn, hub in dots:
            at = turned - turn
            slot = int(at // 1)
            if -THICK <= at - slot - 0.5 <= THICK:
                card = slots[slot % M.SLOTS]
                if card is not None:
                    bits |= bit
                    colour = card
                elif hub:
                    bits |= bit
                    if slot % M.SLOTS == 0 and colour == EMPTY:
                        colour = HOME  # the mark by which the wheel knows where it stands
        if bits:
            canvas.text(x + dx, y + dy, chr(BRAILLE + bits), colour)

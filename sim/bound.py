"""The shortest time in which the mechanics could shuffle a deck: docs/motion.md derives it.

Nothing here knows the firmware. Two rules go in beside the limits of the axes: the wheel stands
while a card is between mouth and seat, and while the ejector's rod is in a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from boards import mechanics as M


def move_s(steps: float, speed: float, accel: float) -> float:
    """From rest to rest by the trapezoid of these limits, in steps and seconds."""
    if steps * accel <= speed * speed:
        return 2 * sqrt(steps / accel)
    return steps / speed + speed / accel


def from_rest_s(steps: float, speed: float, accel: float) -> float:
    """From rest to a place that is passed as fast as it may be."""
    if 2 * steps * accel <= speed * speed:
        return sqrt(2 * steps / accel)
    return steps / speed + speed / accel / 2


def turn_s(slot: int, to: int) -> float:
    """The wheel, the shorter way round."""
    away = (to - slot) % M.SLOTS
    return move_s(min(away, M.SLOTS - away) * M.SLOT_STEPS, *M.AXES["wheel"])


def roller_steps(um: float) -> float:
    """Steps of a roller for a length of path."""
    return um * M.ROLLER_STEPS_M / 1e6


def fill_s(start: int, slots: Sequence[int]) -> float:
    """Each card to its slot, the wheel at `start` and the first card at the pick nip."""
    speed, accel = M.AXES["feed"]
    enter = roller_steps(M.SEATED_UM - M.WHEEL_MOUTH_UM) / speed
    to_mouth = from_rest_s(roller_steps(M.WHEEL_MOUTH_UM), speed, accel)
    turns = sum(turn_s(a, b) for a, b in pairwise(slots))
    return max(to_mouth, turn_s(start, slots[0])) + turns + enter * len(slots)


def empty_s(start: int, cards: int) -> float:
    """Slot after slot to the shoe; it ends when the last card has passed the exit beam."""
    places = [(slot - M.EXIT_SLOTS) % M.SLOTS for slot in range(cards)]
    turns = sum(turn_s(a, b) for a, b in pairwise((start, *places)))
    speed, accel = M.AXES["eject"]
    stroke = move_s(M.STROKE_STEPS, speed, accel)
    clear = (M.EXIT_BEAM_UM + M.CARD_LENGTH_UM) * M.STROKE_STEPS / 2 / M.PUSH_UM
    return turns + stroke * (cards - 1) + from_rest_s(clear, speed, accel)


def shuffle_s(start: int, slots: Sequence[int]) -> float:
    """From the order to "counted, ready" for cards that go to these slots in this order."""
    return fill_s(start, slots) + empty_s(slots[-1], len(slots))

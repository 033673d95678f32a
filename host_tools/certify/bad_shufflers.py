"""Shufflers that must not pass: mistakes made before, to prove that the tests see them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

import numpy as np

from host_tools.certify.tally import Decks

SHELVES = 10
STUCK = 17


class CRand:
    """rand() as C's standard shows it: 32 bits of state, 15 given out."""

    def __init__(self, seed: int) -> None:
        self.state = seed & 0xFFFFFFFF

    def __call__(self) -> int:
        """The next number."""
        self.state = (self.state * 1103515245 + 12345) & 0xFFFFFFFF
        return self.state >> 16 & 0x7FFF


def shelf10(random: Random, n: int) -> list[int]:
    """Ten shelves: each card goes to one of them, above or below what lies there."""
    shelves: list[deque[int]] = [deque() for _ in range(SHELVES)]
    for card in range(n):
        choice = random.randrange(2 * SHELVES)
        shelf = shelves[choice // 2]
        if choice % 2:
            shelf.append(card)
        else:
            shelf.appendleft(card)
    return [card for shelf in shelves for card in shelf]


def rand52(random: Random, n: int) -> list[int]:
    """A hobby machine: every card changes places with card rand() % n, seeded with 32 bits."""
    rand = CRand(random.getrandbits(32))
    deck = list(range(n))
    for i in range(n):
        j = rand() % n
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def stuck_slot(random: Random, n: int) -> list[int]:
    """A sound plan on a wheel with a slot that takes no card while another is free."""
    deck = list(range(n))
    random.shuffle(deck)
    where = deck.index(n - 1)
    deck[where], deck[STUCK] = deck[STUCK], n - 1
    return deck


def fisher_yates_off_by_one(random: Random, n: int) -> list[int]:
    """A card never stays where it is put: the draw is one too short."""
    deck = list(range(n))
    for i in range(1, n):
        j = random.randrange(i)
        deck[i] = deck[j]
        deck[j] = i
    return deck


PLANTS: dict[str, Callable[[Random, int], list[int]]] = {
    "shelf10": shelf10,
    "rand52": rand52,
    "stuck_slot": stuck_slot,
    "fisher_yates_off_by_one": fisher_yates_off_by_one,
}


def decks(name: str, seed: int, number: int, count: int, cards: int) -> Decks:
    """Consecutive decks of a plant; every unit of work has its own stream."""
    random = Random(f"{name} {seed} {number}")
    return np.array([PLANTS[name](random, cards) for _ in range(count)], np.uint8)

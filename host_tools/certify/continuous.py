"""Continuous play by the device's own code: rounds, discards going back in, every card drawn.

The device is to draw each card uniformly over those inside, however long they have been there. So a
row is made of draws alone: after some rounds everything is put back, and the whole wheel is drawn
empty. A card is named by when it went in, the first being 0: if draws are uniform, so are the rows.
"""

from __future__ import annotations

from hashlib import sha256, shake_256
from pathlib import Path
from random import Random
from typing import Protocol, cast

import numpy as np
from dovetail import continuous
from dovetail.chance import permutation

from host_tools.certify.device import ENTROPY, NONCE, Drbg, draw, power_on
from host_tools.certify.tally import Decks

ROUNDS = 3  # between two rows
MOST = 16  # cards dealt in one


class Slots(Protocol):
    """The device's; its own file carries no types."""

    def full(self) -> None:
        """A card in every slot."""
        ...

    def inside(self) -> int:
        """How many hold one."""
        ...

    def draw(self, k: int) -> int:
        """The k-th that does."""
        ...

    def put(self, plan: bytearray, at: int) -> tuple[int, int]:
        """The next free one of the plan."""
        ...


class Position(Protocol):
    """The device's draw of one of k."""

    def __call__(self, k: int, drbg: Drbg) -> int:
        """From 1 to k."""
        ...


position = cast(Position, permutation.position)  # pyright: ignore[reportUnknownMemberType]


class Wheel:
    """What lies in which slot, in the order in which it went in; the slots are the device's."""

    def __init__(self, seed: int, boot: int, cards: int) -> None:
        self._noise = sha256(f"dovetail certify continuous {seed} {boot}".encode()).digest()
        self._drawn = 0
        self.drbg = power_on(self._entropy(), self._entropy()[:NONCE], boot)
        self.slots = cast(Slots, continuous.Slots(cards))
        self.plan = bytearray(cards)
        self.card: dict[int, int] = {}  # by slot
        self.came: dict[int, int] = {}  # by card: a number that grows
        self.number = 0
        self.out = list(range(cards))

    def _entropy(self) -> bytes:
        self._drawn += 1
        return shake_256(self._noise + self._drawn.to_bytes(8, "big")).digest(ENTROPY)

    def put_back(self, count: int) -> None:
        """Cards that are out go back in, as continuous.py takes them."""
        self.drbg.reseed(self._entropy())
        draw(len(self.plan), self.drbg, self.plan)
        at = 0
        for card in self.out[:count]:
            slot, at = self.slots.put(self.plan, at)
            self.card[slot] = card
            self.came[card] = self.number
            self.number += 1
        del self.out[:count]

    def next_card(self) -> int:
        """Drawn as continuous.py draws it."""
        self.drbg.reseed(self._entropy())
        card = self.card.pop(self.slots.draw(position(self.slots.inside(), self.drbg)))
        self.out.append(card)
        return card


def decks(seed: int, boot: int, count: int, cards: int) -> Decks:
    """Rows of one power-on."""
    table = Random(f"table {seed} {boot}")
    wheel = Wheel(seed, boot, cards)
    rows = np.empty((count, cards), np.uint8)
    for row in rows:
        wheel.put_back(len(wheel.out))
        for _ in range(ROUNDS):
            for _ in range(table.randint(1, min(MOST, wheel.slots.inside()))):
                wheel.next_card()
            wheel.put_back(table.randint(0, len(wheel.out)))
        wheel.put_back(len(wheel.out))
        order = sorted(range(cards), key=wheel.came.__getitem__)
        place = {card: i for i, card in enumerate(order)}
        row[:] = [place[wheel.next_card()] for _ in range(cards)]
    return rows


def hashes() -> dict[str, str]:
    """SHA-256 of the file that draws."""
    path = Path(str(continuous.__file__))
    return {f"dovetail/{path.name}": sha256(path.read_bytes()).hexdigest()}

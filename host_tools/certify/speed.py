"""How quick the device's own code is on this machine, and the simulated machine with it."""

from __future__ import annotations

import time
from random import SystemRandom
from statistics import median

from host_tools.certify import delivered, device

ROUNDS = 5
DECKS = 2000  # a round


def measure(cards: int) -> dict[str, float]:
    """Decks a second on one core, reseeding included, in turns with SystemRandom().shuffle."""
    system = SystemRandom()
    deck = list(range(cards))
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(ROUNDS):
        began = time.process_time()
        device.plans(0, number, DECKS, cards)
        between = time.process_time()
        for _ in range(DECKS):
            system.shuffle(deck)
        ours.append(DECKS / (between - began))
        theirs.append(DECKS / (time.process_time() - between))
    rate, other = median(ours), median(theirs)
    return {"device_decks_s": rate, "system_random_decks_s": other, "ratio": rate / other}


def orders_s(count: int = 50) -> float:
    """Orders a second that one core delivers by the whole simulated machine."""
    began = time.process_time()
    delivered.decks(0, 0, count, 52)
    return count / (time.process_time() - began)

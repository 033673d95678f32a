"""How quick the device's own code is on this machine, and the simulated machine with it."""

from __future__ import annotations

import time
from pathlib import Path
from random import SystemRandom
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console

from host_tools.certify import device
from host_tools.certify.judge import LEVELS
from host_tools.certify.plan import Plan, fingerprint
from host_tools.certify.run import begin, work_off
from host_tools.certify.work import here

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


def orders_s(count: int, workers: int) -> float:
    """Orders a second that a run has delivered, counted and kept: by the clock, from its begin."""
    plan = Plan(0, 52, count, 0, "", 0, LEVELS[-1], fingerprint(True))
    with TemporaryDirectory() as folder, here(workers) as processes:
        began = time.monotonic()
        work_off(begin(Path(folder), plan, False), processes, Console(quiet=True))
        return count / (time.monotonic() - began)

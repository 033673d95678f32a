"""Counts over a batch of decks: whole numbers only, so that sums are the same in any order.

A deck is a row: the card at each position, a card being named by its position before the shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from host_tools.certify.nulls import suit_sizes

Decks = NDArray[np.uint8]
Ints = NDArray[np.int64]
Tally = dict[str, Ints]

NOWHERE = 255  # the place of a card that a deck does not have


def invert(rows: Decks) -> Decks:
    """The position of each card from the card at each position, and back."""
    n = rows.shape[1]
    out = np.full_like(rows, NOWHERE)
    np.put_along_axis(out, rows.astype(np.intp), np.arange(n, dtype=np.uint8)[np.newaxis], axis=1)
    return out


def broken(decks: Decks) -> int | None:
    """The first deck that has not every card once."""
    n = decks.shape[1]
    wrong = np.flatnonzero((np.sort(decks, axis=1) != np.arange(n, dtype=np.uint8)).any(axis=1))
    return int(wrong[0]) if len(wrong) else None


def shapes(cards: int) -> dict[str, int]:
    """How many counts a tally has of each kind."""
    ordered = np.tile(np.arange(cards, dtype=np.uint8), (2, 1))
    return {name: len(counts) for name, counts in tally(ordered).items()}


def tally(decks: Decks) -> Tally:
    """Everything that the tests need to know of consecutive decks."""
    n = decks.shape[1]
    place = invert(decks)
    return {
        "decks": np.array([len(decks)], np.int64),
        "position_card": position_card(decks),
        "right_guesses": _histogram(right_guesses(decks), n),
        "rising_sequences": _histogram(rising_sequences(place), n),
        "successions": _histogram(successions(decks), n),
        "fixed_points": _histogram(fixed_points(decks), n),
        "cycles": _histogram(cycles(decks), n),
        "suit_runs": _histogram(runs(decks, suit_sizes(n)), n),
        "same_places": _histogram(same_places(decks), n),
        "serial": np.array([serial(place)], np.int64),
    }


def add(total: Tally, more: Tally) -> None:
    """Into total."""
    for name, counts in more.items():
        total[name] = total[name] + counts if name in total else counts


def _histogram(values: Ints, n: int) -> Ints:
    return np.bincount(values, minlength=n + 1).astype(np.int64)


def position_card(decks: Decks) -> Ints:
    """How often each card came to each position; row by row, a row is a position."""
    n = decks.shape[1]
    cell: Ints = decks + np.arange(0, n * n, n, dtype=np.int64)
    return np.bincount(cell.ravel(), minlength=n * n).astype(np.int64)


def rising_sequences(place: Decks) -> Ints:
    """One more than the cards that lie before the card that was above them."""
    return 1 + np.count_nonzero(place[:, 1:] < place[:, :-1], axis=1).astype(np.int64)


def successions(decks: Decks) -> Ints:
    """Cards right behind the card that was right before them."""
    return np.count_nonzero(decks[:, 1:] - decks[:, :-1] == 1, axis=1).astype(np.int64)


def fixed_points(decks: Decks) -> Ints:
    """Cards that lie where they lay."""
    return np.count_nonzero(decks == np.arange(decks.shape[1], dtype=np.uint8), axis=1).astype(
        np.int64
    )


def cycles(decks: Decks) -> Ints:
    """Every card learns the least card of its cycle, looking twice as far in each turn."""
    n = decks.shape[1]
    here = np.arange(decks.size).reshape(decks.shape)
    jump = decks + (here - here % n)
    least = here
    reach = 1
    while reach < n:
        least = np.minimum(least, least.take(jump))
        jump = jump.take(jump)
        reach *= 2
    return np.count_nonzero(least == here, axis=1).astype(np.int64)


def runs(decks: Decks, sizes: Sequence[int]) -> Ints:
    """Runs of cards of one suit."""
    suits = np.repeat(np.arange(len(sizes), dtype=np.uint8), sizes)[decks]
    return 1 + np.count_nonzero(suits[:, 1:] != suits[:, :-1], axis=1).astype(np.int64)


def same_places(decks: Decks) -> Ints:
    """Positions at which a deck has the card that the deck before it had there."""
    return np.count_nonzero(decks[1:] == decks[:-1], axis=1).astype(np.int64)


def serial(place: Decks) -> int:
    """Sum over pairs of consecutive decks and over cards: place times place before.

    Both from the middle of the deck in half places, so that it is a whole number: Spearman's
    correlation but for its scale.
    """
    n = place.shape[1]
    half = 2 * place.astype(np.int32) - (n - 1)
    return int(np.sum(half[1:] * half[:-1], dtype=np.int64))


def right_guesses(decks: Decks) -> Ints:
    """How often a guesser is right who sees every card after guessing it.

    This one reads shelf machines and riffles: go on in the direction of the last two cards, to the
    next card that was not seen; turn where there is none. Against uniform decks all guessers are
    alike.
    """
    count, n = decks.shape
    one = np.uint64(1)
    full = np.uint64((1 << n) - 1)
    left = np.full(count, full)  # a bit a card that was not seen
    mirror = left.copy()  # the same in reverse order: the next lower card is its next higher bit
    right = np.zeros(count, np.int64)
    guess = np.full(
        count, one
    )  # the card itself, as a bit; the first guess is the card that lay on top
    before = np.full(
        count, (n - 1) // 2, np.uint64
    )  # a high first card is taken to begin a falling run
    columns = np.ascontiguousarray(decks.T).astype(np.uint64)
    last = np.uint64(n - 1)
    for card in columns:
        bit = one << card
        right += guess == bit
        back = one << (last - card)
        left ^= bit
        mirror ^= back
        above = _lowest(left & ~(bit - one))
        below = _mirrored(_lowest(mirror & ~(back - one)), last)
        rising = card > before
        first = np.where(rising, above, below)
        guess = np.where(first != 0, first, np.where(rising, below, above))
        before = card
    return right


def _lowest(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return bits & (~bits + np.uint64(1))


def _mirrored(bit: NDArray[np.uint64], last: np.uint64) -> NDArray[np.uint64]:
    """A single bit b as bit last - b; none stays none."""
    return np.where(bit != 0, (np.uint64(1) << last) // np.maximum(bit, np.uint64(1)), bit)

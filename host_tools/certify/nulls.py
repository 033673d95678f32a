"""What uniform decks give: for each statistic the exact number of decks that have each value.

A row of counts is indexed by the value; divided by its sum it is the distribution. Nothing here is
approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, factorial

Counts = list[int]

SUIT = 13


def suit_sizes(cards: int) -> list[int]:
    """Cards of each suit; jokers are a suit of their own."""
    return [SUIT] * 4 + ([cards - 4 * SUIT] if cards > 4 * SUIT else [])


def derangements(n: int) -> Counts:
    """Permutations of 0 to n cards in which none is in its place."""
    row = [1, 0]
    for k in range(2, n + 1):
        row.append((k - 1) * (row[k - 1] + row[k - 2]))
    return row[: n + 1]


def fixed_points(n: int) -> Counts:
    """Choose the cards that stay, derange the others."""
    none = derangements(n)
    return [comb(n, k) * none[n - k] for k in range(n + 1)]


def successions(n: int) -> Counts:
    """Cards right behind the one before them: choose k of n - 1 pairs, glue, keep others apart."""
    none = derangements(n)
    return [comb(n - 1, k) * (none[n - k] + none[n - k - 1]) for k in range(n)]


def cycles(n: int) -> Counts:
    """Stirling numbers of the first kind: a card opens a cycle or goes behind one before it."""
    row = [1]
    for m in range(n):
        row = [m * a + b for a, b in zip([*row, 0], [0, *row], strict=True)]
    return row


def right_guesses(n: int) -> Counts:
    """With k cards left any guess is right in one case of k, whatever was seen: as for cycles."""
    return cycles(n)


def rising_sequences(n: int) -> Counts:
    """Eulerian numbers: r rising sequences are r - 1 descents of the inverse order."""
    row = [1]
    for m in range(2, n + 1):
        up, down = [*row, 0], [0, *row]
        row = [(k + 1) * up[k] + (m - k) * down[k] for k in range(m)]
    return [0, *row]


def runs(sizes: Sequence[int]) -> Counts:
    """Runs of one suit, over all orders of the suits.

    Cut suit i into j[i] blocks and order all blocks: an order with e equal neighbours comes out
    once for each choice of the n - sum(j) neighbours that stay joined. Inclusion and exclusion
    gives the orders with exactly e.
    """
    n = sum(sizes)
    ways = [Fraction(1)]  # by the number of blocks, over the factorials of each suit's blocks
    for size in sizes:
        longer = [Fraction(0)] * (len(ways) + size)
        for blocks, way in enumerate(ways):
            for j in range(1, size + 1):
                longer[blocks + j] += way * Fraction(comb(size - 1, j - 1), factorial(j))
        ways = longer
    joined = [int(ways[n - k] * factorial(n - k)) for k in range(n)]  # by the neighbours chosen
    counts = [0] * (n + 1)
    for e in range(n):
        counts[n - e] = sum((-1) ** (k - e) * comb(k, e) * joined[k] for k in range(e, n))
    return counts


def suit_runs(n: int) -> Counts:
    """Of a deck with four suits, and jokers if it has any."""
    return runs(suit_sizes(n))


# Statistics of which every deck, or every pair of consecutive decks, gives one number.
NULLS: dict[str, Callable[[int], Counts]] = {
    "right_guesses": right_guesses,
    "rising_sequences": rising_sequences,
    "successions": successions,
    "fixed_points": fixed_points,
    "cycles": cycles,
    "suit_runs": suit_runs,
    "same_places": fixed_points,  # two independent uniform orders differ by a uniform one
}


def mean(counts: Counts) -> Fraction:
    """The expected value."""
    return Fraction(sum(k * count for k, count in enumerate(counts)), sum(counts))


def variance(counts: Counts) -> Fraction:
    """Of one deck."""
    square = Fraction(sum(k * k * count for k, count in enumerate(counts)), sum(counts))
    return square - mean(counts) ** 2


def probabilities(counts: Counts) -> list[float]:
    """The distribution."""
    total = sum(counts)
    return [float(Fraction(count, total)) for count in counts]

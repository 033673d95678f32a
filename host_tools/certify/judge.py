"""From counts to p-values, and from p-values to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from host_tools.certify import nulls
from host_tools.certify.tally import Tally

LEAST_EXPECTED = 5.0  # in a class of a histogram; fewer are joined with their neighbour
LEVELS = (95, 99)  # % confidence

NORMAL = "normal: the sum of independent decks, mean and variance exact"
SHAPE = "χ²: classes of at least 5 expected decks, probabilities exact"
TABLE = "χ²: n - 1 of n parts of the usual sum; mean exact, variance exact but for a share of 1/N"


@dataclass(frozen=True)
class Finding:
    """One question to one source of decks, and the answer."""

    source: str
    name: str
    kind: str  # mean, shape, table
    n: int  # decks, or pairs of consecutive decks
    null: str
    observed: float
    expected: float
    sd: float
    df: int  # of a χ², else 0
    z: float  # for χ² the same by its mean and variance
    p: float  # both tails
    holm: float = 1.0  # corrected for the number of tests in its family

    def fields(self) -> dict[str, str | int | float]:
        """For results.json."""
        return asdict(self)

    def critical(self, level: int) -> float:
        """What a single upper-tail test at this confidence allows; for χ² only."""
        return float(stats.chi2.ppf(level / 100, self.df))


def both_tails(below: float, above: float) -> float:
    """From the probability of so little and of so much."""
    return min(1.0, 2 * min(below, above))


def by_normal(
    source: str, name: str, n: int, observed: float, expected: float, sd: float
) -> Finding:
    """A sum over n decks, told as a mean of one."""
    z = (observed - expected) / (sd / sqrt(n))
    p = both_tails(float(stats.norm.cdf(z)), float(stats.norm.sf(z)))
    return Finding(source, name, "mean", n, NORMAL, observed, expected, sd / sqrt(n), 0, z, p)


def by_chi2(source: str, name: str, kind: str, n: int, value: float, df: int) -> Finding:
    """A χ² sum: too much is too far off, too little is too good."""
    p = both_tails(float(stats.chi2.cdf(value, df)), float(stats.chi2.sf(value, df)))
    sd = sqrt(2 * df)
    null = TABLE if kind == "table" else SHAPE
    return Finding(source, name, kind, n, null, value, float(df), sd, df, (value - df) / sd, p)


def classes(expected: Sequence[float]) -> list[slice]:
    """Neighbouring values joined until each class expects enough; the rest goes to the last one."""
    ends: list[int] = []
    total = 0.0
    for value, decks in enumerate(expected):
        total += decks
        if total >= LEAST_EXPECTED:
            ends.append(value + 1)
            total = 0.0
    ends[-1] = len(expected)
    return [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def judge_histogram(source: str, name: str, cards: int, seen: NDArray[np.int64]) -> list[Finding]:
    """Is the mean right, and is the shape."""
    counts = nulls.NULLS[name](cards)
    n = int(seen.sum())
    mean = float(seen @ np.arange(len(seen))) / n
    sd = sqrt(nulls.variance(counts))
    tests = [by_normal(source, name, n, mean, float(nulls.mean(counts)), sd)]
    expected = np.zeros(len(seen))
    expected[: len(counts)] = np.array(nulls.probabilities(counts)) * n
    parts = classes(expected.tolist())
    value = sum(
        float((seen[part].sum() - expected[part].sum()) ** 2 / expected[part].sum())
        for part in parts
    )
    tests.append(by_chi2(source, name, "shape", n, value, len(parts) - 1))
    return tests


def judge_table(source: str, cards: int, table: NDArray[np.int64], n: int) -> Finding:
    """Position by card.

    Each deck puts one card in each row and column, so the usual sum is n / (n - 1) times too wide
    for (n - 1)² degrees of freedom; with that taken off its mean is (n - 1)² and its variance
    2 (n - 1)² (1 - 1/N), both exact.
    """
    expected = n / cards
    usual = float(((table - expected) ** 2).sum()) / expected
    return by_chi2(
        source, "position_card", "table", n, usual * (cards - 1) / cards, (cards - 1) ** 2
    )


def judge_serial(source: str, cards: int, total: int, pairs: int) -> Finding:
    """Spearman's correlation of consecutive decks; if uniform: mean 0, variance 1 / (n - 1)."""
    squares = cards * (cards * cards - 1) / 3  # of all places from the middle, in half places
    mean = total / pairs / squares
    return by_normal(source, "serial_correlation", pairs, mean, 0.0, sqrt(1 / (cards - 1)))


def judge(source: str, cards: int, tally: Tally) -> list[Finding]:
    """Every test of one source, not yet corrected."""
    n = int(tally["decks"][0])
    tests = [judge_table(source, cards, tally["position_card"], n)]
    for name in nulls.NULLS:
        tests += judge_histogram(source, name, cards, tally[name])
    pairs = int(tally["same_places"].sum())
    tests.append(judge_serial(source, cards, int(tally["serial"][0]), pairs))
    return tests


def holm(tests: Sequence[Finding]) -> list[Finding]:
    """The same with p-values that hold for the whole family, by Holm's steps."""
    order = sorted(range(len(tests)), key=lambda i: tests[i].p)
    corrected = list(tests)
    least = 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(tests) - rank) * tests[i].p))
        corrected[i] = replace(tests[i], holm=least)
    return corrected


def passes(tests: Sequence[Finding], level: int) -> bool:
    """Whether no test of the family rejects at this confidence."""
    return all(test.holm >= 1 - level / 100 for test in tests)

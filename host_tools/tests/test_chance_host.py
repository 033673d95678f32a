"""What only the host can check of the device's randomness.

A second implementation of the generator, and the cut-offs of the health tests by arithmetic.
"""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from typing import cast

from dovetail.chance import health
from scipy import stats

from host_tools.build.tell import ROOT
from host_tools.tests.needs import unix_port
from host_tools.tests.openssl_drbg import cases

CASES = 1000
ALPHA_BITS = 30


same_in_process = cast(Callable[[str], int], import_module("drbg_calls").same)


def answers(case: str) -> int:
    return sum(not call.startswith("R") for call in case.split()[3:])


def test_openssl_gives_the_same_bits() -> None:
    given = cases(CASES)
    assert len(set(given)) == CASES
    kinds = {call[0] for case in given for call in case.split()[3:]}
    assert kinds == {"G", "P", "R"}
    assert [same_in_process(case) for case in given] == [answers(case) for case in given]


ON_MICROPYTHON = """
import sys
sys.path[:] = [".frozen", "firmware", "firmware/tests"]
from drbg_calls import same
for case in sys.stdin:
    print(same(case))
"""


def test_openssl_gives_the_same_bits_under_micropython() -> None:
    given = cases(CASES)
    result = subprocess.run(
        [str(unix_port()), "-c", ON_MICROPYTHON],
        cwd=ROOT,
        input="".join(f"{case}\n" for case in given),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [int(said) for said in result.stdout.split()] == [answers(case) for case in given]


def test_the_comparison_sees_a_difference() -> None:
    case = cases(1)[0]
    others = case.split()[1:]
    assert same_in_process(case) > 0
    assert same_in_process(" ".join([bytes(32).hex(), *others])) == -1
    assert same_in_process(case[:-1] + ("1" if case[-1] == "0" else "0")) == -1


def repetition_cut(claim: Fraction, alpha_bits: int) -> int:
    """SP 800-90B 4.4.1: 1 + ceil(alpha / H)."""
    return 1 + math.ceil(alpha_bits / claim)


def _tails(n: int, p: Fraction) -> Iterator[tuple[int, int]]:
    """P(at least k of n) for k = n, n - 1, ... 1, exact, in units of denominator^-n."""
    a, b = p.numerator, p.denominator - p.numerator
    ways = total = a**n
    for k in range(n, 0, -1):
        yield k, total
        ways = ways * k * b // ((n - k + 1) * a)
        total += ways


def _tail(n: int, cut: int, p: Fraction) -> Fraction:
    return Fraction(next(tail for k, tail in _tails(n, p) if k == cut), p.denominator**n)


def _least(n: int, p: Fraction, alpha_bits: int) -> int:
    """The least count that comes with 2^-alpha_bits at most."""
    most = p.denominator**n >> alpha_bits
    return next(k for k, tail in _tails(n, p) if tail > most) + 1


def _guess(claim: Fraction, up: bool) -> Fraction:
    """2^-H by 64 bits, rounded up or down: the cut-off must be the same for both."""
    scale = 1 << 64
    square = scale * scale // 2 ** int(2 * claim)  # (2^-H * scale)^2 for H = 1/2 and 1
    return Fraction(math.isqrt(square) + int(up), scale)


def proportion_cut(claim: Fraction, window: int, alpha_bits: int) -> int:
    """SP 800-90B 4.4.2: 1 + the least c with P(at most c) >= 1 - alpha."""
    cuts = {_least(window, _guess(claim, up), alpha_bits) for up in (False, True)}
    assert len(cuts) == 1, f"2^-{claim} is not known well enough"
    return cuts.pop()


def test_cut_offs_are_those_of_the_claim() -> None:
    claim = Fraction(1, 2)
    assert _guess(claim, False) ** 2 < Fraction(1, 2) < _guess(claim, True) ** 2
    assert repetition_cut(claim, ALPHA_BITS) == health.REPETITION_CUT
    cut = proportion_cut(claim, health.WINDOW, ALPHA_BITS)
    assert cut == health.PROPORTION_CUT
    assert cut == health.LAG_CUT
    assert health.LAGS == 16  # 34 counts: the first sample and each lag, and mirrored
    # by another's arithmetic, and for the two other rates that are often used
    for bits in (20, 30, 40):
        by_scipy = 1 + int(stats.binom.isf(2.0**-bits, health.WINDOW, 2.0**-0.5))
        assert proportion_cut(claim, health.WINDOW, bits) == by_scipy
        assert repetition_cut(claim, bits) == 1 + 2 * bits


def test_false_alarms_are_as_rare_as_the_documentation_says() -> None:
    # a part that just meets the claim, all tests of a window together
    p = _guess(Fraction(1, 2), True)
    window = _tail(health.WINDOW, health.PROPORTION_CUT, p)
    assert window <= Fraction(1, 2**ALPHA_BITS)
    counts = (2 + 2 * health.LAGS) * window
    assert Fraction(1, 2**26) < counts < Fraction(1, 2**25)
    # a run begins where a sample differs from the one before: no part that meets the claim has more
    # long runs than one that repeats itself with p throughout
    runs = health.WINDOW * (1 - p) * p ** (health.REPETITION_CUT - 1)
    assert 2**-21.8 < runs < 2**-21.7
    alarm = counts + runs
    assert 2**-21.7 < alarm < 2**-21.6
    assert 3.0 < 30 / alarm / (365 * 86400) < 3.3  # years, with an order every 30 s
    # a part with P(0) = 0.55
    p = Fraction(55, 100)
    assert _tail(health.WINDOW, health.PROPORTION_CUT, p) < Fraction(1, 2**190)
    assert p**health.REPETITION_CUT * health.WINDOW < Fraction(1, 2**42)


def test_a_deck_takes_as_many_bytes_as_the_documentation_says() -> None:
    good = [Fraction(256 // m * m, 256) for m in range(2, 55)]  # a byte decides a draw among m
    assert round(float(sum(1 / p for p in good)), 1) == 56.0
    drawn = [1.0] + [0.0] * len(good)  # how likely so many cards are drawn
    for _ in range(64):
        for i in range(len(good) - 1, -1, -1):
            moved = drawn[i] * float(good[i])
            drawn[i] -= moved
            drawn[i + 1] += moved
    assert round((1 - drawn[-1]) * 10_000) == 3


LEFT_BEHIND = """
import hashlib, uctypes
secret = bytes(range(32, 96)) * 3
h = hashlib.sha256(secret[:100])
there = uctypes.bytearray_at(id(h), 16 + 108)
before = bytes(there)
digest = h.digest()
words = bytes(digest[i ^ 3] for i in range(32))
after = bytes(there)
print(secret[64:100] in before, secret[64:80] in after, digest in after, words in after)
print(any(after[16:]))
"""


def test_the_interpreters_hash_keeps_nothing_after_the_digest() -> None:
    """Our wiping relies on it: only the digest itself is left to overwrite."""
    command = [str(unix_port()), "-c", LEFT_BEHIND]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True", "False", "False", "False", "False"]

"""What only the host can check of the device's randomness.

A second implementation of the generator, and the cut-offs of the health tests by arithmetic.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import random
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol, cast

from dovetail.chance import health
from dovetail.chance.hmac_drbg import HmacDrbg
from scipy import stats

from host_tools.build.unix import MICROPYTHON

CASES = 1000
ALPHA_BITS = 30


class Drbg(Protocol):
    """The device's generator; its own file carries no types."""

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None: ...
    def generate(self, n: int, additional: bytes = b"") -> bytearray: ...


def device_drbg(entropy: bytes, nonce: bytes, person: bytes) -> Drbg:
    return cast(Drbg, HmacDrbg(entropy, nonce, person))


class _Param(ctypes.Structure):
    """OSSL_PARAM."""

    _fields_ = (
        ("key", ctypes.c_char_p),
        ("data_type", ctypes.c_uint),
        ("data", ctypes.c_void_p),
        ("data_size", ctypes.c_size_t),
        ("return_size", ctypes.c_size_t),
    )


_UNSIGNED, _TEXT, _BYTES = 2, 4, 5


def _params(values: dict[bytes, int | str | bytes]) -> tuple[ctypes.Array[_Param], list[object]]:
    """An OSSL_PARAM list, and what must live as long as it does."""
    keep: list[object] = []
    params: list[_Param] = []
    for key, value in values.items():
        if isinstance(value, int):
            number = ctypes.c_uint(value)
            keep.append(number)
            address = ctypes.cast(ctypes.byref(number), ctypes.c_void_p)
            params.append(_Param(key, _UNSIGNED, address, ctypes.sizeof(number), 0))
        else:
            raw = value.encode() if isinstance(value, str) else value
            buffer = ctypes.create_string_buffer(raw, len(raw) + 1)
            keep.append(buffer)
            address = ctypes.cast(buffer, ctypes.c_void_p)
            kind = _TEXT if isinstance(value, str) else _BYTES
            params.append(_Param(key, kind, address, len(raw), 0))
    params.append(_Param(None, 0, None, 0, 0))
    return (_Param * len(params))(*params), keep


class OpenSslDrbg:
    """OpenSSL's HMAC_DRBG with SHA-256 over a parent that gives the entropy of the case."""

    def __init__(self, library: ctypes.CDLL, entropy: bytes, nonce: bytes, person: bytes) -> None:
        self._library = library
        self._parent = self._context(b"TEST-RAND", None)
        self._call("EVP_RAND_CTX_set_params", self._parent, self._list({b"strength": 256}))
        given = self._list({b"test_entropy": entropy, b"test_nonce": nonce})
        self._call("EVP_RAND_instantiate", self._parent, 256, 0, None, 0, given)
        self._child = self._context(b"HMAC-DRBG", self._parent)
        config = self._list({b"mac": "HMAC", b"digest": "SHA256"})
        self._call("EVP_RAND_CTX_set_params", self._child, config)
        self._call("EVP_RAND_instantiate", self._child, 256, 0, person, len(person), None)

    def reseed(self, entropy: bytes, additional: bytes) -> None:
        """From the parent, as a parent's entropy is the only kind that OpenSSL takes alone."""
        self._entropy(entropy)
        self._call("EVP_RAND_reseed", self._child, 0, None, 0, additional, len(additional))

    def generate(self, n: int, additional: bytes, entropy: bytes = b"") -> bytes:
        """With prediction resistance if there is entropy for it."""
        if entropy:
            self._entropy(entropy)
        out = ctypes.create_string_buffer(n)
        resist = 1 if entropy else 0
        given = (additional, len(additional))
        self._call("EVP_RAND_generate", self._child, out, n, 256, resist, *given)
        return out.raw

    def close(self) -> None:
        self._library.EVP_RAND_CTX_free(self._child)
        self._library.EVP_RAND_CTX_free(self._parent)

    def _entropy(self, entropy: bytes) -> None:
        given = self._list({b"test_entropy": entropy})
        self._call("EVP_RAND_CTX_set_params", self._parent, given)

    def _list(self, values: dict[bytes, int | str | bytes]) -> ctypes.Array[_Param]:
        params, self._keep = _params(values)
        return params

    def _context(self, name: bytes, parent: ctypes.c_void_p | None) -> ctypes.c_void_p:
        algorithm = ctypes.c_void_p(self._library.EVP_RAND_fetch(None, name, None))
        assert algorithm.value, f"OpenSSL has no {name.decode()}"
        context = ctypes.c_void_p(self._library.EVP_RAND_CTX_new(algorithm, parent))
        assert context.value
        self._library.EVP_RAND_free(algorithm)
        return context

    def _call(self, name: str, *given: object) -> None:
        values = [ctypes.c_size_t(x) if isinstance(x, int) else x for x in given]
        assert getattr(self._library, name)(*values) == 1, name


def _openssl() -> ctypes.CDLL:
    path = ctypes.util.find_library("crypto")
    assert path, "libcrypto is missing, install OpenSSL 3"
    library = ctypes.CDLL(path)
    library.EVP_RAND_fetch.restype = ctypes.c_void_p
    library.EVP_RAND_CTX_new.restype = ctypes.c_void_p
    return library


def _case(library: ctypes.CDLL, pick: random.Random) -> None:
    def some(most: int) -> bytes:
        return pick.randbytes(pick.choice((0, 1, 32, pick.randrange(most + 1))))

    entropy, nonce, person = pick.randbytes(32), pick.randbytes(16), some(150)
    ours = device_drbg(entropy, nonce, person)
    theirs = OpenSslDrbg(library, entropy, nonce, person)
    try:
        for _ in range(pick.randrange(1, 6)):
            fresh, additional = pick.randbytes(32), some(150)
            n = pick.choice((1, 31, 32, 33, 64, pick.randrange(1, 1000)))
            step = pick.choice(("generate", "resist", "reseed"))
            if step == "reseed":
                ours.reseed(fresh, additional)
                theirs.reseed(fresh, additional)
                additional = b""
            if step == "resist":
                ours.reseed(fresh, additional)
                assert ours.generate(n) == theirs.generate(n, additional, fresh)
            else:
                assert ours.generate(n, additional) == theirs.generate(n, additional)
    finally:
        theirs.close()


def test_openssl_gives_the_same_bits() -> None:
    library = _openssl()
    pick = random.Random(90)
    for _ in range(CASES):
        _case(library, pick)


def test_the_comparison_sees_a_difference() -> None:
    entropy, nonce = bytes(32), bytes(16)
    theirs = OpenSslDrbg(_openssl(), entropy, nonce, b"")
    assert device_drbg(entropy, nonce, b"\0").generate(64) != theirs.generate(64, b"")
    theirs.close()


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
    alarm = (2 + 2 * health.LAGS) * window
    assert Fraction(1, 2**26) < alarm < Fraction(1, 2**25)
    assert 35 < 30 / alarm / (365 * 86400) < 45  # years, with an order every 30 s
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
    assert MICROPYTHON.is_file(), "MicroPython's unix port is not built: make unix"
    command = [str(MICROPYTHON), "-c", LEFT_BEHIND]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert result.stdout.split() == ["True", "False", "False", "False", "False"]

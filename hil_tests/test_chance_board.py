"""The generator on the emulated board: vectors, OpenSSL's answers, the same order as here."""

from __future__ import annotations

from binascii import unhexlify
from itertools import groupby

import pytest

from hil_tests.hal_bench import Bench
from hil_tests.twin import Twin
from host_tools.build.tell import ROOT
from host_tools.tests.openssl_drbg import cases
from sim.emulated.noise import good
from sim.tests.images import image

VECTORS = ROOT / "firmware" / "tests" / "data" / "hmac_drbg_sha256.txt"
CALLS = ROOT / "firmware" / "tests" / "drbg_calls.py"
EVERY = 15  # of the 60 vectors of each kind and size of inputs; all of them run off the board
KINDS = {"N": "no reseed", "F": "reseed", "T": "prediction resistance"}

RUN = """
from binascii import hexlify, unhexlify
from dovetail.chance.hmac_drbg import HmacDrbg
def run(kind, words, n):
    e, nonce, person, e1, a1, x, y = (b'' if w == '-' else unhexlify(w) for w in words.split())
    drbg = HmacDrbg(e, nonce, person, hal.wipe)
    if kind == 'T':
        drbg.reseed(e1, a1); drbg.generate(n); drbg.reseed(x, y); out = drbg.generate(n)
    else:
        if e1: drbg.reseed(e1, a1)
        drbg.generate(n, x); out = drbg.generate(n, y)
    print(hexlify(out).decode())
"""


@pytest.fixture(scope="module")
def bench() -> Bench:
    """One board for the tests of this file."""
    image()
    return Bench()


def _size(line: str) -> tuple[bool, ...]:
    """Which inputs are there: NIST has vectors with and without."""
    return tuple(word == "-" for word in line.split())


def _some(kind: str) -> list[str]:
    lines = [x for x in VECTORS.read_text().splitlines() if x.startswith(f"{kind} ")]
    sizes = [list(group) for _, group in groupby(sorted(lines, key=_size), key=_size)]
    return [line for group in sizes for line in group[::EVERY]]


@pytest.mark.parametrize("kind", list(KINDS), ids=list(KINDS.values()))
def test_nist_vectors(bench: Bench, kind: str) -> None:
    bench.run(RUN)
    lines = _some(kind)
    assert len(lines) == 16
    for line in lines:
        *words, out = line.split()[1:]
        n = len(unhexlify(out))
        assert bench.run(f"run('{kind}', '{' '.join(words)}', {n})") == out, line


def test_openssl_gives_the_same_bits(bench: Bench) -> None:
    bench.run(CALLS.read_text())
    some = [case for case in cases(200) if len(case) < 2000][:24]
    assert len(some) == 24
    assert {call[0] for case in some for call in case.split()[3:]} == {"G", "P", "R"}
    for case in some:
        answers = sum(not call.startswith("R") for call in case.split()[3:])
        assert int(bench.run(f"print(same('{case}', hal.wipe))")) == answers, case


def test_known_answer_and_an_order_that_is_also_drawn_here(bench: Bench) -> None:
    """The image draws what the same code draws in this process, from the same noise."""
    samples: list[int] = []
    source = good(6)

    def bit() -> int:
        samples.append(source())
        return samples[-1]

    bench.board.noise(bit)
    bench.run("""
from dovetail.chance import kat
from dovetail.chance.chance import Chance
assert kat.passes(hal.wipe)
chance = Chance(hal.noise, hal.unique_id, 7, hal.wipe, hal.collect)
chance.start()
chance.test()
""")
    started = len(samples)
    order = bench.ask("order = bytearray(54)\nchance.plan(54, order)\nprint(list(order))")
    unique_id = bytes(bench.ask("print(list(hal.unique_id))"))
    twin = Twin(unique_id, 7)
    twin.start(samples[:started])
    assert twin.order(samples[started:], 54) == order
    assert sorted(order) == list(range(54))

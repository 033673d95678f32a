"""The search of memory finds every guise of an order that is planted, and nothing in rubbish."""

from __future__ import annotations

from random import Random

import pytest

from boards import mechanics as M
from hil_tests import guises, memory
from hil_tests.bench import CARDS
from sim.emulated.noise import good

RAM_BYTES = 264 * 1024
SAMPLES = 1024
GUISES = list(memory.guises(list(range(CARDS)), list(range(CARDS))))


def _shuffled(random: Random) -> list[int]:
    order = list(range(CARDS))
    random.shuffle(order)
    return order


def _rubbish(random: Random) -> bytearray:
    return bytearray(random.randbytes(RAM_BYTES))


@pytest.mark.parametrize("guise", GUISES)
def test_every_guise_is_found_wherever_nine_cards_of_it_lie(guise: str) -> None:
    random = Random(f"search {guise}")
    orders = memory.guises(_shuffled(random), _shuffled(random))
    rubbish = _rubbish(random)
    assert not memory.find_order(bytes(rubbish), orders)
    row = orders[guise]
    for stride in memory.STRIDES:
        for factor in memory.FACTORS:
            for shift in (0, 1, 100):
                ram = bytearray(rubbish)
                first = random.randrange(len(row) - 8)
                at = random.randrange(RAM_BYTES - 64)
                guises.side_by_side(ram, at, row[first : first + 9], stride, factor, shift)
                found = memory.find_order(bytes(ram), orders)
                assert [find.stride for find in found] == [stride]
                assert at - found[0].offset in (0, stride)  # the cell before may fit by chance


@pytest.mark.parametrize(
    ("guise", "reading"), [("cards by slot", ""), ("shorter turns of the wheel", " as times")]
)
def test_numbers_at_unequal_distances_are_found(guise: str, reading: str) -> None:
    random = Random("scattered")
    orders = memory.guises(_shuffled(random), _shuffled(random))
    ram = _rubbish(random)
    places = [4 * (1000 + 300 * i + random.randrange(200)) for i in range(9)]
    guises.scattered(ram, places, orders[guise][30:39], reading, 0x1002_3456)
    found = memory.find_order(bytes(ram), orders)
    assert [find.what for find in found] == [f"{guise}{reading}, scattered beside 0x10023456"]


def test_bytes_and_samples_are_found() -> None:
    random = Random("bytes")
    ram = _rubbish(random)
    secret = random.randbytes(32)
    noise = good(1)
    samples = bytes(noise() for _ in range(SAMPLES))
    assert not memory.find_bytes(bytes(ram), {"key": secret})
    assert not memory.find_samples(bytes(ram), samples)
    ram[777:785] = secret[20:28]
    ram[9001:9041] = samples[500:540]
    assert memory.find_bytes(bytes(ram), {"key": secret}) == [("key", 1, 777)]
    assert memory.find_samples(bytes(ram), samples) == [("samples", 1, 9001)]


def test_turns_are_those_of_a_wheel() -> None:
    turns = memory.guises([0, 55, 3], [0, 1, 2])
    assert turns["turns of the wheel"] == [M.SLOTS - 1, 4]
    assert turns["shorter turns of the wheel"] == [1, 4]


def test_every_form_is_planted_and_found_and_a_search_that_is_blind_to_one_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random("planted")
    orders = memory.guises(_shuffled(random), _shuffled(random))
    rubbish = bytes(_rubbish(random))
    assert not guises.missed(rubbish, orders)
    find_order = memory.find_order

    def blind(ram: bytes, orders: dict[str, list[int]]) -> list[memory.Find]:
        return [find for find in find_order(ram, orders) if find.stride != 2]

    monkeypatch.setattr(memory, "find_order", blind)
    told = guises.missed(rubbish, orders)
    assert told
    assert all(what.endswith("at stride 2") for what in told)

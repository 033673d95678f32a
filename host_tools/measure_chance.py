"""Measurements of the device's randomness on the emulated board's bench image."""

from __future__ import annotations

from hil_tests.hal_bench import Bench

TIMES = 15  # the median of so many draws counts
USES = 40  # orders, and as many positions: the known-answer test comes with every 64th of them

SETUP = """
import os
from dovetail.chance.chance import Chance
from dovetail.chance.permutation import permutation
chance = Chance(hal.noise, hal.unique_id, 1, hal.wipe, hal.collect)
"""

SEEDING = """
began = time.ticks_us()
chance.start()
print([time.ticks_diff(time.ticks_us(), began)])
"""

DRAWS = """
order = bytearray(54)
def ours():
    permutation(54, chance._drbg, order)
def theirs():
    for i in range(54): order[i] = i
    for i in range(53, 0, -1):
        x = 255
        while x >= 256 - 256 % (i + 1): x = os.urandom(1)[0]
        j = x % (i + 1)
        order[i], order[j] = order[j], order[i]
def took(draw):
    gc.collect()
    began = time.ticks_us()
    draw()
    return time.ticks_diff(time.ticks_us(), began)
pairs = [(took(ours), took(theirs)) for _ in range({times})]
print([sorted(column)[len(pairs) // 2] for column in zip(*pairs)])
"""


USE = """
def use():
    for _ in range({times}):
        chance.plan(54, order)
        chance.position(7)
        chance.test()
    gc.collect()
    return gc.mem_alloc()
order = bytearray(54)
"""


def seeding_ms() -> float:
    """Device time of chance.start(): known-answer test, start-up test, entropy, nonce."""
    bench = Bench()
    bench.run(SETUP)
    return bench.ask(SEEDING)[0] / 1000


def draw_ms() -> tuple[float, float]:
    """Device time to draw an order of 54 from a seeded generator, and one from os.urandom."""
    bench = Bench()
    bench.run(SETUP)
    bench.run(SEEDING)
    ours, theirs = bench.ask(DRAWS.replace("{times}", str(TIMES)))
    return ours / 1000, theirs / 1000


def growth_bytes() -> int:
    """How much more of the heap is in use after twice as many orders, positions and tests."""
    bench = Bench()
    bench.run(SETUP)
    bench.run(SEEDING)
    bench.run(USE.replace("{times}", str(USES)))
    before, after = (bench.ask("print([use()])")[0] for _ in range(2))
    return after - before

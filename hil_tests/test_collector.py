"""The image's own sweep of the heap: what is held stays whole, what is not is free and wiped."""

import pytest

from hil_tests.hal_bench import Bench

SEEDS = (1, 2)
LIMIT_NS = 60_000_000_000
# Things of every length, held and let go, and some that have something to give back.
SOURCE = """
import gc, heap, machine, rp2, uctypes
state = [{seed}]
def below(n):
    state[0] = (state[0] * 1103515245 + 12345) & 0x7FFFFFFF
    return (state[0] >> 8) % n
def thing(n):
    length = (below(16), below(200), below(3000))[below(3)]
    return [bytearray([n] * length), [n] * below(40)]
def whole(n, held):
    data, row = held
    assert all([b == n for b in data]) and all([m == n for m in row])
kept = {{}}
channels = 0
for turn in range(40):
    for _ in range(below(40)):
        n = below(50)
        kept[n] = thing(n)
    for n in list(kept):
        if below(4) == 0:
            kept.pop(n)
    if below(2):
        rp2.DMA()  # of twelve; it gives its channel back when it is collected
        channels += 1
    gc.collect()
    for n in kept:
        whole(n, kept[n])
gc.collect()
first = heap.free()
gc.collect()
again = heap.free()
place = uctypes.addressof(bytearray([0xA5] * 4000))  # let go at once
def seen():  # nothing is allocated: it could come to lie there
    total = 0
    for i in range(4000):
        total += machine.mem8[place + i]
    return total
before = seen()
for _ in range(20):
    below(9)  # nothing on the stack points there any more
gc.collect()
print([first - again, channels, before, seen()])
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_held_stays_and_what_is_not_is_wiped(seed: int) -> None:
    found = Bench().prompt.run(SOURCE.format(seed=seed), LIMIT_NS)
    grown, channels, before, after = (int(n) for n in found.strip("[]").split(","))
    assert abs(grown) <= 64, "two collections in a row find the same"
    assert channels > 12, "none came back"
    assert before == 4000 * 0xA5
    assert after == 0

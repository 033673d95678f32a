# The machine's source of randomness as a whole: noise in, orders out, nothing kept.
import gc

from dovetail.chance.chance import Chance
from dovetail.chance.fault import LAG
from dovetail.chance.health import FILL, WINDOW
from dovetail.chance.source import SLICES
from chance_bench import ID, Noise, assert_latched, plan, reason, started, alternating


def test_an_order_and_a_position():
    chance = started()
    assert chance.trust
    assert chance.fault == 0
    orders = set()
    for _ in range(20):
        order = plan(chance)
        assert sorted(order) == list(range(54))
        orders.add(bytes(order))
    assert len(orders) == 20
    positions = set()
    for _ in range(60):
        positions.add(chance.position(7))
    assert positions == {1, 2, 3, 4, 5, 6, 7}


def test_start_reads_what_it_says_and_a_plan_a_window():
    noise = Noise()
    chance = started(noise)
    assert noise.taken == FILL + 3 * WINDOW
    plan(chance)
    assert noise.taken == FILL + 4 * WINDOW
    chance.position(7)
    assert noise.taken == FILL + 5 * WINDOW


def test_id_boot_count_and_noise_all_count():
    order = plan(started())
    assert plan(started()) == order
    assert plan(started(boot_count=2)) != order
    assert plan(started(unique_id=ID[:-1] + b"\x07")) != order
    assert plan(started(Noise(seed=1))) != order


def test_fresh_noise_is_mixed_in_before_every_order():
    other = Noise(seed=5)

    def from_other(n):
        other.taken = n
        return other.next()

    one = started()
    two = started(Noise(begin=FILL + 4 * WINDOW, bad=from_other))
    assert plan(one) == plan(two)
    assert plan(one) != plan(two)


def test_start_up_samples_serve_for_nothing_else():
    other = Noise(seed=5)

    class Swapped(Noise):
        def next(self):
            if self.taken < FILL + WINDOW:
                other.taken = self.taken
                return other.next()
            return Noise.next(self)

    assert plan(started(Swapped())) == plan(started())


def test_start_again_after_a_stop_runs_all_tests_and_begins_anew():
    noise = Noise()
    chance = started(noise)
    old = chance._drbg
    noise.taken += 12345
    before = noise.taken
    chance.start()
    assert noise.taken - before == FILL + 3 * WINDOW
    assert old.is_blank()
    assert chance._drbg is not old
    # The stop came in the middle of a window. A window that was begun before it would end, and tell, too soon
    chance.tend()
    noise.begin = noise.taken + FILL + WINDOW
    noise.bad = alternating
    assert reason(chance.start) == LAG
    assert noise.taken - noise.begin == WINDOW
    assert_latched(chance, LAG)


def test_tend_gathers_a_window_and_a_plan_then_reads_nothing():
    noise = Noise()
    chance = started(noise)
    before = noise.taken
    calls = 1
    while chance.tend():
        calls += 1
    assert calls == SLICES
    assert not chance.tend()
    assert noise.taken - before == WINDOW
    order = plan(chance)
    assert noise.taken - before == WINDOW
    assert order == plan(started())  # the same noise, the same order


def test_a_plan_ends_the_window_that_was_begun():
    noise = Noise()
    chance = started(noise)
    before = noise.taken
    chance.tend()
    plan(chance)
    assert noise.taken - before == WINDOW


def test_nothing_gathered_or_drawn_stays():
    wiped = []
    chance = Chance(Noise(), ID, 1, lambda b: wiped.append(len(b)))
    chance.start()
    plan(chance)
    assert set(wiped) == {32}
    assert not any(chance._seed)
    assert not any(chance._nonce)
    assert not any(chance._source._raw)
    assert not any(chance._source._packed)


def test_the_heap_is_tidied_between_noise_and_draw():
    noise = Noise()
    seen = []
    chance = Chance(noise, ID, 1, collect=lambda: seen.append(noise.taken))
    chance.start()
    before = noise.taken
    plan(chance)
    assert seen == [before + WINDOW]


# Bytes in use on the device, live objects under CPython
def used():
    for name in ("mem_alloc", "get_objects"):
        ask = getattr(gc, name, None)
        if ask:
            got = ask()
            return got if isinstance(got, int) else len(got)
    return None


def test_memory_does_not_grow():
    chance = started()
    out = bytearray(54)
    sizes = []
    for _ in range(4):
        for _ in range(25):
            chance.plan(54, out)
            chance.position(7)
            chance.test()
        gc.collect()
        sizes.append(used())
    assert max(sizes) - min(sizes) <= 64, sizes

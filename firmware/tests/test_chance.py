# The machine's source of randomness as a whole: noise in, orders out, and every failure latched.
import gc
from hashlib import sha256

from dovetail.chance import chance as module
from dovetail.chance import fault, kat
from dovetail.chance.chance import KAT_EVERY, Chance
from dovetail.chance.fault import DRBG, KAT, LAG, NOT_STARTED, PROPORTION, REPETITION, SOURCE, ChanceFault
from dovetail.chance.health import FILL, WINDOW
from dovetail.chance.source import SLICE, SLICES

ID = b"\xe6\x61\x01\x02\x03\x04\x05\x06"


# Good noise, the same for the same seed. `bad`, a function of the sample's number, takes over from sample `begin`
class Noise:
    def __init__(self, seed=0, begin=None, bad=None):
        self.seed = seed
        self.begin = begin
        self.bad = bad
        self.taken = 0
        self.block = -1
        self.bytes = b""

    def bits(self, buffer):
        for i in range(len(buffer)):
            buffer[i] = self.next()
            self.taken += 1

    def next(self):
        n = self.taken
        if self.begin is not None and n >= self.begin:
            return self.bad(n)
        if n >> 8 != self.block:
            self.block = n >> 8
            self.bytes = sha256(self.seed.to_bytes(2, "big") + self.block.to_bytes(4, "big")).digest()
        return self.bytes[n >> 3 & 31] >> (n & 7) & 1


def started(noise=None, unique_id=ID, boot_count=1):
    chance = Chance(noise or Noise(), unique_id, boot_count)
    chance.start()
    return chance


def plan(chance, n=54):
    out = bytearray(n)
    chance.plan(n, out)
    return out


def reason(function, *given):
    try:
        function(*given)
    except ChanceFault as e:
        return e.reason
    return None


def assert_latched(chance, why):
    assert chance.fault == why
    assert not chance.trust
    out = bytearray(54)
    for _ in range(2):
        assert reason(chance.plan, 54, out) == why
        assert reason(chance.position, 7) == why
        assert reason(chance.tend) == why
        assert reason(chance.test) == why
        assert reason(chance.start) == why
    assert not any(out)
    assert chance._drbg is None
    assert not any(chance._seed)
    assert not any(chance._nonce)
    assert not any(chance._source._raw)
    assert not any(chance._source._packed)


def stuck(n):
    return 1


def alternating(n):
    return n & 1


def every_third(n):
    return 1 if n % 3 == 0 else 0


def biased(n):  # 1 with 0.88
    return 0 if sha256(n.to_bytes(4, "big")).digest()[0] < 31 else 1


def echo(n):  # the sample 11 before, but for one in sixteen
    x = sha256((n % 11).to_bytes(4, "big")).digest()[0] & 1
    return x ^ (1 if sha256(n.to_bytes(4, "big")).digest()[0] < 16 else 0)


def no_sample(n):
    return 2


BAD = (
    (stuck, REPETITION),
    (alternating, LAG),
    (every_third, LAG),
    (biased, PROPORTION),
    (echo, LAG),
    (no_sample, SOURCE),
)


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


def test_bad_noise_at_start():
    for bad, why in BAD:
        noise = Noise(begin=0, bad=bad)
        chance = Chance(noise, ID, 1)
        assert reason(chance.start) == why
        assert noise.taken <= FILL + WINDOW + SLICE
        noise.begin = None  # the noise recovers, the machine does not
        assert_latched(chance, why)


def test_bad_noise_in_play_gives_no_order():
    for bad, why in BAD:
        for ago in (0, 40, 64, 128):  # samples into the window of the plan
            noise = Noise()
            chance = started(noise)
            plan(chance)
            noise.begin = noise.taken + ago
            noise.bad = bad
            before = noise.taken
            out = bytearray(b"x" * 54)
            assert reason(chance.plan, 54, out) == why
            assert out == b"x" * 54
            assert noise.taken - before <= WINDOW  # known within the window that the order would have used
            noise.begin = None
            assert_latched(chance, why)


def test_noise_that_goes_bad_while_it_is_tended():
    noise = Noise()
    chance = started(noise)
    noise.begin = noise.taken + SLICE
    noise.bad = stuck
    assert chance.tend()
    assert reason(chance.tend) == REPETITION
    assert_latched(chance, REPETITION)


def test_a_part_that_hangs_or_fills_too_little():
    class Hangs(Noise):
        def bits(self, buffer):
            raise OSError("timeout")

    class Short(Noise):
        def bits(self, buffer):
            Noise.bits(self, memoryview(buffer)[:-1])

    for noise in (Hangs(), Short()):
        chance = Chance(noise, ID, 1)
        assert reason(chance.start) == SOURCE
        assert_latched(chance, SOURCE)


def test_used_before_start():
    chance = Chance(Noise(), ID, 1)
    assert reason(chance.plan, 54, bytearray(54)) == NOT_STARTED
    assert reason(chance.position, 7) == NOT_STARTED
    assert reason(chance.tend) == NOT_STARTED
    assert reason(chance.test) == NOT_STARTED
    chance.start()
    assert chance.trust


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
    noise.begin = noise.taken
    noise.bad = alternating
    assert reason(chance.start) == LAG
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


def test_a_failed_known_answer_latches():
    real = kat.passes
    try:
        kat.passes = lambda wipe: False
        noise = Noise()
        chance = Chance(noise, ID, 1)
        assert reason(chance.start) == KAT
        assert noise.taken == 0
        assert_latched(chance, KAT)
        kat.passes = real
        chance = started()
        chance.test()
        kat.passes = lambda wipe: False
        assert reason(chance.test) == KAT
        kat.passes = real
        assert_latched(chance, KAT)
    finally:
        kat.passes = real


def test_the_known_answer_is_asked_again_by_and_by():
    real = kat.passes
    chance = started()
    asked = []

    def ask(wipe):
        asked.append(chance._mixes)
        return True

    try:
        kat.passes = ask
        for _ in range(2 * KAT_EVERY):
            chance.position(7)
    finally:
        kat.passes = real
    assert asked == [KAT_EVERY, 2 * KAT_EVERY]


def test_an_error_of_the_generator_latches():
    chance = started()
    chance._drbg.wipe()
    out = bytearray(b"x" * 54)
    assert reason(chance.plan, 54, out) == DRBG
    assert_latched(chance, DRBG)


def test_an_error_in_the_draw_latches_and_leaves_no_order():
    real = module.permutation
    chance = started()

    def fails(n, drbg, out):
        real(n, drbg, out)
        drbg.generate(0)

    try:
        module.permutation = fails
        assert reason(chance.plan, 54, bytearray(54)) == DRBG
    finally:
        module.permutation = real
    assert_latched(chance, DRBG)


def test_wrong_numbers_are_refused_and_latch_nothing():
    noise = Noise()
    chance = started(noise)
    before = noise.taken
    for step, given in (
        (chance.plan, (0, bytearray(0))),
        (chance.plan, (257, bytearray(257))),
        (chance.plan, (54, bytearray(52))),
        (chance.position, (0,)),
        (chance.position, (257,)),
    ):
        said = ""
        try:
            step(*given)
        except ValueError as e:
            said = str(e)
        assert said.startswith("draw: ")
    assert noise.taken == before
    assert chance.trust
    assert chance.fault == 0


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


def test_reasons_have_names():
    assert str(ChanceFault(LAG)) == "chance: lag"
    reasons = (KAT, fault.REPETITION, PROPORTION, LAG, DRBG, SOURCE, NOT_STARTED)
    assert sorted(reasons) == list(range(1, len(fault.NAMES)))


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

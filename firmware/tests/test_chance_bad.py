# What goes wrong with the machine's source of randomness is told and latched: no order comes out any more.

from dovetail.chance import chance as module
from dovetail.chance import fault, kat
from dovetail.chance.chance import KAT_EVERY, Chance
from dovetail.chance.fault import DRBG, KAT, LAG, NOT_STARTED, PROPORTION, REPETITION, SOURCE, ChanceFault
from dovetail.chance.health import FILL, REPETITION_CUT, WINDOW
from dovetail.chance.source import SLICE
from chance_bench import BAD, ID, Noise, assert_latched, plan, reason, started, stuck


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
    for _ in range(REPETITION_CUT // SLICE + 1):  # the first is good
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


def test_reasons_have_names():
    assert str(ChanceFault(LAG)) == "chance: lag"
    reasons = (KAT, fault.REPETITION, PROPORTION, LAG, DRBG, SOURCE, NOT_STARTED)
    assert sorted(reasons) == list(range(1, len(fault.NAMES)))

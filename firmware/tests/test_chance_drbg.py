# HMAC_DRBG: NIST's vectors, the refusals of SP 800-90A, and what is left after an error.
from binascii import unhexlify

from dovetail.chance import hmac_drbg, kat
from dovetail.chance.hmac_drbg import DrbgError, HmacDrbg, ReseedRequired, leave

VECTORS = __file__.rsplit("/", 1)[0] + "/data/hmac_drbg_sha256.txt"
ENTROPY = bytes(range(32))
NONCE = bytes(range(16))


def make(wipe=leave):
    return HmacDrbg(ENTROPY, NONCE, b"", wipe)


def refused(error, function, *given):
    try:
        function(*given)
    except error as e:
        return str(e)
    return None


def vectors(kind):
    with open(VECTORS) as f:
        for line in f:
            if line[0] == kind:
                yield [b"" if x == "-" else unhexlify(x) for x in line.split()[1:]]


def count_right(kind):
    right = 0
    for entropy, nonce, person, e1, a1, x, y, out in vectors(kind):
        drbg = HmacDrbg(entropy, nonce, person)
        if kind == "T":  # prediction resistance: a reseed takes the additional input, then none is left for generate()
            drbg.reseed(e1, a1)
            drbg.generate(len(out))
            drbg.reseed(x, y)
            got = drbg.generate(len(out))
        else:
            if e1:
                drbg.reseed(e1, a1)
            drbg.generate(len(out), x)
            got = drbg.generate(len(out), y)
        right += got == out
    return right


def test_nist_no_reseed():
    assert count_right("N") == 240


def test_nist_reseed_without_prediction_resistance():
    assert count_right("F") == 240


def test_nist_prediction_resistance():
    assert count_right("T") == 240


def test_a_vector_read_wrong_is_seen():
    entropy, nonce, person, _, _, x, y, out = next(vectors("N"))
    drbg = HmacDrbg(entropy, nonce, person + b"\0")
    drbg.generate(len(out), x)
    assert drbg.generate(len(out), y) != out


def test_any_length_is_the_beginning_of_a_longer_one():
    whole = make().generate(100)
    for n in (1, 31, 32, 33, 63, 64, 65, 99):
        assert make().generate(n) == whole[:n]


def test_generate_into_is_generate():
    out = bytearray(70)
    make().generate_into(out, b"more")
    assert out == make().generate(70, b"more")


def test_largest_request():
    assert len(make().generate(65536)) == 65536


def test_short_or_long_inputs_make_no_generator():
    assert refused(ValueError, HmacDrbg, bytes(31), NONCE) == "entropy: 31 bytes given, at least 32 needed"
    assert refused(ValueError, HmacDrbg, ENTROPY, bytes(15)) == "nonce: 15 bytes given, at least 16 needed"
    assert refused(ValueError, HmacDrbg, ENTROPY, NONCE, bytes(65537))
    assert refused(ValueError, HmacDrbg, bytes(65537), NONCE)


def test_a_refused_input_changes_nothing():
    drbg = make()
    assert refused(ValueError, drbg.generate, 0)
    assert refused(ValueError, drbg.generate, -1)
    assert refused(ValueError, drbg.generate, 65537) == "request: 65537 bytes asked for, 1 to 65536 given"
    assert refused(ValueError, drbg.generate_into, bytearray(0))
    assert refused(ValueError, drbg.generate, 32, bytes(65537))
    assert refused(ValueError, drbg.reseed, bytes(31))
    assert refused(ValueError, drbg.reseed, ENTROPY, bytes(65537))
    assert drbg.generate(32) == make().generate(32)


def test_reseed_limit():
    drbg = make()
    twin = make()
    for _ in range(hmac_drbg.RESEED_LIMIT):
        drbg.generate(1)
        twin.generate(1)
    assert refused(ReseedRequired, drbg.generate, 1) == "reseed: 1024 requests were made from this seed"
    assert refused(ReseedRequired, drbg.generate_into, bytearray(1))
    drbg.reseed(ENTROPY)
    twin.reseed(ENTROPY)
    assert drbg.generate(32) == twin.generate(32)  # the refusal had changed nothing


def test_wipe_leaves_nothing_and_is_final():
    drbg = make()
    drbg.generate(32)
    assert not drbg.is_blank()
    drbg.wipe()
    assert drbg.is_blank()
    assert not any(drbg._inner)
    assert not any(drbg._outer)
    assert not any(drbg._v)
    assert refused(DrbgError, drbg.generate, 1)
    assert refused(DrbgError, drbg.reseed, ENTROPY)
    assert drbg.is_blank()


class Failing:
    def __init__(self, good):
        self.good = good

    def __call__(self, digest):
        self.good -= 1
        if self.good < 0:
            raise MemoryError("planted")


def test_an_error_in_the_middle_ends_the_generator():
    good = 0
    failed_in = [0, 0, 0]
    while True:  # fails at the first wipe of a digest, at the second, ... until all three steps get through
        wipe = Failing(good)
        good += 1
        out = bytearray(b"x" * 40)
        step = 0
        drbg = None
        try:
            drbg = make(wipe)
            step = 1
            drbg.reseed(ENTROPY, b"more")
            step = 2
            drbg.generate_into(out, b"more")
            break
        except MemoryError:
            failed_in[step] += 1
        if step == 2:
            assert not any(out)
        if step:
            assert drbg.is_blank()
            assert refused(DrbgError, drbg.generate, 1)
    assert failed_in == [8, 8, 20]  # two wipes an HMAC


def test_a_buffer_that_cannot_be_written_ends_the_generator():
    drbg = make()
    assert refused(TypeError, drbg.generate_into, bytes(40))
    assert drbg.is_blank()
    assert refused(DrbgError, drbg.generate, 1)


def test_every_digest_is_handed_to_wipe():
    seen = []
    made = []
    real = hmac_drbg.sha256

    class Watched:
        def __init__(self, data):
            self.hash = real(data)

        def update(self, data):
            self.hash.update(data)

        def digest(self):
            digest = self.hash.digest()
            made.append(bytes(digest))
            return digest

    hmac_drbg.sha256 = Watched
    try:
        drbg = make(lambda digest: seen.append(bytes(digest)))
        drbg.reseed(ENTROPY, b"more")
        drbg.generate(100, b"more")
    finally:
        hmac_drbg.sha256 = real
    assert len(made) == 2 * (4 + 4 + 4 + 4 + 4)
    assert seen == made


def test_known_answer():
    assert kat.passes(leave)


# A SHA-256 that gives one wrong bit in one call
class Flawed:
    real = hmac_drbg.sha256
    calls = 0
    wrong = 0

    def __init__(self, data):
        self.hash = Flawed.real(data)
        Flawed.calls += 1
        self.number = Flawed.calls

    def update(self, data):
        self.hash.update(data)

    def digest(self):
        digest = bytearray(self.hash.digest())
        if self.number == Flawed.wrong:
            digest[self.number % 32] ^= 1
        return bytes(digest)


def test_known_answer_sees_one_wrong_bit_in_any_call():
    real = hmac_drbg.sha256
    hmac_drbg.sha256 = Flawed
    try:
        Flawed.wrong = 0
        Flawed.calls = 0
        assert kat.passes(leave)
        calls = Flawed.calls
        # all up to the last output block; the update after it is not seen, there is no third request in the vector
        for wrong in range(1, calls - 8 + 1):
            Flawed.wrong = wrong
            Flawed.calls = 0
            assert not kat.passes(leave), wrong
    finally:
        hmac_drbg.sha256 = real


def nothing(*given):
    pass


def test_known_answer_sees_a_missing_refusal():
    for owner, name in (
        (hmac_drbg, "_check_request"),
        (hmac_drbg, "_check"),
        (HmacDrbg, "wipe"),
        (HmacDrbg, "_must_live"),
    ):
        real = getattr(owner, name)
        setattr(owner, name, nothing)
        try:
            assert not kat.passes(leave), name
        finally:
            setattr(owner, name, real)
    assert kat.passes(leave)


def test_known_answer_sees_that_no_request_is_too_many():
    owner, name = HmacDrbg, "generate_into"
    real = getattr(owner, name)

    def endless(drbg, out, additional=b""):
        drbg.count = min(drbg.count, hmac_drbg.RESEED_LIMIT)
        real(drbg, out, additional)

    setattr(owner, name, endless)
    try:
        assert not kat.passes(leave)
    finally:
        setattr(owner, name, real)
    assert kat.passes(leave)

# A source of randomness to try, and noise that is good, or bad in one of six ways.
from hashlib import sha256

from dovetail.chance.chance import Chance
from dovetail.chance.fault import LAG, PROPORTION, REPETITION, SOURCE, ChanceFault


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

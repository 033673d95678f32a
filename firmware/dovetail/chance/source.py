# Noise to entropy: raw samples, tested, then conditioned by SHA-256. The noise part is the hal's: bits(buffer) fills a
# bytearray with raw samples, 0 or 1 a byte, read far enough apart. A conditioned 32 bytes are made from whole
# windows of the health tests, one at least: 1024 samples, by the claim 512 bits, where 256 + 64 make full entropy.
from hashlib import sha256

from micropython import const

from dovetail.chance.fault import NONE, SOURCE, ChanceFault
from dovetail.chance.health import FILL, WINDOW, Health

SLICE = const(64)  # samples read and tested at a time
SLICES = WINDOW // SLICE

_UNTOUCHED = b"\xff" * SLICE  # no samples: a part that leaves one out is found
_ZEROS = bytes(SLICE)


class Source:
    def __init__(self, noise, wipe):
        self._noise = noise
        self._wipe = wipe
        self._raw = bytearray(SLICE)
        self._packed = bytearray(SLICE // 8)
        self._health = Health()
        self._pool = sha256()
        self._slices = 0  # in the pool

    # FILL + WINDOW samples that serve for nothing else
    def start_up(self):
        self._health.reset()
        for _ in range(FILL // SLICE + SLICES):
            self.take()
        self._drain()

    # One slice into the pool
    def take(self):
        raw = self._raw
        raw[:] = _UNTOUCHED
        try:
            self._noise.bits(raw)
        except OSError:
            raise ChanceFault(SOURCE) from None
        if max(raw) > 1:
            raise ChanceFault(SOURCE)
        reason = self._health.test(raw, self._packed)
        if reason == NONE:
            self._pool.update(self._packed)
            self._slices += 1
        self._forget()
        if reason != NONE:
            raise ChanceFault(reason)

    # Whether a window waits, tested and whole
    def full(self):
        return self._slices >= SLICES and self._slices % SLICES == 0

    # 32 bytes of full entropy into out
    def entropy(self, out):
        while not self.full():
            self.take()
        self._drain(out)

    # Nothing gathered is kept
    def end(self):
        self._forget()
        self._drain()

    def _forget(self):
        self._raw[:] = _ZEROS
        self._packed[:] = _ZEROS[: SLICE // 8]

    def _drain(self, out=None):
        digest = self._pool.digest()
        self._pool = sha256()
        self._slices = 0
        if out is not None:
            out[:] = digest
        self._wipe(digest)

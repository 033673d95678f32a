# The machine's one source of randomness. Whatever fails latches: no second source, no retry until it happens to
# pass. Only a power-on whose start() passes makes the machine available again.
from micropython import const

from dovetail.chance import kat
from dovetail.chance.fault import DRBG, KAT, NONE, NOT_STARTED, ChanceFault
from dovetail.chance.hmac_drbg import HmacDrbg, leave
from dovetail.chance.permutation import check, permutation, position
from dovetail.chance.source import Source

KAT_EVERY = const(64)  # the known-answer test runs again before each mix of fresh noise of this number

_ZEROS = bytes(32)


class Chance:
    # noise.bits(buf) fills buf with raw samples; wipe(b) overwrites a bytes object in place; collect() is the device's
    # gc.collect: allocating is slow in a heap full of garbage, and what the draw leaves behind is gone the sooner
    def __init__(self, noise, unique_id, boot_count, wipe=leave, collect=None):
        self.fault = NONE  # the reason that latched
        self.trust = False
        self._wipe = wipe
        self._collect = collect
        self._person = b"dovetail" + unique_id + boot_count.to_bytes(4, "big")
        self._source = Source(noise, wipe)
        self._seed = bytearray(32)
        self._nonce = bytearray(32)
        self._drbg = None
        self._mixes = 0

    # At power-on and after every stop of the noise part: all tests, then a new generator from fresh noise
    def start(self):
        if self.fault:
            raise ChanceFault(self.fault)
        self._end()
        self._guard(self._start)

    # One slice of noise for the next plan, tested. True while more is wanted: who has a loop to keep turning calls
    # this until it says False, and plan() is quick then. It may be left out
    def tend(self):
        self._ready()
        if not self._source.full():
            self._guard(self._source.take)
        return not self._source.full()

    # A permutation of 0..n-1 into out, from fresh noise on top of all before
    def plan(self, n, out):
        check(n, len(out))
        self._ready()
        self._guard(self._plan, n, out)

    # A starting position from 1 to k
    def position(self, k):
        check(k, k)
        self._ready()
        return self._guard(self._position, k)

    # The known-answer test, on request
    def test(self):
        self._ready()
        self._guard(self._known_answer)

    def _ready(self):
        if self.fault:
            raise ChanceFault(self.fault)
        if not self.trust:
            raise ChanceFault(NOT_STARTED)

    # Does step, and latches whatever goes wrong in it. A caller's wrong number never comes this far
    def _guard(self, step, *given):
        try:
            return step(*given)
        except ChanceFault as e:
            self.fault = e.reason
            self._end()
            raise
        except Exception:
            self.fault = DRBG
            self._end()
            raise ChanceFault(DRBG) from None

    def _start(self):
        self._known_answer()
        self._source.start_up()
        try:
            self._source.entropy(self._seed)
            self._source.entropy(self._nonce)
            self._drbg = HmacDrbg(self._seed, self._nonce, self._person, self._wipe)
        finally:
            self._forget()
        self.trust = True

    def _known_answer(self):
        if not kat.passes(self._wipe):
            raise ChanceFault(KAT)

    def _mix(self):
        self._mixes += 1
        if self._mixes % KAT_EVERY == 0:
            self._known_answer()
        try:
            self._source.entropy(self._seed)
            self._drbg.reseed(self._seed)
        finally:
            self._forget()

    def _plan(self, n, out):
        self._mix()
        if self._collect:
            self._collect()
        permutation(n, self._drbg, out)

    def _position(self, k):
        self._mix()
        return position(k, self._drbg)

    def _forget(self):
        self._seed[:] = _ZEROS
        self._nonce[:] = _ZEROS

    def _end(self):
        self.trust = False
        self._source.end()
        self._forget()
        if self._drbg is not None:
            self._drbg.wipe()
            self._drbg = None

# HMAC_DRBG with SHA-256 as NIST SP 800-90A rev. 1 has it (10.1.2), security strength 256 bits, prediction
# resistance by reseed() before generate(). Built on sha256 alone: the device has no hmac and no copy() of a hash.
from hashlib import sha256

from micropython import const

MIN_ENTROPY = const(32)  # bytes, the security strength
MIN_NONCE = const(16)  # bytes, half of it
MAX_INPUT = const(65536)  # bytes in any input; the standard would take 2^32
MAX_REQUEST = const(65536)  # bytes, the standard's 2^19 bits
RESEED_LIMIT = const(1024)  # requests from one seed; the standard would take 2^48

# Layout of the two messages that an HMAC hashes, kept ready so that most need a single call each:
# inner = K xor ipad | V | separator, outer = K xor opad | inner digest
_V = const(64)
_SEPARATOR = const(96)
_ZEROS = bytes(97)


class DrbgError(Exception):
    pass


class ReseedRequired(DrbgError):
    pass


# A digest is a bytes object, which plain Python cannot overwrite. The device's hal gives a function that can.
def leave(digest):
    pass


class HmacDrbg:
    def __init__(self, entropy, nonce, personalization=b"", wipe=leave):
        self.count = 0  # the standard's reseed counter; 0: not instantiated
        _check("entropy", entropy, MIN_ENTROPY)
        _check("nonce", nonce, MIN_NONCE)
        _check("personalization", personalization, 0)
        self._wipe = wipe
        self._inner = bytearray(97)
        self._outer = bytearray(96)
        inner = memoryview(self._inner)
        self._keyed_v = inner[:_SEPARATOR]
        self._v = inner[_V:_SEPARATOR]
        self._tail = memoryview(self._outer)[_V:]
        for i in range(_V):
            self._inner[i] = 0x36
            self._outer[i] = 0x5C
        for i in range(32):
            self._v[i] = 1
        try:
            self._update(entropy, nonce, personalization)
        except BaseException:
            self.wipe()
            raise
        self.count = 1

    def reseed(self, entropy, additional=b""):
        self._must_live()
        _check("entropy", entropy, MIN_ENTROPY)
        _check("additional", additional, 0)
        try:
            self._update(entropy, additional)
        except BaseException:
            self.wipe()
            raise
        self.count = 1

    def generate(self, n, additional=b""):
        _check_request(n)
        out = bytearray(n)
        self.generate_into(out, additional)
        return out

    # The same without an allocation for the result; fills all of out, a bytearray
    def generate_into(self, out, additional=b""):
        self._must_live()
        n = len(out)
        _check_request(n)
        _check("additional", additional, 0)
        if self.count > RESEED_LIMIT:
            raise ReseedRequired("reseed: " + str(RESEED_LIMIT) + " requests were made from this seed")
        # Whatever goes wrong between here and the last update, a state that gave bits is never used again
        try:
            if additional:
                self._update(additional)
            v = self._v
            done = 0
            while n - done >= 32:
                self._next()
                out[done : done + 32] = v
                done += 32
            if done < n:
                self._next()
                out[done:] = v[: n - done]
            self._update(additional)
        except BaseException:
            self.wipe()  # first: out may be what cannot be written
            for i in range(n):
                out[i] = 0
            raise
        self.count += 1

    # Uninstantiate. Nothing but a new object works after it
    def wipe(self):
        self.count = 0
        self._inner[:] = _ZEROS
        self._outer[:] = _ZEROS[:96]

    # Whether the working state is gone
    def is_blank(self):
        return not self.count and self._inner == _ZEROS and self._outer == _ZEROS[:96]

    def _must_live(self):
        if not self.count:
            raise DrbgError("generator: not instantiated; make a new one from fresh entropy")

    # The second half of an HMAC, from the digest of the first
    def _close(self, digest):
        self._tail[:] = digest
        self._wipe(digest)
        return sha256(self._outer).digest()

    # V = HMAC(K, V)
    def _next(self):
        digest = self._close(sha256(self._keyed_v).digest())
        self._v[:] = digest
        self._wipe(digest)

    # Mixes up to three parts of one string into K and V
    def _update(self, a=b"", b=b"", c=b""):
        inner = self._inner
        outer = self._outer
        for separator in (0, 1):
            inner[_SEPARATOR] = separator
            h = sha256(inner)
            if a:
                h.update(a)
            if b:
                h.update(b)
            if c:
                h.update(c)
            digest = self._close(h.digest())
            i = 0
            for x in digest:
                inner[i] = x ^ 0x36
                outer[i] = x ^ 0x5C
                i += 1
            self._wipe(digest)
            self._next()
            if not (a or b or c):
                return


def _check(name, value, least):
    n = len(value)
    if n < least:
        raise ValueError(name + ": " + str(n) + " bytes given, at least " + str(least) + " needed")
    if n > MAX_INPUT:
        raise ValueError(name + ": " + str(n) + " bytes given, at most " + str(MAX_INPUT) + " taken")


def _check_request(n):
    if not 1 <= n <= MAX_REQUEST:
        raise ValueError("request: " + str(n) + " bytes asked for, 1 to " + str(MAX_REQUEST) + " given")

# Raw noise of the RP2350: samples of the TRNG's ring oscillator, with the TRNG's own corrector and tests bypassed,
# because chance/ tests the raw bits. No emulator has this chip: this file was compiled, and run on a model of the
# registers. The part gives 192 samples at a time. None is thrown away and the oscillator is never restarted, else the
# tests would see pieces of what it does, and each piece might begin alike.

import micropython
from time import sleep_us
from micropython import const

_BYPASS = const(14)  # no von Neumann corrector, no repetition test, no autocorrelation test
_SAMPLE = const(1500)  # system clocks between two samples: 10 us at 150 MHz
_LIMIT_US = const(20000)  # 192 samples take 1.9 ms
_BATCH = const(192)

_batch = bytearray(_BATCH)  # samples that nobody has had yet, from _at[0] on
_at = bytearray(b"\xff")  # 255: the part was not started
_before = bytearray(24)  # the six words of the batch before: six equal ones come with 2^-96, by the claim


def _failed(why):
    """Nothing of a part that failed is kept, and nothing of it is used."""
    _at[0] = 255
    for kept in (_batch, _before):
        for i in range(len(kept)):
            kept[i] = 0
    raise OSError(why)


@micropython.viper
def bits(buf):
    """Fills buf with one bit a byte. OSError when the source does not answer."""
    trng = ptr32(0x400F0000)
    out = ptr8(buf)
    batch = ptr8(_batch)
    at = ptr8(_at)
    before = ptr32(_before)
    k = at[0]
    if k > _BATCH:
        trng[80] = 1  # SW_RESET
        sleep_us(10)
        trng[76] = _SAMPLE  # SAMPLE_CNT1
        trng[78] = _BYPASS  # DEBUG_CONTROL
        trng[75] = 1  # RND_SOURCE_ENABLE
        k = _BATCH
    for i in range(int(len(buf))):
        if k == _BATCH:
            waited = 0
            while not trng[68] & 1:  # VALID
                if waited >= _LIMIT_US:
                    _failed("the noise source does not answer")
                sleep_us(10)
                waited += 10
            same = 0
            for word in range(6):
                samples = trng[69 + word]  # EHR_DATA0..5; reading the last starts the next 192
                if samples == before[word]:
                    same += 1
                before[word] = samples
                for j in range(32):
                    batch[32 * word + j] = (samples >> j) & 1
            trng[66] = 15  # ICR
            if trng[68] & 1:  # nothing new was begun: what it has now it would give for ever
                _failed("the noise source stands still")
            if same == 6:  # a period of 192, which no test of chance/ sees
                _failed("the noise source repeats itself")
            k = 0
        out[i] = batch[k]
        batch[k] = 0
        k += 1
    at[0] = k

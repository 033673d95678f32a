# Raw noise of the RP2350: samples of the TRNG's ring oscillator, with the TRNG's own corrector and tests bypassed,
# because chance/ tests the raw bits. No emulator has this chip: this file was compiled, never run.

import micropython
from time import sleep_us
from micropython import const

_BYPASS = const(14)  # no von Neumann corrector, no repetition test, no autocorrelation test
_SAMPLE = const(1500)  # system clocks between two samples: 10 us at 150 MHz
_LIMIT_US = const(20000)  # 192 samples take 1.9 ms


@micropython.viper
def bits(buf):
    """Fills buf with one bit a byte. OSError when the source does not answer."""
    trng = ptr32(0x400F0000)
    out = ptr8(buf)
    n = int(len(buf))
    trng[80] = 1  # SW_RESET
    sleep_us(10)
    trng[76] = _SAMPLE  # SAMPLE_CNT1
    trng[78] = _BYPASS  # DEBUG_CONTROL
    trng[75] = 1  # RND_SOURCE_ENABLE
    i = 0
    while i < n:
        trng[66] = 15  # ICR
        waited = 0
        while not trng[68] & 1:  # VALID
            sleep_us(10)
            waited += 10
            if waited > _LIMIT_US:
                raise OSError("the noise source does not answer")
        k = 0
        while k < 192 and i < n:
            out[i] = (trng[69 + (k >> 5)] >> (k & 31)) & 1  # EHR_DATA0..5
            k += 1
            i += 1
        _ = trng[74]  # reading the last word starts the next 192 samples
    trng[75] = 0

# Raw noise of the RP2040: its ring oscillator's random bit. It is biased, and correlated when it is read fast.

import micropython
from time import sleep_us


@micropython.viper
def bits(buf):
    """Fills buf with one bit a byte."""
    random_bit = ptr32(0x4006001C)
    out = ptr8(buf)
    for i in range(int(len(buf))):
        sleep_us(10)
        out[i] = random_bit[0] & 1

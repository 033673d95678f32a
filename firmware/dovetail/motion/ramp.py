# Ramps as lists of step periods in microseconds, exact to the microsecond at every step.

from array import array
from micropython import const
from dovetail.hal.lasting import lasting_array

_MUCH = const(128)  # steps; their roots are numbers of more than 31 bits, 150 bytes of garbage a step


def ramp(speed, accel, collect=None):
    """Periods from rest to `speed` steps a second at `accel` steps a second squared, and back."""
    least = (1000000 + speed // 2) // speed
    up = array("H")
    spent = 0
    t = 1000
    n = 0
    last = 65535
    while last > least:
        n += 1
        # the time of n steps is sqrt(2 n / a); Newton's method from the last root takes two turns
        square = 2000000000000 * n // accel
        for _ in range(12 if n == 1 else 3):
            t = (t + square // t) >> 1
        # never slower than the step before, so that rounding makes no ripple in the speed
        last = max(min(t - spent, last), least)
        spent += last
        up.append(last)
        if collect and n % _MUCH == 0:
            collect()
    rise, fall = lasting_array("H", n), lasting_array("H", n)
    for i in range(n):
        rise[i] = fall[n - 1 - i] = up[i]
    return rise, fall

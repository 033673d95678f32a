# Uniform draws: a byte counts only if it is under the largest multiple of the range m, else the next one is tried:
# with j = x % m that is x - j <= 256 - m.
# Whoever gives the bytes has generate_into(buffer). No byte is used twice, none is left over for a later draw.
from micropython import const

_POOL = const(64)  # bytes a request; a deck of 54 takes 56.0 in the mean
_pool = bytearray(_POOL)
_zeros = bytes(_POOL)


# Refuses what cannot be drawn; room is that of the result
def check(n, room):
    if not 1 <= n <= 256:
        raise ValueError("draw: one of " + str(n) + " asked for, 1 to 256 can be drawn from")
    if n != room:
        raise ValueError("draw: a permutation of " + str(n) + " asked for, room given for " + str(room))


# Fisher-Yates, inside out: out becomes a permutation of 0..n-1. Each card goes under or in the place of an earlier one
def permutation(n, drbg, out=None):
    if out is None:
        out = bytearray(n)
    check(n, len(out))
    pool = _pool
    out[0] = 0
    i = 1
    try:
        while i < n:
            drbg.generate_into(pool)
            m = i + 1
            for x in pool:
                j = x % m
                if x - j <= 256 - m:
                    out[i] = out[j]
                    out[j] = i
                    i = m
                    m += 1
                    if i == n:
                        break
    except BaseException:
        for i in range(n):
            out[i] = 0
        raise
    finally:
        pool[:] = _zeros
    return out


# Uniform from 1 to k, k up to 256
def position(k, drbg):
    check(k, k)
    try:
        while True:
            drbg.generate_into(_pool)
            for x in _pool:
                j = x % k
                if x - j <= 256 - k:
                    return j + 1
    finally:
        _pool[:] = _zeros

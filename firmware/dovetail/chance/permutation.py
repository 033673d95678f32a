# Uniform draws: a byte is used only if it is under the largest multiple of the range, and thrown away otherwise.
# Whoever gives the bytes has generate_into(buffer). No byte is used twice, none is left over for a later draw.
from micropython import const

_POOL = const(64)  # bytes a request; a deck of 54 takes 55.9 in the mean
_pool = bytearray(_POOL)
_zeros = bytes(_POOL)


# Refuses what cannot be drawn; room is that of the result
def check(n, room):
    if not 1 <= n <= 256:
        raise ValueError("draw: one of " + str(n) + " asked for, 1 to 256 can be drawn from")
    if n != room:
        raise ValueError("draw: a permutation of " + str(n) + " asked for, room given for " + str(room))


# Fisher-Yates: out becomes a permutation of 0..n-1, n from 1 to 256
def permutation(n, drbg, out=None):
    if out is None:
        out = bytearray(n)
    check(n, len(out))
    pool = _pool
    used = _POOL
    for i in range(n):
        out[i] = i
    i = n
    try:
        while i > 1:
            if used == _POOL:
                drbg.generate_into(pool)
                used = 0
            x = pool[used]
            used += 1
            if x < 256 - 256 % i:
                x %= i
                i -= 1
                y = out[i]
                out[i] = out[x]
                out[x] = y
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
                if x < 256 - 256 % k:
                    return x % k + 1
    finally:
        _pool[:] = _zeros

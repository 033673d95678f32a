# One case of a comparison with another implementation: what it was given, what it was asked, what it answered.
# host_tools/tests/openssl_drbg.py says how it is written. On a board the same text is run at the prompt.
from binascii import unhexlify

from dovetail.chance.hmac_drbg import HmacDrbg, leave


def _bytes(word):
    return b"" if word == "-" else unhexlify(word)


# How many of the case's answers the device gives too; -1 if it gives another
def same(case, wipe=leave):
    entropy, nonce, person, *calls = case.split()
    drbg = HmacDrbg(_bytes(entropy), _bytes(nonce), _bytes(person), wipe)
    answers = 0
    for call in calls:
        kind, fresh, additional, out = call.split(":")
        additional = _bytes(additional)
        if kind != "G":
            drbg.reseed(_bytes(fresh), additional)
            additional = b""
        if kind != "R":
            if drbg.generate(len(out) // 2, additional) != unhexlify(out):
                return -1
            answers += 1
    return answers

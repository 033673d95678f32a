# Known-answer test of the generator, by one of NIST's vectors for it (reseed, personalization and additional input),
# and of its refusals, as SP 800-90A 11.3 asks. It answers for SHA-256 as the conditioner too: it is the same function.
from binascii import unhexlify

from dovetail.chance.hmac_drbg import MAX_REQUEST, MIN_ENTROPY, RESEED_LIMIT, DrbgError, HmacDrbg, ReseedRequired

_ENTROPY = "cdb0d9117cc6dbc9ef9dcb06a97579841d72dc18b2d46a1cb61e314012bdf416"
_NONCE = "d0c0d01d156016d0eb6b7e9c7c3c8da8"
_PERSONALIZATION = "6f0fb9eab3f9ea7ab0a719bfa879bf0aaed683307fda0c6d73ce018b6e34faaa"
_RESEED = "8ec6f7d5a8e2e88f43986f70b86e050d07c84b931bcf18e601c5a3eee3064c82"
_RESEED_ADDITIONAL = "1ab4ca9014fa98a55938316de8ba5a68c629b0741bdd058c4d70c91cda5099b3"
_ADDITIONAL_1 = "16e2d0721b58d839a122852abd3bf2c942a31c84d82fca74211871880d7162ff"
_ADDITIONAL_2 = "53686f042a7b087d5d2eca0d2a96de131f275ed7151189f7ca52deaa78b79fb2"
_OUTPUT = (
    "dda04a2ca7b8147af1548f5d086591ca4fd951a345ce52b3cd49d47e84aa31a1"
    "83e31fbc42a1ff1d95afec7143c8008c97bc2a9c091df0a763848391f68cb4a3"
    "66ad89857ac725a53b303ddea767be8dc5f605b1b95f6d24c9f06be65a973a08"
    "9320b3cc42569dcfd4b92b62a993785b0301b3fc452445656fce22664827b88f"
)


def passes(wipe):
    entropy = unhexlify(_ENTROPY)
    drbg = HmacDrbg(entropy, unhexlify(_NONCE), unhexlify(_PERSONALIZATION), wipe)
    drbg.reseed(unhexlify(_RESEED), unhexlify(_RESEED_ADDITIONAL))
    drbg.generate(128, unhexlify(_ADDITIONAL_1))
    if drbg.generate(128, unhexlify(_ADDITIONAL_2)) != unhexlify(_OUTPUT):
        return False
    if not _refuses(ValueError, drbg.generate, MAX_REQUEST + 1):
        return False
    if not _refuses(ValueError, drbg.reseed, entropy[: MIN_ENTROPY - 1]):
        return False
    drbg.count = RESEED_LIMIT + 1
    if not _refuses(ReseedRequired, drbg.generate, 1):
        return False
    drbg.wipe()
    return drbg.is_blank() and _refuses(DrbgError, drbg.generate, 1)


def _refuses(error, function, given):
    try:
        function(given)
    except error:
        return True
    return False

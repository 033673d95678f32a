"""OpenSSL's HMAC_DRBG, and random sequences of calls with what it answers.

A case is a line: entropy, nonce and personalization in hex, `-` for none, and its calls. A call is
kind:fresh:additional:output. G generates, P does so with prediction resistance, R reseeds.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import random


class _Param(ctypes.Structure):
    """OSSL_PARAM."""

    _fields_ = (
        ("key", ctypes.c_char_p),
        ("data_type", ctypes.c_uint),
        ("data", ctypes.c_void_p),
        ("data_size", ctypes.c_size_t),
        ("return_size", ctypes.c_size_t),
    )


_UNSIGNED, _TEXT, _BYTES = 2, 4, 5


def _params(values: dict[bytes, int | str | bytes]) -> tuple[ctypes.Array[_Param], list[object]]:
    """An OSSL_PARAM list, and what must live as long as it does."""
    keep: list[object] = []
    params: list[_Param] = []
    for key, value in values.items():
        if isinstance(value, int):
            number = ctypes.c_uint(value)
            keep.append(number)
            address = ctypes.cast(ctypes.byref(number), ctypes.c_void_p)
            params.append(_Param(key, _UNSIGNED, address, ctypes.sizeof(number), 0))
        else:
            raw = value.encode() if isinstance(value, str) else value
            buffer = ctypes.create_string_buffer(raw, len(raw) + 1)
            keep.append(buffer)
            address = ctypes.cast(buffer, ctypes.c_void_p)
            kind = _TEXT if isinstance(value, str) else _BYTES
            params.append(_Param(key, kind, address, len(raw), 0))
    params.append(_Param(None, 0, None, 0, 0))
    return (_Param * len(params))(*params), keep


class OpenSslDrbg:
    """OpenSSL's HMAC_DRBG with SHA-256 over a parent that gives the entropy of the case."""

    def __init__(self, library: ctypes.CDLL, entropy: bytes, nonce: bytes, person: bytes) -> None:
        self._library = library
        self._parent = self._context(b"TEST-RAND", None)
        self._call("EVP_RAND_CTX_set_params", self._parent, self._list({b"strength": 256}))
        given = self._list({b"test_entropy": entropy, b"test_nonce": nonce})
        self._call("EVP_RAND_instantiate", self._parent, 256, 0, None, 0, given)
        self._child = self._context(b"HMAC-DRBG", self._parent)
        config = self._list({b"mac": "HMAC", b"digest": "SHA256"})
        self._call("EVP_RAND_CTX_set_params", self._child, config)
        self._call("EVP_RAND_instantiate", self._child, 256, 0, person, len(person), None)

    def reseed(self, entropy: bytes, additional: bytes) -> None:
        """From the parent, as a parent's entropy is the only kind that OpenSSL takes alone."""
        self._entropy(entropy)
        self._call("EVP_RAND_reseed", self._child, 0, None, 0, additional, len(additional))

    def generate(self, n: int, additional: bytes, entropy: bytes = b"") -> bytes:
        """With prediction resistance if there is entropy for it."""
        if entropy:
            self._entropy(entropy)
        out = ctypes.create_string_buffer(n)
        resist = 1 if entropy else 0
        given = (additional, len(additional))
        self._call("EVP_RAND_generate", self._child, out, n, 256, resist, *given)
        return out.raw

    def close(self) -> None:
        self._library.EVP_RAND_CTX_free(self._child)
        self._library.EVP_RAND_CTX_free(self._parent)

    def _entropy(self, entropy: bytes) -> None:
        given = self._list({b"test_entropy": entropy})
        self._call("EVP_RAND_CTX_set_params", self._parent, given)

    def _list(self, values: dict[bytes, int | str | bytes]) -> ctypes.Array[_Param]:
        params, self._keep = _params(values)
        return params

    def _context(self, name: bytes, parent: ctypes.c_void_p | None) -> ctypes.c_void_p:
        algorithm = ctypes.c_void_p(self._library.EVP_RAND_fetch(None, name, None))
        assert algorithm.value, f"OpenSSL has no {name.decode()}"
        context = ctypes.c_void_p(self._library.EVP_RAND_CTX_new(algorithm, parent))
        assert context.value
        self._library.EVP_RAND_free(algorithm)
        return context

    def _call(self, name: str, *given: object) -> None:
        values = [ctypes.c_size_t(x) if isinstance(x, int) else x for x in given]
        assert getattr(self._library, name)(*values) == 1, name


def openssl() -> ctypes.CDLL:
    """The library of this machine."""
    path = ctypes.util.find_library("crypto")
    assert path, "libcrypto is missing, install OpenSSL 3"
    library = ctypes.CDLL(path)
    library.EVP_RAND_fetch.restype = ctypes.c_void_p
    library.EVP_RAND_CTX_new.restype = ctypes.c_void_p
    return library


def _hex(data: bytes) -> str:
    return data.hex() or "-"


def _case(library: ctypes.CDLL, pick: random.Random) -> str:
    def some(most: int) -> bytes:
        return pick.randbytes(pick.choice((0, 1, 32, pick.randrange(most + 1))))

    entropy, nonce, person = pick.randbytes(32), pick.randbytes(16), some(150)
    words = [_hex(entropy), _hex(nonce), _hex(person)]
    theirs = OpenSslDrbg(library, entropy, nonce, person)
    try:
        for _ in range(pick.randrange(1, 6)):
            fresh, additional = pick.randbytes(32), some(150)
            n = pick.choice((1, 31, 32, 33, 64, pick.randrange(1, 1000)))
            kind = pick.choice("GPR")
            out = b""
            if kind == "R":
                theirs.reseed(fresh, additional)
            else:
                out = theirs.generate(n, additional, fresh if kind == "P" else b"")
            given = b"" if kind == "G" else fresh
            words.append(":".join((kind, _hex(given), _hex(additional), _hex(out))))
        out = theirs.generate(32, b"")  # what the last call left behind shows here
        words.append(f"G:-:-:{_hex(out)}")
    finally:
        theirs.close()
    return " ".join(words)


def cases(count: int) -> list[str]:
    """So many, the same ones every time."""
    library, pick = openssl(), random.Random(90)
    return [_case(library, pick) for _ in range(count)]

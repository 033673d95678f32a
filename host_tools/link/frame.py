"""Frames on the wire: 00 COBS( header | body | [tag] | CRC-32 ) 00; docs/protocol.md has more."""

import hmac
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from cobs import cobs  # type: ignore[import-untyped]

from host_tools.link import auth

VERSION = 1  # from link/frame.py: VERSION
REQUEST = 1  # from link/frame.py: REQUEST
REPORT = 2  # from link/frame.py: REPORT
TAGGED = 1  # flag: a tag stands before the CRC; from link/frame.py: TAGGED
MAX_BODY = 512  # from link/frame.py: MAX_BODY
MAX_RAW = 538  # header, body, tag, CRC; from link/frame.py: _MAX_RAW
MAX_BLOCK = 541  # between two delimiters; from link/frame.py: _MAX_BLOCK
MAX_WIRE = 543  # with them; from link/frame.py: MAX_FRAME
HEADER = struct.Struct("<BBI")
CRC = struct.Struct("<I")

# The package has no types of its own.
stuff = cast(Callable[[bytes], bytes], cobs.encode)  # pyright: ignore[reportUnknownMemberType]
unstuff = cast(Callable[[bytes], bytes], cobs.decode)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True)
class Frame:
    """A good frame."""

    counter: int
    body: bytes
    signed: bytes = b""  # header and body, what the tag is over
    tag: bytes = b""  # empty: it is not tagged


def direction(kind: int) -> bytes:
    """What a tag says of who sent the frame."""
    return auth.CONTROLLER if kind == REQUEST else auth.MACHINE


def encode(kind: int, counter: int, body: bytes, key: bytes = b"") -> bytes:
    """A whole frame with its delimiters, the first ends whatever noise came before; key: tagged."""
    if len(body) > MAX_BODY:
        raise ValueError(f"body of {len(body)} bytes, at most {MAX_BODY}")
    flags = TAGGED if key else 0
    raw = HEADER.pack(VERSION << 4 | kind, flags, counter & 0xFFFFFFFF) + body
    if key:
        raw += auth.tag(key, direction(kind), raw)
    return b"\0" + stuff(raw + CRC.pack(zlib.crc32(raw))) + b"\0"


def decode(kind: int, block: bytes) -> Frame | str:
    """The frame that stood before a delimiter, or why it is none: a word of docs/protocol.md."""
    if len(block) > MAX_BLOCK:
        return "overrun"
    try:
        raw = unstuff(block)
    except cobs.DecodeError:
        return "cut"
    if len(raw) > MAX_RAW:
        return "overrun"
    if len(raw) < HEADER.size + CRC.size:
        return "short"
    if zlib.crc32(raw[: -CRC.size]) != CRC.unpack(raw[-CRC.size :])[0]:
        return "wrong crc"
    first, flags, counter = HEADER.unpack_from(raw)
    if first != VERSION << 4 | kind or flags & ~TAGGED:
        return "unknown"
    signed, tag = raw[: -CRC.size], b""
    if not flags and len(signed) > HEADER.size + MAX_BODY:
        return "overrun"
    if flags:
        if len(signed) < HEADER.size + auth.TAG:
            return "short"
        signed, tag = signed[: -auth.TAG], signed[-auth.TAG :]
    return Frame(counter, signed[HEADER.size :], signed, tag)


def is_tagged_by(key: bytes, kind: int, found: Frame) -> bool:
    """Whether this key made the tag of a frame."""
    return hmac.compare_digest(auth.tag(key, direction(kind), found.signed), found.tag)


class Receiver:
    """Finds the frames of one kind in a stream of bytes; counts what is none."""

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.bad: dict[str, int] = {}
        self._pending = bytearray()
        self._skip = False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Every good frame that these bytes complete."""
        self._pending += data
        while (end := self._pending.find(0)) >= 0:
            block = bytes(self._pending[:end])
            del self._pending[: end + 1]
            if self._skip:
                self._skip = False
                continue
            if not block:
                continue
            found = decode(self.kind, block)
            if isinstance(found, Frame):
                yield found
            else:
                self.drop(found)
        if len(self._pending) > MAX_BLOCK:
            if not self._skip:
                self.drop("overrun")
            self._pending.clear()
            self._skip = True

    def drop(self, why: str) -> None:
        """Count what was none."""
        self.bad[why] = self.bad.get(why, 0) + 1

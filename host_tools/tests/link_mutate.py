"""Frames that a stranger or a mad controller might send, thousands from one seed."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from random import Random

from google.protobuf.message import Message

from host_tools.link import frame, link_pb2
from host_tools.tests.link_fuzz import with_crc

LONGEST = 700  # bytes: more than any frame has
LONG = 120  # bytes: more than any field may have, and four of them still fit into a body


def _requests() -> list[bytes]:
    """Every request there is, with fields and without."""
    found: list[bytes] = []
    for field in link_pb2.Request.DESCRIPTOR.fields:
        if field.message_type is None:
            continue
        for value in (None, 0, 1, 7, 0xFFFFFFFF):
            request = link_pb2.Request(id=value or 1)
            inner: Message = getattr(request, field.name)
            inner.SetInParent()
            if value is not None:
                _fill(inner, value)
            found.append(request.SerializeToString())
    return found


def _fill(message: Message, value: int) -> None:
    for field in message.DESCRIPTOR.fields:
        if field.type == field.TYPE_UINT32:
            setattr(message, field.name, value)
        elif field.type == field.TYPE_BYTES:
            setattr(message, field.name, bytes(min(value, LONG)))
        elif field.type == field.TYPE_ENUM:
            setattr(message, field.name, value % 5)
        elif field.type == field.TYPE_BOOL:
            setattr(message, field.name, bool(value))


REQUESTS = _requests()


class Mutator:
    """Everything it makes follows from the seed, the seasoning and what was heard on the line."""

    def __init__(self, seed: int, seasoning: bytes, heard: Sequence[bytes]) -> None:
        self.random = Random(seed)
        self.seasoning = seasoning or b"\0"
        self.heard = list(heard)

    def noise(self) -> bytes:
        """Bytes that are no frame."""
        n = self.random.choice((self.random.randrange(40), self.random.randrange(LONGEST)))
        return self.random.randbytes(n) + b"\0"

    def bent(self) -> bytes:
        """A frame that was heard, with wrong bytes."""
        return self.mutated(self.random.choice(self.heard))

    def replayed(self) -> bytes:
        """A frame that was heard, as it was."""
        return self.random.choice(self.heard)

    def untagged(self) -> bytes:
        """A right frame of a stranger."""
        return with_crc(self._header(0) + self.body())

    def tagged(self) -> bytes:
        """A frame with a tag made up."""
        tag = self.random.choice((self.random.randbytes(16), bytes(16), self.seasoning[:16]))
        return with_crc(self._header(1) + self.body() + tag)

    def altered(self) -> bytes:
        """A frame that was heard, with another direction, counter, body or tag, and a right CRC."""
        raw = bytearray(frame.unstuff(self.random.choice(self.heard).strip(b"\0"))[:-4])
        raw[0] = 0x11
        if self.random.random() < 0.5:
            struct.pack_into("<I", raw, 2, self.random.randrange(1 << 32))
        else:
            raw = bytearray(self.mutated(bytes(raw)))
        return with_crc(bytes(raw))

    def body(self) -> bytes:
        """A request, a bent one, fields without sense, or no message at all."""
        way = self.random.randrange(4)
        if way == 0:
            return self.random.choice(REQUESTS)
        if way == 1:
            return self.mutated(self.random.choice(REQUESTS))[: frame.MAX_BODY]
        if way == 2:
            return b"".join(self._field() for _ in range(self.random.randrange(8)))[:512]
        return self.random.randbytes(self.random.randrange(60))

    def mutated(self, data: bytes) -> bytes:
        """The same with one to four changes."""
        out = bytearray(data)
        for _ in range(self.random.randrange(1, 5)):
            self.random.choice(CHANGES)(self, out)
        return bytes(out[:LONGEST])

    def _header(self, flags: int) -> bytes:
        if self.random.random() < 0.1:
            return self.random.randbytes(6)
        return frame.HEADER.pack(0x11, flags, self.random.randrange(1 << 32))

    def _field(self) -> bytes:
        """A field of any number and wire type, at times longer than it says."""
        number = self.random.choice((self.random.randrange(1, 26), self.random.randrange(1 << 29)))
        wire = self.random.randrange(8)
        head = varint(number << 3 | wire)
        if wire == 0:
            return head + varint(self.random.getrandbits(self.random.choice((7, 32, 64, 70))))
        if wire == 2:
            n = self.random.randrange(40)
            return (
                head
                + varint(n + self.random.choice((0, 0, 0, 1, 1 << 31)))
                + self.random.randbytes(n)
            )
        return head + self.random.randbytes(self.random.choice((0, 4, 8)))

    def _flip(self, out: bytearray) -> None:
        if out:
            out[self.random.randrange(len(out))] ^= 1 << self.random.randrange(8)

    def _drop(self, out: bytearray) -> None:
        at = self.random.randrange(len(out) + 1)
        del out[at : at + self.random.randrange(1, 5)]

    def _insert(self, out: bytearray) -> None:
        at = self.random.randrange(len(out) + 1)
        out[at:at] = self.random.choice(
            (self.seasoning[:8], self.random.randbytes(3), b"\0", b"\xff")
        )

    def _double(self, out: bytearray) -> None:
        at = self.random.randrange(len(out) + 1)
        out[at:at] = out[at : at + self.random.randrange(1, 300)]

    def _splice(self, out: bytearray) -> None:
        other = self.random.choice(self.heard)
        at = self.random.randrange(len(out) + 1)
        out[at:] = other[self.random.randrange(len(other)) :]


CHANGES: tuple[Callable[[Mutator, bytearray], None], ...] = (
    Mutator._flip,  # pyright: ignore[reportPrivateUsage]
    Mutator._drop,  # pyright: ignore[reportPrivateUsage]
    Mutator._insert,  # pyright: ignore[reportPrivateUsage]
    Mutator._double,  # pyright: ignore[reportPrivateUsage]
    Mutator._splice,  # pyright: ignore[reportPrivateUsage]
)

# What a stranger can send, by name.
STRANGER: dict[str, Callable[[Mutator], bytes]] = {
    "noise": Mutator.noise,
    "bent": Mutator.bent,
    "replayed": Mutator.replayed,
    "untagged": Mutator.untagged,
    "tagged": Mutator.tagged,
    "altered": Mutator.altered,
}


def varint(value: int) -> bytes:
    """As Protocol Buffers write it."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])

"""What comes over the line and is no order: items by name, and requests with absurd fields."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from google.protobuf.message import Message

from hil_tests.request_table import ROUND
from host_tools.link import auth, frame, link_pb2
from host_tools.link.engine import Engine

MOST = 0xFFFFFFFF
HUGE = 0x7FFFFFFF  # of an enum
NEXT = link_pb2.Deal(round=ROUND, position=2)  # what would be dealt between two stacks

# why a frame is dropped, as the firmware numbers it
OVERRUN, CUT, SHORT, WRONG_CRC, UNKNOWN, WRONG_TAG, OLD = range(7)


def sealed(raw: bytes) -> bytes:
    """A frame around what should be header, body and tag, with a right CRC."""
    return b"\0" + frame.stuff(raw + struct.pack("<I", zlib.crc32(raw))) + b"\0"


def opened(wire: bytes) -> bytearray:
    """Header, body and tag of a frame."""
    return bytearray(frame.unstuff(wire.strip(b"\0"))[:-4])


@dataclass
class Line:
    """What somebody knows who has heard every byte, and the key, for items that need it."""

    engine: Engine
    sent: list[bytes] = field(default_factory=list[bytes])  # frames of the controller
    said: list[bytes] = field(default_factory=list[bytes])  # and of the machine
    random: Random = field(default_factory=lambda: Random(5))

    def forged(self, message: Message, counter: int = 10_000) -> bytes:
        """Header and body of an order that nobody has given."""
        return frame.HEADER.pack(0x11, frame.TAGGED, counter) + message.SerializeToString()

    def of_session(self, body: bytes) -> bytes:
        """A frame of the controller itself."""
        return self.engine.frame(body)


def order() -> link_pb2.Request:
    """Deal the next stack."""
    return link_pb2.Request(id=5000, deal=NEXT)


def mine(line: Line) -> bytes:
    """The last order that the controller sent, as it was on the wire."""
    return max(line.sent[-12:], key=len)


def flood(line: Line) -> bytes:
    """Orders and questions of a stranger, without a pause."""
    ask = link_pb2.Request(id=1, status=link_pb2.GetStatus())
    two = [frame.encode(frame.REQUEST, 1, one.SerializeToString()) for one in (ask, order())]
    return b"".join(two) * 100


def bent_crc(line: Line) -> bytes:
    raw = opened(mine(line))
    return b"\0" + frame.stuff(bytes(raw) + struct.pack("<I", zlib.crc32(raw) ^ 1)) + b"\0"


def later(line: Line) -> bytes:
    """What was heard, with a newer counter and the old tag."""
    raw = opened(mine(line))
    struct.pack_into("<I", raw, 2, 20_000)
    return sealed(bytes(raw))


def of_machine(line: Line) -> bytes:
    """An order tagged with the right key as the machine tags."""
    raw = line.forged(order())
    return sealed(raw + auth.tag(line.engine.key, auth.MACHINE, raw))


def of_nobody(line: Line) -> bytes:
    raw = line.forged(order())
    return sealed(raw + auth.tag(bytes(32), auth.CONTROLLER, raw))


def bent_tag(line: Line) -> bytes:
    """An order with the right tag but for its last bit."""
    raw = line.forged(order())
    tag = bytearray(auth.tag(line.engine.key, auth.CONTROLLER, raw))
    tag[-1] ^= 1
    return sealed(raw + tag)


def turned(line: Line) -> bytes:
    """A report that was heard, made a request."""
    raw = opened(next(one for one in reversed(line.said) if len(one) > 30))
    raw[0] = 0x11
    struct.pack_into("<I", raw, 2, 30_000)
    return sealed(bytes(raw))


@dataclass(frozen=True)
class Item:
    """Bytes on the line, why they are dropped, and what may be noted."""

    make: Callable[[Line], bytes]
    reasons: tuple[int, ...] = ()  # of dropped frames; what is answered has none
    notes: tuple[str, ...] = ()  # records that may be made
    answers: int = 0  # at least so many


NOTED = ("auth",)
ITEMS: dict[str, Item] = {
    "random bytes": Item(
        lambda line: line.random.randbytes(400).replace(b"\0", b"") + b"\0",
        (CUT, WRONG_CRC, OVERRUN),
    ),
    "truncated, half": Item(lambda line: mine(line)[: len(mine(line)) // 2] + b"\0", (CUT,)),
    "truncated, one byte": Item(lambda line: mine(line)[:-2] + b"\0", (CUT,)),
    "truncated, no tag": Item(lambda line: sealed(bytes(opened(mine(line))[:14])), (SHORT,)),
    "truncated, no end": Item(lambda line: mine(line)[:9], (CUT,)),
    "oversized, no end": Item(lambda line: b"\x01" * 5000 + b"\0", (OVERRUN,)),
    "oversized": Item(lambda line: sealed(frame.HEADER.pack(0x11, 0, 1) + bytes(513)), (OVERRUN,)),
    "oversized, tagged": Item(
        lambda line: sealed(frame.HEADER.pack(0x11, 1, 1) + bytes(529)), (OVERRUN,)
    ),
    "wrong CRC": Item(bent_crc, (WRONG_CRC,)),
    "wrong version": Item(lambda line: sealed(frame.HEADER.pack(0x21, 0, 1)), (UNKNOWN,)),
    "wrong flags": Item(lambda line: sealed(frame.HEADER.pack(0x11, 2, 1)), (UNKNOWN,)),
    "wrong tag": Item(of_nobody, (WRONG_TAG,), NOTED),
    "wrong tag, one bit": Item(bent_tag, (WRONG_TAG,), NOTED),
    "wrong tag, newer counter": Item(later, (WRONG_TAG,), NOTED),
    "old counter": Item(lambda line: mine(line) * 3, (OLD,)),
    "old counter, all that was said": Item(
        lambda line: b"".join(one for one in line.sent[-20:] if opened(one)[1]), (OLD,)
    ),
    "reflected": Item(lambda line: b"".join(line.said[-20:]), (UNKNOWN,)),
    "reflected, as a request": Item(turned, (WRONG_TAG,), NOTED),
    "reflected, its direction": Item(of_machine, (WRONG_TAG,), NOTED),
    "an order without a tag": Item(
        lambda line: frame.encode(frame.REQUEST, 1, order().SerializeToString()), answers=1
    ),
    "unknown message": Item(
        lambda line: line.of_session(b"\x08\xff\x7f\xfa\x07\x03abc"), answers=1
    ),
    "unknown message, no id": Item(lambda line: line.of_session(b"\xfa\x07\x03abc"), answers=1),
    "no message": Item(lambda line: line.of_session(b"\xff" * 40), answers=1),
    "a field of 64 bits": Item(
        lambda line: line.of_session(b"\x08\xff\x7f\x22\x0b\x08" + b"\xff" * 9 + b"\x01"), answers=1
    ),
    "an empty message": Item(lambda line: line.of_session(b""), answers=1),
    "unknown message, no tag": Item(
        lambda line: frame.encode(frame.REQUEST, 1, b"\x08\x01\xfa\x07\x01a"), answers=1
    ),
    "flood": Item(flood, answers=200),
    "flood of zeros": Item(lambda line: bytes(20_000)),
    "flood of ones": Item(lambda line: b"\xff" * 20_000 + b"\0", (OVERRUN,)),
}


def hello(**fields: Any) -> link_pb2.Request:
    """Of another version, nonce or role."""
    right: dict[str, Any] = {"version": 1, "nonce": bytes(16), "role": link_pb2.ROLE_TABLE}
    return link_pb2.Request(id=1, hello=link_pb2.Hello(**right | fields))


def keys(*given: bytes) -> link_pb2.Request:
    """Four of them."""
    named = zip(("table_key", "service_key", "audit_key", "supervisor_key"), given, strict=True)
    return link_pb2.Request(id=1, provision=link_pb2.Provision(**dict(named)))


# What nobody with sense says outside of a session: each is BAD or refused.
OUTSIDE: tuple[link_pb2.Request, ...] = (
    hello(version=0),
    hello(version=MOST),
    hello(nonce=b""),
    hello(nonce=bytes(15)),
    hello(nonce=bytes(400)),
    hello(role=5),
    hello(role=HUGE),
    keys(b"", b"", b"", b""),
    keys(bytes(32), bytes(32), bytes(32), bytes(32)),
    keys(b"x" * 32, b"x" * 32, b"z" * 32, b"w" * 32),
    keys(b"x" * 32, b"y" * 32, b"z" * 32, b""),
    keys(b"x" * 32, b"y" * 32, b"z" * 32, b"z" * 32),
    keys(b"x" * 31, b"y" * 32, b"z" * 33, b"w" * 32),
    keys(b"x" * 110, b"y" * 110, b"z" * 110, b"w" * 110),
    keys(b"x" * 32, b"y" * 32, b"z" * 32, b"w" * 32),
)
# The same inside of one, by name and state; none is ever done.
RED = link_pb2.RED
UNKNOWN_REASONS: tuple[Any, ...] = (len(link_pb2.VoidReason.keys()), 257, HUGE)
BACKS: tuple[Any, ...] = (0, 3, 256, 258, HUGE)
ABSURD: tuple[tuple[str, Message], ...] = (
    *(("load", link_pb2.Load(back=back)) for back in BACKS),
    *(("load", link_pb2.Load(back=back, new_deck=True, shuffled=True)) for back in BACKS),
    *(("shuffle", link_pb2.Shuffle(back=back)) for back in BACKS),
    *(("remove_deck", link_pb2.RemoveDeck(back=back)) for back in BACKS),
    *(("stub_counted", link_pb2.StubCounted(back=back, cards=52)) for back in BACKS),
    *(("open_round", link_pb2.OpenRound(round=8, players=n)) for n in (0, 8, 255, 256, 261, MOST)),
    *(("open_round", link_pb2.OpenRound(round=n, players=5)) for n in (0, 1_000_008, MOST)),
    *(("no_more_bets", link_pb2.NoMoreBets(round=n)) for n in (0, 6, 8, 263, MOST)),
    *(("deal", link_pb2.Deal(round=n, position=2)) for n in (0, 6, 8, 263, MOST)),
    *(("deal", link_pb2.Deal(round=ROUND, position=n)) for n in (0, 1, 3, 7, 256, 258, MOST)),
    *(("deal", link_pb2.Deal(round=ROUND, position=2, cards=n)) for n in (1, 2, 4, 57, 259, MOST)),
    *(("remainder", link_pb2.Remainder(round=n)) for n in (0, 6, 8, 263, MOST)),
    *(("close_round", link_pb2.CloseRound(round=n)) for n in (0, 6, 8, 263, MOST)),
    *(("void_round", link_pb2.VoidRound(round=n)) for n in (0, 6, 8, 263, MOST)),
    *(
        ("void_round", link_pb2.VoidRound(round=ROUND, reason=reason))
        for reason in (
            link_pb2.BY_FAULT,
            link_pb2.FACE_UP_TWICE,
            link_pb2.WRONG_STUB,
            link_pb2.POWER_LOST,
            *UNKNOWN_REASONS,
        )
    ),
    *(("draw_start", link_pb2.DrawStart(round=n)) for n in (0, 6, 8, 263, MOST)),
    *(("face_up", link_pb2.FaceUp(round=ROUND, position=n)) for n in (0, 7, 9, 257, MOST)),
    *(("face_up", link_pb2.FaceUp(round=n, position=1)) for n in (0, 6, 8, 263, MOST)),
    ("acknowledge", link_pb2.Acknowledge(number=MOST)),
    *(("set_baud", link_pb2.SetBaud(baud=n)) for n in (0, 1, 115_201, MOST)),
    *(("verify", link_pb2.Verify(challenge=bytes(n))) for n in (0, 31, 33, 400)),
    *(("set_clock", link_pb2.SetClock(time=n)) for n in (0, 1, MOST)),
    *(("jog", link_pb2.Jog(axis=axis, steps=MOST)) for axis in ("", "wheel", "x" * 200)),
    *(("configure", link_pb2.Configure(profile=bytes(n))) for n in (0, 1, 400)),
    ("recall", link_pb2.Recall(after=MOST)),
    ("read_journal", link_pb2.ReadJournal(segment=MOST, offset=MOST)),
)
# and in a session of service, or audit
SERVICE: tuple[tuple[str, Message], ...] = (
    *(("load", link_pb2.Load(back=back)) for back in BACKS),
    *(("shuffle", link_pb2.Shuffle(back=back)) for back in BACKS),
    *(("jog", link_pb2.Jog(axis=axis, steps=9)) for axis in ("", "w", "wheel\0", "x" * 200)),
    *(("jog", link_pb2.Jog(axis="wheel", steps=n)) for n in (0, 1_000_000, HUGE, MOST)),
    *(("jog", link_pb2.Jog(axis="wheel", steps=9, slow_us=n)) for n in (1, HUGE, MOST)),
    *(("configure", link_pb2.Configure(profile=bytes(n))) for n in (0, 1, 4, 400)),
    *(("configure", link_pb2.Configure(profile=b"\xff" * n)) for n in (1, 64, 400)),
    *(("set_clock", link_pb2.SetClock(time=n)) for n in (0, 1, MOST)),
    ("acknowledge", link_pb2.Acknowledge(number=MOST)),
    ("open_round", link_pb2.OpenRound(round=MOST, players=MOST)),
)
AUDIT: tuple[tuple[str, Message], ...] = (
    *(("read_journal", link_pb2.ReadJournal(segment=n)) for n in (1000, HUGE, MOST)),
    ("deal", NEXT),
    ("cleared", link_pb2.Cleared()),
)
# What only reads is answered whatever its fields are, and changes nothing either.
READING: tuple[tuple[str, Message], ...] = (
    *(("heartbeat", link_pb2.Heartbeat(digest=n)) for n in (0, 1, MOST)),
    *(("replay", link_pb2.Replay(number=n)) for n in (HUGE, MOST)),
)
READING_AUDIT: tuple[tuple[str, Message], ...] = tuple(
    ("read_journal", link_pb2.ReadJournal(segment=0, offset=n)) for n in (4095, 4096, HUGE, MOST)
)
NO = (link_pb2.BAD, link_pb2.REFUSED, link_pb2.NOT_NOW)  # FAILED would be an exception

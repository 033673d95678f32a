"""Writes docs/vectors.json: frames that every implementation of the link can be tried with.

`python -m host_tools.link.vectors`. Made with the host's framing and Google's Protocol Buffers
only, so that the firmware is tested against something that is not itself.
"""

import json
import struct
import zlib
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message

from host_tools.build.schema import fingerprint_of
from host_tools.build.tell import ROOT, say
from host_tools.link import auth, frame, link_pb2
from host_tools.link.keys import ROLES
from host_tools.link.link_pb2 import (
    BAD,
    BLUE,
    DONE,
    NO_SESSION,
    READY,
    RED,
    REFUSED,
    ROLE_AUDIT,
    ROLE_NONE,
    ROLE_SERVICE,
    ROLE_SUPERVISOR,
    ROLE_TABLE,
    SHOE,
    TABLE,
    Answer,
    Identity,
    Report,
    Request,
)

VECTORS = ROOT / "docs" / "vectors.json"
NONCE = bytes(range(16))
KEYS = {
    ROLE_TABLE: bytes(range(32)),
    ROLE_SERVICE: bytes(range(0x20, 0x40)),
    ROLE_AUDIT: bytes(range(0x40, 0x60)),
    ROLE_SUPERVISOR: bytes(range(0x60, 0x80)),
}
DRAWN = bytes(range(0xA0, 0xB0))  # the machine's nonce, every time
IDENTITY: dict[str, Any] = {
    "board": "shuffler_rp2040",
    "variant": "bench",
    "image": "5f1d",
    "game": "let_it_ride",
    "serial": bytes.fromhex("e661a4d7"),
    "boots": 12,
}

REQUESTS = [
    Request(id=1, hello={"version": 1, "nonce": NONCE, "role": ROLE_TABLE}),
    Request(id=2, status={}),
    Request(id=3, load={"back": RED, "new_deck": True}),
    Request(id=4, shuffle={"back": BLUE}),
    Request(id=5, open_round={"round": 7, "players": 5}),
    Request(id=6, no_more_bets={"round": 7}),
    Request(id=300, deal={"round": 7, "position": 6, "cards": 3}),
    Request(id=301, remainder={"round": 7}),
    Request(id=302, close_round={"round": 7}),
    Request(id=303, acknowledge={"number": 41}),
    Request(id=304, replay={"number": 40}),
    Request(id=305, remove_deck={"back": RED}),
    Request(
        id=306,
        provision={f"{n}_key": k for n, k in zip(ROLES, KEYS.values(), strict=True)},
    ),
    Request(id=307, heartbeat={"digest": 0xFFFFFFFF}),
    Request(id=308, set_baud={"baud": 921_600}),
    Request(id=309, verify={"challenge": bytes(range(32))}),
    Request(id=0xFFFFFFFF, cleared={}),
]
DECKS = [
    {
        "back": RED,
        "place": SHOE,
        "counted_in": 52,
        "counted_out": 52,
        "expected": 52,
        "shuffled": True,
    },
    {"back": BLUE, "place": TABLE, "expected": 52, "locked_out": True},
]
REPORTS = [
    Report(answer={"id": 1, "outcome": DONE, "identity": {"version": 1, **IDENTITY}}),
    Report(
        answer={"id": 2, "outcome": DONE, "status": {"state": READY, "shoe": 52, "decks": DECKS}}
    ),
    Report(answer={"id": 300, "outcome": REFUSED, "rule": "DS-4", "text": "no more bets is due"}),
    Report(answer={"id": 304, "outcome": DONE, "replayed": {"first": 42}}),
    Report(answer={"id": 307, "outcome": DONE, "beat": {"digest": 1, "next_event": 42}}),
    Report(answer={"id": 309, "outcome": DONE, "verified": {"done": 1024, "size": 1 << 20}}),
    Report(event={"number": 41, "uptime_ms": 90_000, "ready": {"back": RED, "text": "52 of 52"}}),
    Report(event={"number": 42, "uptime_ms": 0xFFFFFFFF, "stack": {"round": 7, "position": 1}}),
    Report(event={"uptime_ms": 5, "progress": {"back": RED, "in_wheel": 31}}),
]
COUNTERS = [1, 0, 0xFF, 0x100, 0x01020304, 0xFFFFFFFF]


def plain(message: Message) -> dict[str, Any]:
    """A message as JSON has it: enums as numbers, bytes in hexadecimal, only what was set."""

    def value_of(value: Any) -> Any:
        if isinstance(value, Message):
            return plain(value)
        if isinstance(value, bytes):
            return value.hex()
        return value if isinstance(value, (str, int)) else [value_of(item) for item in value]

    return {field.name: value_of(value) for field, value in message.ListFields()}


def raw(first: int, flags: int, counter: int, body: bytes, tag: bytes = b"") -> bytes:
    """A frame as it is before stuffing, right or wrong."""
    start = struct.pack("<BBI", first, flags, counter) + body + tag
    return start + struct.pack("<I", zlib.crc32(start))


def good_frames() -> list[dict[str, Any]]:
    """Every request, and reports of each sort."""
    rows: list[dict[str, Any]] = []
    for kind, messages in ((frame.REQUEST, REQUESTS), (frame.REPORT, REPORTS)):
        for at, message in enumerate(messages):
            counter = COUNTERS[at % len(COUNTERS)]
            body = message.SerializeToString(deterministic=True)
            rows.append(
                {
                    "kind": kind,
                    "counter": counter,
                    "message": plain(message),
                    "body": body.hex(),
                    "frame": frame.encode(kind, counter, body).hex(),
                }
            )
    return rows


def bodies() -> list[dict[str, Any]]:
    """Bodies that are hard on the stuffing; they are no messages."""
    rows: list[dict[str, Any]] = []
    for body in (b"", bytes(512), b"\x01" * 512, b"\x01" * 247 + b"\0", bytes(range(256)) * 2):
        wire = frame.encode(frame.REQUEST, 0x01010101, body)
        rows.append({"counter": 0x01010101, "body": body.hex(), "frame": wire.hex()})
    return rows


def bad_frames() -> list[dict[str, Any]]:
    """What a machine drops, and as what it counts it."""
    body = REQUESTS[1].SerializeToString()
    good = raw(0x11, 0, 1, body)
    cases = [
        ("overrun", "longer than a frame", frame.stuff(bytes(539))),
        ("overrun", "no block ends", b"\xff" + b"\x01" * 700),
        ("cut", "the last byte is missing", frame.stuff(good)[:-1]),
        ("short", "nine bytes", frame.stuff(good[:9])),
        ("short", "a block of nothing", b"\x01"),
        ("wrong crc", "one bit of the body", frame.stuff(good[:6] + b"\x09" + good[7:])),
        ("wrong crc", "one bit of the CRC", frame.stuff(good[:-1] + bytes([good[-1] ^ 0x80]))),
        ("wrong crc", "a byte is missing", frame.stuff(good[:3] + good[4:])),
        ("unknown", "version 2", frame.stuff(raw(0x21, 0, 1, body))),
        ("unknown", "a report, sent to the machine", frame.stuff(raw(0x12, 0, 1, body))),
        ("short", "tagged, with half a tag", frame.stuff(raw(0x11, 1, 1, b"", bytes(8)))),
        ("unknown", "a flag that has no meaning", frame.stuff(raw(0x11, 0x80, 1, body))),
    ]
    return [{"counted": a, "what": b, "frame": (c + b"\0").hex()} for a, b, c in cases]


def sessions() -> list[dict[str, Any]]:
    """The key of a session from its parts, and a tagged frame in each direction."""
    rows: list[dict[str, Any]] = []
    for role, role_key in KEYS.items():
        key = auth.session_key(role_key, role, NONCE, DRAWN)
        rows.append(
            {
                "role": role,
                "role_key": role_key.hex(),
                "controller": NONCE.hex(),
                "machine": DRAWN.hex(),
                "session_key": key.hex(),
                "request": frame.encode(frame.REQUEST, 2, serialized(REQUESTS[1]), key).hex(),
                "report": frame.encode(frame.REPORT, 2, serialized(REPORTS[2]), key).hex(),
                "challenge": bytes(range(32)).hex(),
                "program": bytes(range(256)).hex(),
                "digest": auth.program_digest(key, bytes(range(32)), bytes(range(256))).hex(),
            }
        )
    return rows


class Both:
    """A controller and a machine that take turns: rows of what goes to it, and what comes back."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.key = b""
        self._to = self._from = 0  # frames so far

    def say(
        self,
        what: str,
        request: Request | bytes,
        *answers: Report,
        key: bytes | None = None,
        answered_with: bytes | None = None,
    ) -> bytes:
        """One frame and its answers, with the session's key unless another is given; the frame."""
        key = self.key if key is None else key
        self._to += 1
        body = request if isinstance(request, bytes) else serialized(request)
        sent = frame.encode(frame.REQUEST, self._to, body, key)
        self.raw(what, sent, *answers, key=key if answered_with is None else answered_with)
        return sent

    def raw(self, what: str, sent: bytes, *answers: Report, key: bytes = b"") -> None:
        """Any bytes; nothing is answered to what is dropped."""
        came = b""
        for answer in answers:
            self._from += 1
            came += frame.encode(frame.REPORT, self._from, serialized(answer), key)
        self.rows.append({"what": what, "to": sent.hex(), "from": came.hex()})

    def greet(self, what: str, id: int, role: link_pb2.Role, nonce: bytes) -> bytes:
        """Hello, and the key of the session that it begins."""
        key = auth.session_key(KEYS[role], role, nonce, DRAWN)
        self.say(
            what,
            Request(id=id, hello={"version": 1, "nonce": nonce, "role": role}),
            Report(answer=Answer(id=id, outcome=DONE, identity=who(DRAWN))),
            key=b"",
            answered_with=key,
        )
        return key


def serialized(message: Message) -> bytes:
    """Fields in the order of their numbers."""
    return message.SerializeToString(deterministic=True)


def who(nonce: bytes = b"") -> Identity:
    """The machine of the exchange."""
    return Identity(
        version=1, schema=fingerprint(), first_event=1, keyed=True, nonce=nonce, **IDENTITY
    )


def done(id: int) -> Report:
    """Just that."""
    return Report(answer={"id": id, "outcome": DONE})


def exchange() -> list[dict[str, Any]]:
    """What a fresh machine answers, frame by frame; it does whatever it is asked."""
    both = Both()
    say = both.say
    again = {"outcome": BAD, "text": "id: used before for another request"}
    no_session = Report(answer={"id": 1, "outcome": NO_SESSION, "text": "say hello first"})
    say("nothing before hello", Request(id=1, shuffle={"back": RED}), no_session)
    say(
        "nor tagged",
        Request(id=1, shuffle={"back": RED}),
        no_session,
        key=bytes(32),
        answered_with=b"",
    )
    hello = {"version": 1, "nonce": NONCE, "role": ROLE_NONE}
    say(
        "who are you",
        Request(id=1, hello=hello),
        Report(answer=Answer(id=1, outcome=DONE, identity=who())),
    )
    table = both.greet("hello, for a table", 1, ROLE_TABLE, NONCE)
    say("another key than the table's", REQUESTS[3], key=KEYS[ROLE_TABLE])
    both.key = table
    order = say("an order opens the session", REQUESTS[3], done(4))
    both.raw("the same frame once more: an old counter, dropped", order)
    say("the same request in a new frame: answered, not done", REQUESTS[3], done(4))
    say(
        "another with that id",
        Request(id=4, shuffle={"back": RED}),
        Report(answer={"id": 4, **again}),
    )
    say(
        "no message",
        b"\xff",
        Report(answer={"outcome": BAD, "text": "no request of this schema"}),
    )
    say(
        "a replay with nothing kept",
        Request(id=5, replay={"number": 1}),
        Report(answer={"id": 5, "outcome": DONE, "replayed": {"first": 1}}),
    )
    say(
        "an event that has not been",
        Request(id=6, acknowledge={"number": 1}),
        Report(answer={"id": 6, "outcome": BAD, "text": "number: no such event yet"}),
    )
    no = {"outcome": REFUSED, "rule": "ROLE"}
    no_tag = "tag: is missing, and in a session all is tagged; or say hello"
    text = "read_journal: not in a session of table, but of audit"
    say(
        "not a table's",
        Request(id=7, read_journal={}),
        Report(answer={"id": 7, "text": text, **no}),
    )
    say(
        "an order that is not tagged, in a session",
        Request(id=8, shuffle={"back": RED}),
        Report(answer={"id": 8, "outcome": NO_SESSION, "text": no_tag}),
        key=b"",
    )
    say(
        "without an id",
        Request(shuffle={"back": RED}),
        Report(answer={"outcome": BAD, "text": "id: is missing; each request has one, from 1 on"}),
    )
    report = frame.encode(frame.REPORT, 99, serialized(done(9)), table)
    both.raw("a report sent to the machine: dropped", report)
    body = serialized(Request(id=9, shuffle={"back": RED}))
    signed = frame.HEADER.pack(0x11, frame.TAGGED, 99) + body
    reflected = raw(0x11, frame.TAGGED, 99, body, auth.tag(table, auth.MACHINE, signed))
    both.raw("tagged as the machine tags: dropped", b"\0" + frame.stuff(reflected) + b"\0")
    bent = bytearray(auth.tag(table, auth.CONTROLLER, signed))
    bent[15] ^= 1
    wrong = raw(0x11, frame.TAGGED, 99, body, bytes(bent))
    both.raw("one bit of the tag: dropped", b"\0" + frame.stuff(wrong) + b"\0")
    say("and it goes on", Request(id=9, shuffle={"back": RED}), done(9))
    audit = both.greet("hello, for an audit", 1, ROLE_AUDIT, NONCE)
    say("the table's session is still open", Request(id=10, shuffle={"back": RED}), done(10))
    both.key = audit
    say("the audit's opens", Request(id=2, read_journal={}), done(2))
    say("the table's is over: dropped", Request(id=11, shuffle={"back": RED}), key=table)
    text = "shuffle: not in a session of audit, but of table or service"
    say(
        "an audit orders nothing",
        Request(id=3, shuffle={"back": RED}),
        Report(answer={"id": 3, "text": text, **no}),
    )
    return both.rows


def fingerprint() -> bytes:
    """The schema's, as link_pb2 has it."""
    file = FileDescriptorProto()
    link_pb2.DESCRIPTOR.CopyToProto(file)
    return fingerprint_of(file)


def text() -> str:
    """The file."""
    vectors: dict[str, Any] = {
        "schema": fingerprint().hex(),
        "identity": {k: v.hex() if isinstance(v, bytes) else v for k, v in IDENTITY.items()},
        "frames": good_frames(),
        "bodies": bodies(),
        "bad": bad_frames(),
        "sessions": sessions(),
        "keys": {str(role): key.hex() for role, key in KEYS.items()},
        "drawn": DRAWN.hex(),
        "exchange": exchange(),
    }
    return json.dumps(vectors, indent=1) + "\n"


def main() -> None:
    """Write it."""
    VECTORS.write_text(text())
    say(f"{VECTORS.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()

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
from host_tools.link import frame, link_pb2
from host_tools.link.link_pb2 import (
    BAD,
    BLUE,
    DONE,
    NO_SESSION,
    READY,
    RED,
    REFUSED,
    SHOE,
    TABLE,
    Answer,
    Identity,
    Report,
    Request,
)

VECTORS = ROOT / "docs" / "vectors.json"
NONCE = bytes(range(16))
IDENTITY: dict[str, Any] = {
    "board": "shuffler_rp2040",
    "variant": "bench",
    "image": "5f1d",
    "game": "let_it_ride",
    "serial": bytes.fromhex("e661a4d7"),
    "boots": 12,
}

REQUESTS = [
    Request(id=1, hello={"version": 1, "nonce": NONCE}),
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
        (
            "unknown",
            "tagged, and there is no session",
            frame.stuff(raw(0x11, 1, 1, body, bytes(16))),
        ),
        ("unknown", "a flag that has no meaning", frame.stuff(raw(0x11, 0x80, 1, body))),
    ]
    return [{"counted": a, "what": b, "frame": (c + b"\0").hex()} for a, b, c in cases]


def exchange() -> list[dict[str, Any]]:
    """What a fresh machine answers, request by request; it does whatever it is asked."""
    answer_hello = Identity(version=1, schema=fingerprint(), first_event=1, **IDENTITY)
    again = {"outcome": BAD, "text": "id: used before for another request"}
    steps: list[tuple[str, Request | bytes, Report]] = [
        (
            "nothing before hello",
            Request(id=1, shuffle={"back": RED}),
            Report(answer={"id": 1, "outcome": NO_SESSION, "text": "say hello first"}),
        ),
        ("hello", REQUESTS[0], Report(answer=Answer(id=1, outcome=DONE, identity=answer_hello))),
        ("an order", REQUESTS[3], Report(answer={"id": 4, "outcome": DONE})),
        (
            "the same, again: answered, not done",
            REQUESTS[3],
            Report(answer={"id": 4, "outcome": DONE}),
        ),
        (
            "another with that id",
            Request(id=4, shuffle={"back": RED}),
            Report(answer={"id": 4, **again}),
        ),
        (
            "no message",
            b"\xff",
            Report(answer={"outcome": BAD, "text": "no request of this schema"}),
        ),
        (
            "a replay with nothing kept",
            Request(id=5, replay={"number": 1}),
            Report(answer={"id": 5, "outcome": DONE, "replayed": {"first": 1}}),
        ),
        (
            "an event that has not been",
            Request(id=6, acknowledge={"number": 1}),
            Report(answer={"id": 6, "outcome": BAD, "text": "number: no such event yet"}),
        ),
    ]
    rows: list[dict[str, Any]] = []
    for at, (what, request, report) in enumerate(steps, 1):
        body = request if isinstance(request, bytes) else request.SerializeToString()
        answer = report.SerializeToString(deterministic=True)
        sent = frame.encode(frame.REQUEST, at, body)
        rows.append(
            {"what": what, "to": sent.hex(), "from": frame.encode(frame.REPORT, at, answer).hex()}
        )
    return rows


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
        "exchange": exchange(),
    }
    return json.dumps(vectors, indent=1) + "\n"


def main() -> None:
    """Write it."""
    VECTORS.write_text(text())
    say(f"{VECTORS.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()

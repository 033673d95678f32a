# docs/vectors.json, which the host made without any code of the firmware.

import json
from binascii import hexlify, unhexlify

from dovetail.link import codec, frame, names as schema
from dovetail.link.schema import FINGERPRINT
from dovetail.hal import wire
from dovetail.link.auth import CONTROLLER, MACHINE, begin, end, session_secret
from link_line import Dice, serve

with open("docs/vectors.json") as file:
    VECTORS = json.load(file)

REASONS = ("overrun", "cut", "short", "wrong crc", "unknown")
MESSAGES = {frame.REQUEST: schema.Request, frame.REPORT: schema.Report}


def hexed(values):
    """As the vectors have it: bytes in hexadecimal."""
    if isinstance(values, dict):
        return {name: hexed(value) for name, value in values.items()}
    if isinstance(values, list):
        return [hexed(value) for value in values]
    return hexlify(values).decode() if isinstance(values, bytes) else values


def sent(values):
    """Only what is not a default, as it is on the wire."""
    if isinstance(values, dict):
        return {k: sent(v) for k, v in values.items() if isinstance(v, dict) or v}
    return [sent(value) for value in values] if isinstance(values, list) else values


def encoded(kind, counter, body):
    out = bytearray(frame.MAX_FRAME)
    return bytes(out[: frame.encode(kind, counter, body, out)])


def test_the_schema_is_the_same():
    assert VECTORS["schema"] == hexlify(FINGERPRINT).decode()


def test_frames_are_read_and_written():
    receivers = {kind: frame.Receiver(kind) for kind in MESSAGES}
    assert len(VECTORS["frames"]) >= 20
    for row in VECTORS["frames"]:
        data, body = unhexlify(row["frame"]), unhexlify(row["body"])
        receiver = receivers[row["kind"]]
        assert receiver.feed(data, 0, len(data)) == len(data)
        assert receiver.ready
        assert receiver.counter == row["counter"]
        assert bytes(receiver.body) == body
        message = codec.decode(MESSAGES[row["kind"]], receiver.body)
        assert sent(hexed(message)) == row["message"]
        assert codec.encode(MESSAGES[row["kind"]], message) == body
        assert encoded(row["kind"], row["counter"], body) == data


def test_hard_bodies_are_stuffed_as_elsewhere():
    for row in VECTORS["bodies"]:
        data = unhexlify(row["frame"])
        assert encoded(frame.REQUEST, row["counter"], unhexlify(row["body"])) == data


def test_bad_frames_are_counted_as_what_they_are():
    dice = Dice(2)
    good = unhexlify(VECTORS["frames"][1]["frame"])
    for row in VECTORS["bad"]:
        receiver = frame.Receiver(frame.REQUEST)
        data = unhexlify(row["frame"]) + good
        at = 0
        while at < len(data):
            end = min(len(data), at + 1 + dice.below(40))
            at = receiver.feed(data, at, end)
        assert receiver.ready, row
        counted = [name for name, n in zip(REASONS, receiver.bad) if n]
        assert counted == [row["counted"]], (row, receiver.bad)
        assert sum(receiver.bad) == 1


def test_sessions_have_the_keys_and_tags_that_are_written():
    for row in VECTORS["sessions"]:
        part = {name: unhexlify(value) for name, value in row.items() if name != "role"}
        secret = session_secret(part["role_key"], row["role"], part["controller"], part["machine"])
        assert secret == part["session_key"]
        key = wire.key(secret)
        for kind, name, way in ((frame.REQUEST, "request", CONTROLLER), (frame.REPORT, "report", MACHINE)):
            receiver = frame.Receiver(kind)
            assert receiver.feed(part[name], 0, len(part[name])) == len(part[name])
            assert receiver.tagged
            assert receiver.signed(key, way)
            out = bytearray(frame.MAX_FRAME)
            n = frame.encode(kind, receiver.counter, bytes(receiver.body), out, key)
            assert bytes(out[:n]) == part[name]
        assert wire.mac(key, b"V" + part["challenge"], part["program"]) == part["digest"]
        inner = begin(secret)
        inner.update(b"V" + part["challenge"] + part["program"])
        assert end(secret, inner) == part["digest"]


def test_the_exchange_goes_as_written():
    async def run(bench):
        identity = dict(VECTORS["identity"])
        identity["serial"] = unhexlify(identity["serial"])
        bench.link.identity.update(identity)
        bench.guard.keys = [None] + [unhexlify(VECTORS["keys"][role]) for role in "123"]
        bench.link.sessions._draw = lambda secret: unhexlify(VECTORS["drawn"])
        for row in VECTORS["exchange"]:
            bench.uart.gone = bytearray()
            bench.uart.coming.append(unhexlify(row["to"]))
            bench.uart.came.set()
            await bench.settle()
            assert hexlify(bytes(bench.uart.gone)).decode() == row["from"], row["what"]
        assert [name for name, _ in bench.asked] == ["shuffle"] * 3 + ["read_journal"]

    serve(run)

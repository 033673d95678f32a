"""The device's framing against the host's, which is made of other parts."""

from typing import Any

from dovetail.hal import wire as device_wire
from dovetail.link import auth
from dovetail.link import frame as device_frame
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.link import frame

device: Any = device_frame  # device code has no types
device_auth: Any = auth
wire: Any = device_wire
BODIES = st.one_of(
    st.binary(max_size=frame.MAX_BODY),
    st.integers(240, frame.MAX_BODY).map(lambda n: b"\x01" * n),
    st.lists(st.sampled_from([b"\0", b"\x01" * 253, b"\x02" * 254]), max_size=2).map(b"".join),
)
COUNTERS = st.integers(0, 2**32 - 1)
KINDS = st.sampled_from([frame.REQUEST, frame.REPORT])
NAMES = ("overrun", "cut", "short", "wrong crc", "unknown", "wrong tag", "old")


def device_writes(kind: int, counter: int, body: bytes) -> bytes:
    """A frame by the device."""
    out = bytearray(device.MAX_FRAME)
    return bytes(out[: device.encode(kind, counter, body, out)])


def device_reads(receiver: Any, data: bytes, step: int) -> list[tuple[int, bytes]]:
    """Counters and bodies, from pieces of so many bytes."""
    found: list[tuple[int, bytes]] = []
    for start in range(0, len(data), step):
        chunk = data[start : start + step]
        at = 0
        while at < len(chunk):
            at = receiver.feed(chunk, at, len(chunk))
            if receiver.ready:
                found.append((receiver.counter, bytes(receiver.body)))
    return found


def host_reads(receiver: frame.Receiver, data: bytes, step: int) -> list[tuple[int, bytes]]:
    """The same by the host."""
    return [
        (found.counter, found.body)
        for start in range(0, len(data), step)
        for found in receiver.feed(data[start : start + step])
    ]


@settings(deadline=None)
@given(KINDS, COUNTERS, BODIES, st.binary(min_size=32, max_size=32))
def test_both_tag_alike(kind: int, counter: int, body: bytes, secret: bytes) -> None:
    out = bytearray(device.MAX_FRAME)
    n = device.encode(kind, counter, body, out, wire.key(secret))
    written = bytes(out[:n])
    assert written == frame.encode(kind, counter, body, secret)
    receiver = frame.Receiver(kind)
    (found,) = receiver.feed(written)
    assert (found.counter, found.body) == (counter, body)
    assert frame.is_tagged_by(secret, kind, found)
    assert not frame.is_tagged_by(secret, frame.REQUEST + frame.REPORT - kind, found)
    other = device.Receiver(kind)
    assert device_reads(other, written, 64) == [(counter, body)]
    ways = (device_auth.CONTROLLER, device_auth.MACHINE)
    right = [other.signed(wire.key(secret), way) for way in ways]
    assert right == [kind == frame.REQUEST, kind == frame.REPORT]


@settings(deadline=None)
@given(KINDS, COUNTERS, BODIES)
def test_both_write_the_same_frame(kind: int, counter: int, body: bytes) -> None:
    assert device_writes(kind, counter, body) == frame.encode(kind, counter, body)


@settings(deadline=None)
@given(KINDS, COUNTERS, BODIES, st.integers(1, 600))
def test_each_reads_what_the_other_writes(kind: int, counter: int, body: bytes, step: int) -> None:
    written = frame.encode(kind, counter, body)
    assert device_reads(device.Receiver(kind), written, step) == [(counter, body)]
    assert host_reads(frame.Receiver(kind), written, step) == [(counter, body)]


@st.composite
def noises(draw: st.DrawFn) -> bytes:
    """Random bytes, and frames that were bent, cut, doubled or are of the other kind."""
    out = b""
    for _ in range(draw(st.integers(1, 6))):
        key = draw(st.sampled_from([b"", bytes(32)]))
        body = draw(st.binary(max_size=80))
        wire = bytearray(frame.encode(draw(KINDS), draw(COUNTERS), body, key))
        match draw(st.integers(0, 5)):
            case 0:
                out += draw(st.binary(max_size=80))
            case 1:
                wire[draw(st.integers(0, len(wire) - 1))] ^= draw(st.integers(1, 255))
                out += wire
            case 2:
                del wire[draw(st.integers(0, len(wire) - 1))]
                out += wire
            case 3:
                out += wire * 2
            case 4:
                out += wire[: draw(st.integers(0, len(wire)))]
            case _:
                out += b"\x07" * draw(st.integers(500, 700))
    return out


@settings(deadline=None)
@given(noises(), st.integers(1, 700))
def test_noise_is_dropped_alike_and_the_next_good_frame_is_read(noise: bytes, step: int) -> None:
    good = (0xFFFFFFFF, b"the good one")
    stream = noise + b"\0" + frame.encode(frame.REQUEST, *good)
    on_device, on_host = device.Receiver(frame.REQUEST), frame.Receiver(frame.REQUEST)
    found = device_reads(on_device, stream, step)
    assert found[-1] == good
    assert found == host_reads(on_host, stream, step)
    assert sum(on_device.bad) == sum(on_host.bad.values())
    # All but one pair agree on the reason too: something too long that is also cut may be either.
    either = {"overrun", "cut"}
    for name, count in zip(NAMES, on_device.bad, strict=True):
        assert name in either or count == on_host.bad.get(name, 0)

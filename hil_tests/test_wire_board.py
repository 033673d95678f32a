"""The image's C against its twins in Python, both run on the emulated board."""

import pytest

from hil_tests.hal_bench import Bench
from host_tools.evidence.drawn import seed, whole

SEEDS = (1, 2) if whole() else (seed("wire board"),)
COMMON = """
import cwire, gc
from array import array
from dovetail.hal import wire, wire_twin, message_twin
from dovetail.link import names
from dovetail.link.schema import MESSAGES
state = [{seed}]
def below(n):
    state[0] = (state[0] * 1103515245 + 12345) & 0x7FFFFFFF
    return (state[0] >> 8) % n
def some(n, zeros=4):
    return bytes([0 if below(zeros) == 0 else below(256) for _ in range(n)])
def of(function, *args):
    try:
        return function(*args)
    except (ValueError, OverflowError, TypeError):
        return "refused"
"""
FRAMES = """
assert wire.take is cwire.take and wire.decode is cwire.decode
n_good = n_tags = 0
for turn in range(120):
    n = below(538 - 20) if turn else 518
    raw = some(n, 2 + below(400))
    secret, side = some(32), below(256)
    out = [bytearray(560), bytearray(560)]
    made = []
    for module, buf in ((cwire, out[0]), (wire_twin, out[1])):
        buf[4 : 4 + n] = raw
        key = module.key(secret)
        module.sign(key, side, buf, 4, n)
        bent = bytearray(buf[4 : 4 + n + 16])
        right = [module.signed(key, side, bent, n)]
        bent[below(len(bent))] ^= 1 + below(255)
        right.append(module.signed(key, side, bent, n))
        made.append((right[0], module.mac(key, raw, secret), module.stuff(buf, n + 16)))
        assert right == [True, False]
        n_tags += 1
    assert made[0] == made[1] and out[0][: made[0][2]] == out[1][: made[0][2]]
    wire_bytes = bytearray(out[0][: made[0][2]])
    for _ in range(below(3)):
        wire_bytes[below(len(wire_bytes))] = below(256)
    stream = some(below(40)) + bytes(wire_bytes) + some(below(700), 300)
    ends = []
    for module in (cwire, wire_twin):
        st, got, at, seen = array("H", bytes(12)), bytearray(538), 0, []
        st[2] = 1
        while at < len(stream):
            at = module.take(st, got, stream, at, len(stream))
            good = module.good(got, st[0])
            n_good += good
            seen.append((at, list(st), bytes(got[: st[0]]), good))
            if st[5]:
                st[0] = st[1] = st[3] = st[4] = st[5] = 0
                st[2] = 1
        ends.append(seen)
    assert ends[0] == ends[1]
    gc.collect()
for bad in ((bytearray(8), 9), (bytearray(700), -1), (bytearray(2000), 800), (bytearray(20), 14)):
    assert of(cwire.stuff, *bad) == of(wire_twin.stuff, *bad) == "refused", bad
for args in ((bytes(31),), (bytes(33),), (b"",)):
    assert of(cwire.key, *args) == of(wire_twin.key, *args) == "refused"
print([n_good, n_tags])
"""
MESSAGE = """
def value(kind, of_, depth):
    if kind & 8:
        return [value(kind & 7, of_, depth) for _ in range(below(3))]
    kind &= 7
    if kind == 1:
        return below(2) == 1
    if kind == 3:
        return ("", "text", "caf\\u00e9 " * below(30))[below(3)]
    if kind == 4:
        return some(below(3) * below(150))
    if kind == 5:
        return message(of_, depth + 1)
    most = 9 if below(20) == 0 else 7
    return (0, 1, 127, 128, 300, 0x7FFFFFFF, 0xFFFFFFFF, -1, 0x100000000)[below(most)]
def message(which, depth=0):
    made, chosen = {{}}, below(40)
    row = MESSAGES[which]
    for i in range(len(row)):
        number, name, kind, of_ = row[i]
        if kind & 16:
            other = any([isinstance(v, dict) for v in made.values()])
            if below(len(row)) == 0 and (below(30) == 0 or not other):
                made[name] = value(kind, of_, depth)
        elif below(2):
            made[name] = value(kind, of_, depth)
    if chosen == 0:
        made["nobody"] = 1
    return made
count = [0, 0, 0]
for turn in range(500):
    known = (names.Request, names.Report, names.Status, names.Identity)
    which = known[below(4)] if below(5) else below(len(MESSAGES))
    fields = message(which)
    a = of(cwire.encode, MESSAGES, which, fields)
    b = of(message_twin.encode, MESSAGES, which, fields)
    assert a == b, (which, fields, a, b)
    data = bytearray(a) if a != "refused" else bytearray(some(below(60)))
    count[0] += a == "refused"
    for _ in range(below(4)):
        if data:
            at = below(len(data))
            if below(2):
                data[at] = below(256)
            else:
                data = data[:at] + data[at + below(3) :]
    start = below(3)
    padded = bytes(start) + bytes(data) + b"\\x08\\x01"
    one = of(cwire.decode, MESSAGES, which, padded, start, start + len(data))
    two = of(message_twin.decode, MESSAGES, which, padded, start, start + len(data))
    assert one == two, (which, bytes(data), one, two)
    count[1] += one == "refused"
    count[2] += one != "refused"
    if turn % 20 == 0:
        gc.collect()
for args in ((b"abc", 2, 1), (b"abc", 0, 4), (b"abc", -1, 2)):
    for decode in (cwire.decode, message_twin.decode):
        assert of(decode, MESSAGES, 0, *args) == "refused"
print(count)
"""
LIMIT_NS = 200_000_000_000


def asked(begin: int, source: str) -> str:
    """What the board prints."""
    bench = Bench()
    text = (COMMON + source).format(seed=begin)
    return bench.prompt.run(text, LIMIT_NS)


@pytest.mark.parametrize("begin", SEEDS)
def test_frames_and_tags(begin: int) -> None:
    good, tags = map(int, asked(begin, FRAMES).strip("[]").split(","))
    assert good > 0
    assert tags == 240


@pytest.mark.parametrize("begin", SEEDS)
def test_messages(begin: int) -> None:
    counts = [int(n) for n in asked(begin, MESSAGE).strip("[]").split(",")]
    assert min(counts) > 10, "refused to write, refused to read, read"

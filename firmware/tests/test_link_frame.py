# Framing: what is sent comes out, whatever came before it and however it is cut into pieces.

import micropython
from dovetail.link import frame
from link_line import Dice


def encoded(body, kind=frame.REQUEST, counter=7):
    out = bytearray(frame.MAX_FRAME)
    return bytes(out[: frame.encode(kind, counter, body, out)])


def received(receiver, data, step=64):
    """Bodies of the good frames in data, given in pieces of step bytes."""
    bodies = []
    for start in range(0, len(data), step):
        chunk = data[start : start + step]
        at = 0
        while at < len(chunk):
            at = receiver.feed(chunk, at, len(chunk))
            if receiver.ready:
                bodies.append(bytes(receiver.body))
    return bodies


def test_every_length_comes_out_as_it_went_in():
    receiver = frame.Receiver(frame.REQUEST)
    dice = Dice(1)
    for n in range(frame.MAX_BODY + 1):
        for body in (b"\0" * n, b"\x01" * n, dice.bytes(n)):
            data = encoded(body, counter=n)
            assert len(data) <= frame.MAX_FRAME
            assert data[0] == 0
            assert data.find(b"\0", 1) == len(data) - 1
            assert received(receiver, data, 1 + dice.below(70)) == [body]
            assert receiver.counter == n
    assert sum(receiver.bad) == 0


def test_the_counter_has_32_bits():
    receiver = frame.Receiver(frame.REQUEST)
    received(receiver, encoded(b"x", counter=0xFFFFFFFF))
    assert receiver.counter == 0xFFFFFFFF


def test_a_body_too_long_is_an_error():
    refused = False
    try:
        encoded(bytes(frame.MAX_BODY + 1))
    except ValueError:
        refused = True
    assert refused


def test_each_kind_of_bad_frame_is_counted_apart_and_the_next_is_taken():
    good = encoded(b"good")
    at = good.find(b"g")
    flipped = good[:at] + b"f" + good[at + 1 :]
    cases = (
        (frame.OVERRUN, b"\x01" * 5000 + b"\0"),
        (frame.OVERRUN, b"\xff" * 600 + b"\0"),
        (frame.CUT, good[:-3]),
        (frame.SHORT, b"\x01\0"),
        (frame.SHORT, b"\x05abcd\0"),
        (frame.WRONG_CRC, flipped),
        (frame.WRONG_CRC, b"\x0cabcdefghijk\0"),
        (frame.UNKNOWN, encoded(b"good", kind=frame.REPORT)),
    )
    for reason, data in cases:
        receiver = frame.Receiver(frame.REQUEST)
        assert received(receiver, data + good) == [b"good"], data
        expected = [0] * 7
        expected[reason] = 1
        assert receiver.bad == expected, (data, receiver.bad)


def test_delimiters_in_a_row_are_nothing():
    receiver = frame.Receiver(frame.REQUEST)
    assert received(receiver, b"\0\0\0" + encoded(b"a") + b"\0\0" + encoded(b"")) == [b"a", b""]
    assert sum(receiver.bad) == 0


def test_taking_bytes_in_allocates_nothing():
    receiver = frame.Receiver(frame.REQUEST)
    chunk = bytearray(Dice(5).bytes(64).replace(b"\0", b"\x01"))
    lock = getattr(micropython, "heap_lock", None)  # CPython has none
    if lock:
        lock()
    for _ in range(100):
        receiver.feed(chunk, 0, 64)
    if lock:
        micropython.heap_unlock()
    assert received(receiver, b"\0" + encoded(b"after")) == [b"after"]
    assert receiver.bad[frame.OVERRUN] == 1


def test_random_and_mutated_bytes_never_stop_it():
    receiver = frame.Receiver(frame.REQUEST)
    dice = Dice(9)
    good = encoded(b"still here")
    passed = 0
    for _ in range(3000):
        if dice.below(2):
            noise = dice.bytes(dice.below(40))
        else:
            noise = bytearray(encoded(dice.bytes(dice.below(60))))
            noise[dice.below(len(noise))] ^= 1 << dice.below(8)
        bodies = received(receiver, bytes(noise) + b"\0" + good, 1 + dice.below(64))
        assert bodies == [b"still here"]
        passed += 1
    assert passed == 3000
    assert sum(receiver.bad) > 0

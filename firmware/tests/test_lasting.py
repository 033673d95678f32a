# What lasts: here plain bytearrays and arrays; on the device the same to who uses them.

from array import array
from dovetail.hal.lasting import lasting_array, lasting_bytes


def test_bytes_are_a_bytearray_of_zeros():
    held = lasting_bytes(5)
    assert held == bytearray(5)
    held[1:3] = b"ab"
    assert bytes(held) == b"\0ab\0\0"


def test_numbers_are_an_array_of_zeros():
    for code in "HI":
        held = lasting_array(code, 3)
        assert held == array(code, (0, 0, 0))
        held[2] = 0xFFFF
        assert list(memoryview(held)[1:]) == [0, 0xFFFF]


def test_nothing_is_as_long_as_it_is():
    assert len(lasting_bytes(0)) == 0
    assert len(lasting_array("I", 0)) == 0


def test_two_are_not_the_same():
    a, b = lasting_bytes(4), lasting_bytes(4)
    a[3] = 1
    assert b == bytearray(4)

# Zeros for what lasts as long as the program: n bytes, or n numbers. Where the image has room for them beside the heap
# (boards/heap.c) they lie there, at an address that stays, and no collection reads them.
# Their length must never change: no append, no extend, no longer slice.

from array import array

try:
    from heap import lasting as _lasting  # pyright: ignore[reportAttributeAccessIssue]
except ImportError:

    def _lasting(n, typecode=""):
        return array(typecode, [0] * n) if typecode else bytearray(n)


def lasting_bytes(n) -> bytearray:
    return _lasting(n)  # pyright: ignore[reportReturnType]


def lasting_array(typecode, n) -> "array[int]":
    return _lasting(n, typecode)  # pyright: ignore[reportReturnType]

"""What lasts lies beside the heap of the image: whole, at its place, until the next soft reset."""

from hil_tests.hal_bench import Bench
from host_tools import measure
from sim.tests.images import image

# Kept by its address alone, too: no collection may move, free or wipe what is there.
HOLD = """
import gc, heap, uctypes
from array import array
from dovetail.hal.lasting import lasting_array, lasting_bytes
first = heap.room()
a, b, c = lasting_bytes(5), lasting_array("H", 3), lasting_array("I", 2)
zero = list(a) + list(b) + list(c)
a[:] = b"abcde"
b[0], b[1], b[2] = 1, 65535, 3
c[1] = 0xFFFFFFFF
places = [uctypes.addressof(x) for x in (a, b, c)]
last = lasting_bytes(1)
before = heap.free()
lost = uctypes.addressof(lasting_bytes(4))
uctypes.bytearray_at(lost, 4)[:] = b"stay"
for _ in range(5):
    junk = [bytearray(n) for n in range(300)]
    gc.collect()
whole = bytes(a) == b"abcde" and list(b) == [1, 65535, 3] and list(c) == [0, 0xFFFFFFFF]
there = bytes(uctypes.bytearray_at(lost, 4)) == b"stay"
kinds = isinstance(a, bytearray) and isinstance(b, array) and isinstance(c, array)
same = places == [uctypes.addressof(x) for x in (a, b, c)]
taken, size, refused = heap.room()
print([sum(zero), whole, there, kinds, same, places[0], first[0], taken - first[0], size, refused])
"""
# More than there is goes to the heap, zeroed, and is counted; what is there stays.
FULL = """
import heap
from dovetail.hal.lasting import lasting_array, lasting_bytes
taken, size, refused = heap.room()
rest = lasting_bytes(size - taken)
full, free = heap.room(), heap.free()
more = lasting_array("H", 2000)
used = free - heap.free()
try:
    lasting_bytes(size + 1)
    wrong = 0
except ValueError:
    wrong = 1
print([len(rest), size - full[0], refused, full[2], heap.room()[2], sum(more), used >= 4000, wrong])
"""


def test_it_holds_and_begins_anew() -> None:
    bench = Bench()
    found = bench.ask(HOLD)
    zeros, whole, there, kinds, same, place, before, taken, _, refused = found
    assert zeros == 0
    assert whole
    assert there, "what nobody points to is freed by a soft reset alone"
    assert kinds
    assert same
    assert taken == 8 + 8 + 8 + 4 + 4
    assert refused == 0
    again = Bench().ask(HOLD)
    assert again == found, "it is the same after every power-on"
    bench.prompt.fresh()
    assert bench.ask(HOLD) == found, "zeroed and begun anew by a soft reset"
    assert place % 4 == 0
    assert before > 0


def test_what_has_no_place_goes_to_the_heap_and_is_counted() -> None:
    rest, left, refused, full, counted, zeros, heap, wrong = Bench().ask(FULL)
    assert rest > 0
    assert left < 4
    assert (refused, full) == (0, 0)
    assert counted == 4000
    assert zeros == 0
    assert heap
    assert wrong == 1


def test_the_machine_has_room() -> None:
    image()
    taken, size, refused = measure.room_beside_the_heap()
    assert refused == 0
    assert taken <= size

# The coarse state survives a cut at any byte of its writing.

from dovetail.journal.state import State


class Store:
    SECTOR = 4096
    PAGE = 256

    def __init__(self, cells=None):
        self.cells = bytearray(cells or b"\xff" * 8192)
        self.left = 1000000  # bytes until the power goes

    def read(self, offset, buf):
        buf[:] = self.cells[offset : offset + len(buf)]

    def erase(self, sector):
        for i in range(sector * 4096, sector * 4096 + 4096):
            self._set(i, 0xFF)

    def program(self, offset, buf):
        for i in range(len(buf)):
            self._set(offset + i, self.cells[offset + i] & buf[i])

    def _set(self, i, byte):
        if self.left <= 0:
            raise KeyboardInterrupt
        self.left -= 1
        self.cells[i] = byte


def _write(store, inside, locks):
    state = State(store)
    state.boots += 1
    state.inside, state.locks = inside, locks
    state.write()


def test_an_empty_store_is_a_fresh_machine():
    state = State(Store())
    assert state.fresh
    assert not state.inside
    assert not state.locks


def test_what_is_written_is_found():
    store = Store()
    for n in range(1, 6):
        _write(store, n & 1, n)
        state = State(store)
        assert (state.boots, state.inside, state.locks) == (n, n & 1, n)


def test_a_cut_anywhere_leaves_the_old_or_the_new():
    first = Store()
    _write(first, 1, 2)
    _write(first, 1, 4)
    # every byte of the record, and a few places in the erase before it
    for cut in list(range(0, 4096, 512)) + list(range(4090, 4096 + 40)):
        store = Store(first.cells)
        store.left = cut
        try:
            _write(store, 0, 6)
            whole = True
        except KeyboardInterrupt:
            whole = False
        store.left = 1000000
        state = State(store)
        assert (state.inside, state.locks) in ((1, 4), (0, 6)), cut
        if whole:
            assert state.locks == 6
        if cut < 4096 + 22:  # the record with its CRC
            assert state.inside == 1  # never better than the truth


def test_a_flipped_bit_is_not_believed():
    good = Store()
    _write(good, 1, 2)
    _write(good, 0, 0)
    newest = 4096 if good.cells[4096:4100] == b"DVT1" and good.cells[4100] == 2 else 0
    for byte in range(newest, newest + 22):
        store = Store(good.cells)
        store.cells[byte] ^= 4
        assert State(store).inside == 1  # falls back to the record before


def test_flash_that_does_not_take_a_record_is_told():
    store = Store()
    store._set = lambda i, byte: None
    try:
        State(store).write()
        told = store.cells[0] == 0xFF and False
    except OSError:
        told = True
    assert told

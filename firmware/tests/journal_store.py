# Flash for the journal's tests, small and simple: an operation can be cut in its middle, refused, or counted.

from dovetail.journal.journal import Journal

ID = b"testchip"
STARTED = {
    "cause": 0, "last_fault": 0, "last_state": 0, "self_test": 31, "journal": 0, "inside": 0, "damage": 0,
    "image": b"0123456789ab",
}  # fmt: skip


class Cut(Exception):
    pass


class Store:
    SECTOR = 4096
    PAGE = 256

    def __init__(self, sectors=8, cells=None):
        self.size = sectors * 4096
        self.cells = bytearray(cells or b"\xff" * self.size)
        self.view = memoryview(self.cells)
        self.erases = [0] * sectors
        self.operations = 0
        self.cut_at = -1   # the number of the operation in which the power goes
        self.part = 0      # sixteenths of it that are done then
        self.refused = range(0)  # offsets of pages that take nothing

    def erase(self, sector):
        self.erases[sector] += 1
        self._do(sector * 4096, b"\xff" * 4096)

    def program(self, offset, buf):
        for at in range(offset, offset + len(buf), 256):
            page = bytearray(self.cells[at : at + 256])
            for i in range(256):
                page[i] &= buf[at - offset + i]
            self._do(at, page)

    def _do(self, at, after):
        n = len(after)
        cut = self.operations == self.cut_at
        self.operations += 1
        if cut:
            n = n * self.part // 16
        if at not in self.refused:
            self.cells[at : at + n] = after[:n]
        if cut:
            raise Cut


def copy(store):
    return Store(store.size // 4096, store.cells)


def write(j, name, fields, uptime_ms=0, time=0):
    """One record, on flash when this returns; its number."""
    if not j.room():
        j.prepare()
    number = j.put(name, fields, uptime_ms, time)
    j.flush()
    return number


def boot(store):
    """As the machine does it at power-on."""
    j = Journal(store, ID)
    j.prepare()
    fields = dict(STARTED)
    fields["inside"] = j.state.inside
    write(j, "started", fields)
    return j


def declared(back, deck, new=1, brought=0, in_order=0):
    """A new deck is taken for one in suit and sequence."""
    return {"back": back, "deck": deck, "new": new, "brought": brought, "sorted": new or in_order, "role": 1}


def opened(n, back=0, owes=0, pair=0):
    return {"round": n, "players": 5, "positions": 6, "back": back or 1 + n % 2, "owes": owes, "pair": pair}


def void(standing, provisional=1, reason=2):
    return {
        "round": 1, "complete": 3, "fault": 402, "stand": sum([standing >> i & 1 for i in range(8)]),
        "provisional": provisional, "reason": reason, "standing": standing,
    }  # fmt: skip


def clocks(j):
    return j.state.clock, j.state.clocks[1], j.state.clocks[2]


def fault(number, card=1, locks=0):
    return {
        "fault": number, "card": card, "inside": 1, "locks": locks, "picked": 0, "ejected": 0, "dealt": 0,
    }  # fmt: skip


def fill(j, n):
    """n records."""
    for i in range(n):
        write(j, "opened", opened(j.state.round + 1), i)


def snapshot(j):
    """All that is remembered, as bytes."""
    buf = bytearray(512)
    j.state.pack_into(buf, 0)
    return bytes(buf) + bytes(j.meters.at)

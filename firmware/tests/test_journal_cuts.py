# The power goes at every erase and every program, at several points of each: what was acknowledged is there
# afterwards, and nothing is remembered that was not said.

from dovetail.journal import mount
from dovetail.journal.journal import Journal
from dovetail.journal.kinds import KINDS
from journal_store import ID, Cut, Store, boot, copy, fault, fill, snapshot, write

ROUNDS = 3
INSIDE = 24  # its place in the state


def _fields(names, n):
    """Fields of a kind, made up from a number."""
    fields = {name: (n + i) % 3 for i, name in enumerate(names)}
    for name in names:
        if name in ("back", "deck"):
            fields[name] = 1 + n % 2
        elif name == "position":
            fields[name] = 1 + n % 6
        elif name in ("round", "number"):
            fields[name] = n
        elif name in ("fault", "last_fault"):
            fields[name] = (0, 102, 601, 704)[n % 4]
        elif name == "image":
            fields[name] = b"0123456789ab"
    return fields


def _story(store, snapshots):
    """Every kind in turn, a boot in between; what was acknowledged: number, and all that is remembered then."""
    n = 0
    j = boot(store)
    snapshots.append((j.next - 1, snapshot(j)))
    for _ in range(ROUNDS):
        for row in KINDS:
            n += 1
            write(j, row[1], _fields(row[3], n), n * 1000, 1700000000 + n)
            snapshots.append((j.next - 1, snapshot(j)))
        j = boot(store)
        snapshots.append((j.next - 1, snapshot(j)))


def _check(store, acknowledged, following, where):
    """After a cut: everything acknowledged, and at most one record more."""
    j = Journal(store, ID)
    assert j.status != mount.FAILED, (where, j.why)
    assert j.next - 1 in (acknowledged[0], following[0]), where
    known = acknowledged[1] if j.next - 1 == acknowledged[0] else following[1]
    found = snapshot(j)
    if found != known:  # a torn end: only that something may be inside
        assert j.damage, where
        assert j.state.inside == 1, where
        assert found[:INSIDE] + known[INSIDE : INSIDE + 1] + found[INSIDE + 1 :] == known, where
    return j


def test_every_operation_cut():
    whole = Store(6)
    snapshots = []
    _story(whole, snapshots)
    assert sum(whole.erases[2:]) > 2
    for cut in range(whole.operations):
        for part in (0, 1, 2, 5, 11, 16) if cut < 12 else (5, (0, 11, 16)[cut % 3]):
            _cut(cut, part, snapshots)


def _cut(cut, part, snapshots):
    store = Store(6)
    store.cut_at, store.part = cut, part
    told = []
    try:
        _story(store, told)
        raise ValueError("not cut")
    except Cut:
        pass
    acknowledged = told[-1] if told else (0, snapshot(Journal(Store(6), ID)))
    after = copy(store)
    _check(after, acknowledged, snapshots[len(told)], (cut, part))
    j = boot(after)  # and life goes on
    fill(j, 60)  # into the next segment
    assert Journal(copy(after), ID).status != mount.FAILED, (cut, part)


def test_a_cut_in_the_repair_of_a_cut():
    store = Store(6)
    j = boot(store)
    write(j, "fault", fault(601, locks=2))
    base = bytes(store.cells)
    for first in range(6):
        for second in range(6):
            store = Store(6, base)
            store.cut_at, store.part = first, 7
            for _ in range(2):
                try:
                    boot(store)
                except Cut:
                    pass
                store.cut_at = store.operations + second
            store.cut_at = -1
            j = Journal(store, ID)
            assert j.status != mount.FAILED
            assert j.state.locks == 2
            assert j.state.fault == 601

# What is told reaches flash once and in its order, then the link, also when an error came between.

import asyncio
import gc

from dovetail.journal import record
from dovetail.journal.journal import Journal
from dovetail.journal.mount import MOUNTED
from dovetail.journal.ring import HEADER, SECTOR
from dovetail.memory import Memory
from dovetail.motion.gate import Gate
from journal_store import ID, STARTED, Store, copy, snapshot

COUNT = 70  # records: more than a segment has


class Hal:
    unique_id = ID

    def __init__(self):
        self.store = Store(6)

    def free(self):
        return 0


class Bench:
    def __init__(self):
        self.now_ms = 0
        self.failed = 0
        self.numbers = []  # of the records, as they were told
        self.said = []  # (kind, round, how many records were on flash)
        hal = Hal()
        self.store = hal.store
        self.memory = Memory(hal, Gate(), lambda: self.now_ms, lambda: True, self.fail, None)
        self.memory.say = self.say
        self.journal = self.memory.journal
        self.memory.tell("started", STARTED, say=False)
        self.memory.at_once()

    def fail(self):
        self.failed += 1

    def say(self, kind, fields, record=0):
        self.numbers.append(record)
        self.said.append((kind, fields["round"], len(self.rounds())))
        return 0

    def rounds(self):
        """Of all records on flash, in their order."""
        found = []
        for segment in range(1, self.journal.segment + 1):
            start = self.journal.ring.at(segment)
            for at in range(start + HEADER, start + SECTOR, record.SIZE):
                one = bytes(self.store.view[at : at + record.SIZE])
                if one[0] == 9:  # no_more_bets
                    assert record.whole(one)
                    found.append(one[20] | one[21] << 8)
        return found


class Once:
    """A function of an object that raises an error instead of its n-th call, or when it is done."""

    def __init__(self, thing, name, n, error, after=False):
        self.thing, self.name, self.left, self.error, self.after = thing, name, n, error, after
        self.real = getattr(thing, name)
        setattr(thing, name, self)

    def __call__(self, *given):
        self.left -= 1
        done = None
        if self.left or self.after:
            done = self.real(*given)
        if not self.left:
            raise self.error
        return done


def places(bench):
    """Where an error may come from, and whether what it stands for was done by then."""
    journal = bench.journal
    return (
        (journal, "put", False), (journal, "prepare", False), (journal, "prepare", True), (journal, "flush", False),
        (journal, "flush", True), (journal, "fold", False), (journal, "_open", False), (journal, "_head", False),
        (journal.chain, "tag", False), (journal.ring, "program", False), (journal.ring, "program", True),
        (bench.store, "program", False), (bench.store, "erase", False),
    )  # fmt: skip


def test_an_error_loses_nothing_and_doubles_nothing():
    for place in range(len(places(Bench()))):
        struck = 0
        for n, error in ((1, MemoryError()), (2, ValueError("two")), (17, MemoryError()), (62, KeyError("last"))):
            gc.collect()
            bench = Bench()
            thing, name, after = places(bench)[place]
            for at in range(COUNT):
                bench.memory.tell("no_more_bets", {"round": at, "by_hand": 0})
            once = Once(thing, name, n, error, after)
            raised = None
            try:
                asyncio.run(bench.memory.settled())
            except Exception as caught:
                raised = caught
            assert raised is (None if once.left > 0 else error), name
            struck += raised is not None
            bench.memory.tell("no_more_bets", {"round": COUNT, "by_hand": 0})
            bench.memory.at_once()  # takes what has room
            asyncio.run(bench.memory.settled())
            assert bench.rounds() == list(range(COUNT + 1)), (name, n)
            assert [one[1] for one in bench.said] == list(range(COUNT + 1)), (name, n)
            for _, at, written in bench.said:
                assert written > at, (name, n, "told before it was on flash")
            assert (bench.memory.waiting, bench.failed) == ([], 0)
            again = Journal(copy(bench.store), ID)
            assert (again.status, again.damage) == (MOUNTED, []), (name, n, again.text())
            assert snapshot(again) == snapshot(bench.journal), (name, n)
        assert struck, "%s was never called" % name


def test_flash_that_refuses_tells_all_the_same_and_that_it_failed():
    bench = Bench()
    bench.store.refused = range(0, bench.store.size, 256)
    for n in range(3):
        bench.memory.tell("no_more_bets", {"round": n, "by_hand": 0})
    bench.memory.at_once()
    assert [one[1] for one in bench.said] == [0, 1, 2]
    assert (bench.memory.waiting, bench.failed, bench.rounds()) == ([], 1, [])


NOON = 1700000000
REFUSED, FIRST, LATER = 0, 1, 2  # of a clock record


def clocks(bench):
    """Return what the clock records say that wait for flash: before, after, jump, taken."""
    return [
        tuple(one[1][name] for name in ("before", "after", "jump_s", "taken"))
        for one in bench.memory.waiting
        if one[0] == "clock"
    ]


def test_the_first_time_is_taken_and_the_machine_counts_for_itself():
    bench = Bench()
    memory = bench.memory
    assert (memory.time(0), memory.counted_s()) == (0, 0)
    bench.now_ms = 5000
    memory.set_time(NOON)
    assert clocks(bench) == [(0, NOON, 0, FIRST)]
    for n in range(1, 60):  # each within the two seconds that a clock may differ: they add up to nothing
        bench.now_ms += 1000
        memory.set_time(NOON + n + 2)
    assert (memory.time(bench.now_ms), memory.counted_s()) == (NOON + 59, 59)
    assert clocks(bench) == [(0, NOON, 0, FIRST)]
    assert not memory.vouched


def test_who_is_trusted_sets_the_clock_also_back_and_vouches_for_it():
    bench = Bench()
    memory = bench.memory
    memory.set_time(NOON)
    bench.now_ms = 10000
    memory.set_time(NOON - 3600, True)
    assert memory.time(bench.now_ms) == NOON - 3600
    assert memory.vouched
    assert memory.counted_s() == 0
    memory.set_time(NOON + 3600, True)
    assert memory.time(bench.now_ms) == NOON + 3600
    assert clocks(bench)[1:] == [(NOON + 10, NOON - 3600, -3610, LATER), (NOON - 3600, NOON + 3600, 7200, LATER)]


def test_who_is_trusted_vouches_for_a_time_that_is_right_already():
    bench = Bench()
    bench.memory.set_time(NOON)
    bench.memory.set_time(NOON + 1, True)
    assert bench.memory.vouched
    assert clocks(bench)[1:] == [(NOON, NOON + 1, 1, 2)]
    bench.memory.set_time(NOON + 2, True)  # once is enough
    assert len(clocks(bench)) == 2


def test_a_time_that_is_refused_is_told_once_and_moves_nothing():
    bench = Bench()
    memory = bench.memory
    memory.set_time(NOON)
    for _ in range(3):
        memory.time_refused(NOON + 9000)
    assert clocks(bench)[1:] == [(NOON, NOON + 9000, 9000, REFUSED)]
    assert memory.time(0) == NOON
    memory.set_time(NOON)  # it is right again
    memory.time_refused(NOON - 9000)
    assert clocks(bench)[2:] == [(NOON, NOON - 9000, -9000, REFUSED)]


def test_every_wrong_tag_is_on_the_meter_however_many_come():
    """Records of a flood may be spared, the count that they carry may not: docs/memory.md."""
    bench = Bench()
    for _ in range(100):
        bench.memory.tell("auth", {"role": 1, "reason": 2, "failures": 2}, say=False)
        asyncio.run(bench.memory.settled())
    bench.now_ms = 86400000  # a day later there is room for one more
    bench.memory.tell("auth", {"role": 1, "reason": 2, "failures": 1}, say=False)
    asyncio.run(bench.memory.settled())
    assert bench.journal.meters["authentication_failures"] == 201

# The journal: records, the ring, what comes back after a boot, what it does when flash is full or bad.

from dovetail import faults
from dovetail.journal import mount, record
from dovetail.journal.journal import Journal
from dovetail.journal.kinds import KINDS, PAYLOAD, unpack
from dovetail.journal.meters import NAMES
from journal_store import ID, STARTED, Store, boot, clocks, copy, declared, fault, fill, opened, snapshot, void, write
import struct
from binascii import crc32


def test_kinds_are_numbered_in_turn_and_fit():
    for i in range(len(KINDS)):
        number, _, form, names, counted = KINDS[i]
        assert number == i + 1
        assert struct.calcsize(form) <= PAYLOAD
        assert len(struct.unpack(form, bytes(struct.calcsize(form)))) == len(names)
        for meter, field in counted:
            assert meter in NAMES
            assert field == "" or field in names
    assert len({row[1] for row in KINDS}) == len(KINDS)


def test_every_jam_is_on_the_meter_of_its_station():
    meters = {"feeder": "jams_feeder", "wheel": "wheel_lost", "ejector": "jams_ejector", "shoe": "jams_shoe"}
    j = boot(Store())
    seen = []
    for number, name, station, _, _ in faults.TABLE:
        if name == "jam" or "path blocked" in name or "beam blocked" in name or station in ("wheel", "ejector"):
            meter = meters[station]
            before = j.meters[meter]
            write(j, "fault", fault(number))
            for recovered in (0, 1):  # one that was recovered from is a jam all the same
                write(j, "retry", {"fault": number, "card": 1, "tries": 2, "recovered": recovered})
            assert j.meters[meter] == before + 2, name
            seen.append(station)
    assert set(seen) == set(meters)
    assert j.meters["retries"] == 4 * len(seen)
    assert j.meters["recoveries"] == len(seen)


def test_a_record_says_what_when_and_after_which():
    j = boot(Store())
    at = j.ring.at(j.segment) + j.at
    said = {
        "round": 70000, "position": 3, "ordered": 3, "delivered": 2, "from_table": 1, "verdict": 0, "ejected": 0,
    }
    number = write(j, "stack", said, 5000000123, 1700000000)
    raw = bytes(j.store.view[at : at + 64])
    assert record.whole(raw)
    assert record.header(raw) == (number, 1, 5000000123, 1700000000)
    kind, fields = unpack(raw, 0)
    assert kind[1] == "stack"
    assert fields == said


def test_a_kind_of_a_newer_image_is_kept_and_passed_over():
    store = Store()
    j = boot(store)
    write(j, "opened", opened(1))
    at = j.ring.at(j.segment) + j.at - 64
    raw = bytearray(store.view[at : at + 64])
    raw[0] = 200
    assert unpack(raw, 0) == (None, {})


def test_what_is_written_is_found():
    store = Store()
    for n in range(1, 6):
        j = boot(store)
        assert j.status == (mount.NEW if n == 1 else mount.MOUNTED)
        assert j.state.boots == n
        fill(j, 23)
        again = Journal(copy(store), ID)
        assert snapshot(again) == snapshot(j)
        assert again.next == j.next == 24 * n + 1


def test_the_ring_goes_round_and_wears_evenly():
    store = Store(12)
    j = boot(store)
    fill(j, 56 * 45)
    assert j.ring.oldest == j.segment - 9 + j.ahead  # ten places
    wear = store.erases[2:]
    assert max(wear) - min(wear) <= 1
    assert sum(wear) == j.segment + j.ahead
    assert max(wear) == max(j.ring.erases(n) for n in range(j.ring.oldest, j.segment + 1))
    assert Journal(copy(store), ID).ring.oldest == j.ring.oldest


def test_reading_ends_where_writing_is():
    j = boot(Store())
    fill(j, 100)
    assert j.read(j.segment + 1, 0, 64) is None
    assert j.read(0, 0, 64) is None
    for segment in range(j.ring.oldest, j.segment + 1):
        offset = 0
        data = b""
        while True:
            part = j.read(segment, offset, 448)
            if not part:
                break
            data += part
            offset += len(part)
        assert len(data) == (4096 if segment < j.segment else j.at)
    number = j.put("opened", opened(999), 0)
    assert j.read(j.segment, j.at - 64, 64) == b"", number  # not on flash yet
    j.flush()
    assert record.whole(j.read(j.segment, j.at - 64, 64))


def test_a_reserve_is_left_for_what_is_urgent():
    j = boot(Store())
    while j.ahead or j.room():
        write(j, "opened", opened(1))
    assert j.room(True) == 7
    for n in range(7):
        j.put("fault", fault(704, card=n), n)
    j.flush()
    assert j.room(True) == 0  # the last place is left until a next segment is there
    try:
        j.put("opened", opened(2), 0)
        raise ValueError("written into the last place")
    except OSError:
        pass
    j.prepare()
    write(j, "opened", opened(3))
    again = Journal(copy(j.store), ID)
    assert (again.status, again.state.fault, again.state.round) == (mount.MOUNTED, 704, 3)


def test_any_flipped_bit_is_put_right():
    store = Store()
    j = boot(store)
    at = j.ring.at(j.segment) + j.at - 64
    raw = bytes(store.view[at : at + 64])
    for i in range(64):
        for bit in (1, 8, 128):
            buf = bytearray(raw)
            buf[i] ^= bit
            assert record.mend(buf), i
            assert buf == raw
    buf = bytearray(raw)
    buf[0] ^= 3
    buf[60] ^= 1
    assert not record.mend(buf)


def test_one_flipped_bit_is_mended():
    store = Store()
    j = boot(store)
    fill(j, 9)
    for at in range(j.ring.at(j.segment) + j.at - 64, j.ring.at(j.segment) + j.at, 7):
        bad = copy(store)
        bad.cells[at] ^= 16
        again = Journal(bad, ID)
        assert again.status == mount.REPAIRED
        assert [found["what"] for found in again.damage] == [mount.MENDED]
        assert again.text() == "repaired: a bit was put right in segment %d" % j.segment
        assert snapshot(again) == snapshot(j)


def test_a_record_that_is_gone_is_told_and_taken_for_the_worst():
    store = Store()
    j = boot(store)
    fill(j, 20)
    number = write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
    at = j.ring.at(j.segment) + j.at - 64
    fill(j, 5)
    for i in (10, 30, 50):
        store.cells[at + i] ^= 0x55
    again = Journal(store, ID)
    assert again.status == mount.REPAIRED
    found = again.damage[0]
    assert (found["what"], found["first"], found["records"]) == (mount.GONE, number, 1)
    assert again.state.inside == 1
    assert again.state.locks == 6
    assert again.next == j.next
    boot(store)
    later = Journal(store, ID)
    assert later.state.locks == 6


def test_more_than_a_cut_can_tear_is_taken_for_the_worst():
    """What was said last lies in the last pages: a cut tears one, so what fills two was acknowledged."""
    j = boot(Store())
    write(j, "out_of_service", {"on": 1, "inside": 0})
    write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
    write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
    fill(j, 4)
    after, wanted = j.at, j.next
    for records, worst in ((4, False), (5, True), (7, True)):
        bad = copy(j.store)
        end = j.ring.at(j.segment) + after
        for at in range(end - 64 * records, end):
            bad.cells[at] &= 7 * at
        again = Journal(bad, ID)
        assert again.status == mount.REPAIRED
        assert again.state.inside == 1
        assert again.state.out == 1
        assert (again.state.locks == 6) == worst, records
        found = again.damage[0]
        if worst:
            assert (found["what"], found["first"], found["records"]) == (mount.GONE, wanted - records, records)
            assert again.next == wanted  # their numbers are missed by whoever proves the chain
        else:
            assert (found["what"], found["first"]) == (mount.TORN, wanted - records)


def test_a_draw_is_no_stack_more():
    """What is told of a round that the power ended: positions that had theirs."""
    j = boot(Store())
    write(j, "opened", opened(1))
    for position, cards in ((1, 5), (2, 5), (1, 3), (2, 1)):
        said = {"round": 1, "position": position, "ordered": cards, "delivered": cards}
        write(j, "stack", dict(said, from_table=0, verdict=0, ejected=0))
    assert j.state.stacks == 2
    assert (j.state.dealt, j.state.good) == (3, 3)


def played(j, n, back=1, owes=0, pair=0, close=True):
    """Write a round to its remainder, and close it."""
    write(j, "opened", opened(n, back, owes, pair))
    write(j, "no_more_bets", {"round": n, "by_hand": 0})
    rest = {"round": n, "delivered": 43, "dealt": 9, "expected": 52, "stub": 1, "inside": 0, "found": 0}
    write(j, "remainder", rest)
    if close:
        write(j, "closed", {"round": n})


def test_a_round_that_was_played_counts_also_when_the_power_went_before_it_was_closed():
    j = boot(Store())
    write(j, "fault", fault(602))
    for n in (1, 2, 3):
        played(j, n, close=False)
        j = boot(j.store)
        assert clocks(j) == (n, n, 0)
        j = boot(j.store)
        assert clocks(j) == (n, n, 0)  # once


def test_rounds_of_each_deck_are_counted_apart_and_no_further_than_matters():
    j = boot(Store())
    for n in range(1, 8):
        played(j, n, 1 + (n - 1) % 2, 1, 1)
        assert clocks(j) == (min(n, 5), min((n + 1) // 2, 5), min(n // 2, 5))
        j = boot(j.store)
    assert clocks(j) == (5, 4, 3)
    assert j.state.pair == 1


def test_a_round_whose_count_excuses_the_stub_sets_the_clock_back():
    j = boot(Store())
    played(j, 1, owes=1)
    played(j, 2, owes=1)
    assert clocks(j) == (2, 2, 0)
    played(j, 3)
    assert clocks(j) == (0, 0, 0)


def test_a_void_round_is_no_round_of_the_clock():
    j = boot(Store())
    write(j, "opened", opened(1, 1, 1))
    write(j, "round_void", void(0, 0))
    j = boot(j.store)
    assert clocks(j) == (0, 0, 0)


def test_a_count_that_disagrees_is_a_doubt_of_each_deck_until_its_own_stub_was_right():
    j = boot(Store())
    write(j, "fault", fault(602))
    assert j.state.doubt == 6
    played(j, 1)
    write(j, "stub_counted", {"back": 1, "right": 0})
    assert (j.state.doubt, j.state.stub, clocks(j)) == (6, 0, (0, 0, 0))  # counted it was
    write(j, "stub_counted", {"back": 1, "right": 1})
    j = boot(j.store)
    assert (j.state.doubt, j.state.stub, clocks(j)) == (4, 1, (0, 0, 0))
    played(j, 2)
    assert (clocks(j), j.state.stub) == ((0, 0, 0), 0)
    played(j, 3, 2)
    assert clocks(j) == (1, 0, 1)
    write(j, "declared", declared(1, 9))
    assert (j.state.doubt, clocks(j)) == (4, (1, 0, 1))  # another deck: the table's clock runs on
    write(j, "declared", declared(2, 10))
    assert (j.state.doubt, clocks(j), j.state.last_back) == (4, (1, 0, 1), 2)  # the first of a colour replaces none
    write(j, "removed", {"back": 2, "deck": 10, "barred": 0, "role": 1})
    write(j, "declared", declared(2, 11))
    assert (j.state.doubt, clocks(j), j.state.last_back) == (0, (0, 0, 0), 0)  # nobody can count that stub any more


def test_a_pair_is_what_the_last_round_says():
    j = boot(Store())
    for pair in (1, 0, 1):
        write(j, "opened", opened(1, 1, 0, pair))
        j = boot(j.store)
        assert j.state.pair == pair


def test_hands_that_stand_for_now_outlive_the_power_until_their_deck_is_counted():
    j = boot(Store())
    write(j, "opened", opened(1, 1))
    write(j, "round_void", void(5))
    j = boot(j.store)
    assert (j.state.stood[1][1], j.state.stood[1][2]) == (5, 2)
    voids = j.meters["voids"]
    write(j, "round_void", void(5, 0))
    j = boot(j.store)
    assert (j.state.stood[1][1], j.state.stood[1][0]) == (5, 1)  # until the next round
    assert j.state.stood[1][2] == 2 | 128
    write(j, "opened", opened(2, 2))
    assert (j.state.stood[1][0], j.state.stood[1][1]) == (0, 0)
    assert j.meters["voids"] == voids == 1  # it is one round


def test_a_brought_deck_is_on_its_own_meter():
    j = boot(Store())
    write(j, "declared", declared(1, 1))
    write(j, "declared", declared(2, 2, brought=1))
    write(j, "declared", declared(2, 2, new=0))
    assert (j.meters["decks_declared"], j.meters["decks_brought"]) == (2, 1)


def test_a_deck_that_was_locked_and_removed_stays_barred_until_another_is_declared():
    j = boot(Store())
    write(j, "declared", declared(1, 1))
    write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
    write(j, "removed", {"back": 1, "deck": 1, "barred": 1, "role": 1})
    write(j, "removed", {"back": 2, "deck": 2, "barred": 0, "role": 1})
    j = boot(j.store)
    assert (j.state.gone, j.state.locks) == (6, 2)
    assert (j.meters["decks_removed"], j.meters["decks_barred"]) == (2, 1)
    write(j, "declared", declared(1, 3))
    j = boot(j.store)
    assert (j.state.gone, j.state.locks) == (4, 0)


def test_a_torn_end_means_that_cards_may_be_inside():
    store = Store()
    j = boot(store)
    fill(j, 3)
    store.cut_at, store.part = store.operations, j.at % 256 // 16 + 2
    try:
        write(j, "opened", opened(99))
    except Exception:
        store.cut_at = -1
    cells = bytes(store.cells)
    again = Journal(store, ID)
    assert again.state.round == 3
    assert again.state.inside == 1
    assert again.damage[0]["what"] == mount.TORN
    assert again.damage[0]["first"] == j.next - 1
    assert again.text() == "repaired: record %d was cut off" % (j.next - 1)
    last = boot(Store(8, cells))
    assert last.state.inside == 1
    assert Journal(last.store, ID).damage == []  # it is behind us


def test_wiped_sectors_are_missed():
    store = Store(12)
    j = boot(store)
    fill(j, 400)
    newest = j.segment
    for lost, status in ((newest, mount.FAILED), (newest - 1, mount.REPAIRED), (newest - 4, mount.REPAIRED)):
        bad = copy(store)
        at = j.ring.at(lost)
        bad.cells[at : at + 4096] = b"\xff" * 4096
        again = Journal(bad, ID)
        assert again.status == status, lost
        assert again.why or again.damage
        if status == mount.REPAIRED:
            assert snapshot(again) == snapshot(j)
    assert Journal(bad, ID).read(newest - 1, 512, 64)


def test_a_damaged_header_is_replaced_by_the_one_before():
    store = Store()
    j = boot(store)
    fill(j, 70)
    for i, what in ((3, "mark"), (60, "state"), (300, "meters"), (500, "tag")):
        bad = copy(store)
        bad.cells[j.ring.at(j.segment) + i] ^= 0x18
        again = Journal(bad, ID)
        assert again.status == mount.REPAIRED, what
        assert again.damage[0]["what"] == mount.HEADER_BAD
        assert snapshot(again) == snapshot(j), what
        assert again.next == j.next


def test_an_altered_record_is_not_believed():
    store = Store()
    j = boot(store)
    write(j, "locked_out", {"back": 1, "deck": 1, "round": 0})
    at = j.ring.at(j.segment) + j.at - 64
    fill(j, 5)
    raw = bytearray(store.cells[at : at + 64])
    raw[20] = 2
    record.seal(raw, 0, bytes(raw[44:60]))  # a right CRC, and a tag that is not
    store.cells[at : at + 64] = raw
    again = Journal(store, ID)
    assert again.status == mount.FAILED
    assert again.why == "record 2 was altered"
    assert again.state.inside
    assert again.state.locks == 6


def test_what_makes_no_sense_fails_and_does_not_crash():
    """Right checksums, written by nobody of ours: a deck that there is not, behind a gap; settings without a form."""
    j = boot(Store())
    fill(j, 9)
    bad = copy(j.store)
    at = j.ring.at(j.segment) + j.at - 64
    for i in (10, 30, 50):
        bad.cells[at - 64 + i] ^= 0x55
    raw = bytearray(bad.cells[at : at + 64])
    raw[0], raw[20] = 4, 7
    record.seal(raw, 0, bytes(raw[44:60]))
    bad.cells[at : at + 64] = raw
    again = Journal(bad, ID)
    assert (again.status, again.why) == (mount.FAILED, "what lies there makes no sense")
    assert (again.state.inside, again.state.locks) == (1, 6)
    bad = copy(j.store)
    body = b"\x05\xff\xff\xff\xff\xff\x01\x00x"
    head = struct.pack("<4sII", b"DVS1", 9, len(body))
    for slot in (0, 4096):
        bad.cells[slot : slot + 12] = head
        bad.cells[slot + 12 : slot + 16] = struct.pack("<I", crc32(body, crc32(head)))
        bad.cells[slot + 16 : slot + 16 + len(body)] = body
    assert Journal(bad, ID).why == "settings are lost"


def test_the_journal_of_another_device():
    store = Store()
    fill(boot(store), 5)
    j = Journal(store, b"otherone")
    assert (j.status, j.why) == (mount.FAILED, "the journal of another device")
    try:
        j.put("started", STARTED, 0)
        raise ValueError("written")
    except OSError:
        pass
    assert j.room() == 0
    assert not j.prepare()


def test_lost_settings_and_lost_records():
    store = Store()
    fill(boot(store), 5)
    bad = copy(store)
    bad.cells[0:8192] = b"\xff" * 8192
    assert Journal(bad, ID).why == "settings are lost"
    bad = copy(store)
    bad.cells[8192:] = b"\xff" * (bad.size - 8192)
    assert Journal(bad, ID).why == "no records where there were some"


def test_a_new_key_goes_on_in_a_new_segment():
    store = Store()
    j = boot(store)
    fill(j, 5)
    start = store.operations
    before = copy(store)
    j.set_key(b"k" * 32)
    last = store.operations
    fill(j, 5)
    again = Journal(copy(store), ID)
    assert snapshot(again) == snapshot(j)
    assert again.chain.name == j.chain.name
    for cut in range(start, last):
        store = copy(before)
        j = Journal(store, ID)
        store.cut_at, store.part = cut - start, 8
        try:
            j.prepare()
            j.set_key(b"k" * 32)
        except Exception:
            store.cut_at = -1
        j = boot(store)
        assert j.status != mount.FAILED, cut
        assert j.chain.name == j.keyed("key.audit").name, cut  # never on with the old one
        fill(j, 60)
        assert Journal(store, ID).chain.name == j.chain.name, cut


def test_a_page_that_refuses_is_left():
    store = Store()
    j = boot(store)
    fill(j, 6)
    page = j.ring.at(j.segment) + j.at // 256 * 256
    store.refused = range(page, page + 1)
    fill(j, 6)
    assert j.damage[0]["what"] == mount.REFUSED
    again = Journal(copy(store), ID)
    assert again.next == j.next
    assert snapshot(again) == snapshot(j)


class Halves(Store):
    """One page takes nothing behind a place in it."""

    page = -1
    taken = 0

    def program(self, offset, buf):
        if offset == self.page:
            buf = bytes(buf[: self.taken]) + b"\xff" * (256 - self.taken)
        super().program(offset, buf)


def test_a_record_that_a_bad_page_took_is_written_again_and_counts_once():
    store = Halves()
    j = boot(store)
    fill(j, 6)
    while j.at % 256:
        fill(j, 1)
    store.page, store.taken = j.ring.at(j.segment) + j.at, 100
    rounds = j.meters["rounds"]
    for n in (1, 2):
        j.put("opened", opened(50 + n), 0)
    j.flush()
    assert j.damage[0]["what"] == mount.REFUSED
    again = Journal(copy(store), ID)
    assert (again.status, again.next) == (mount.MOUNTED, j.next)
    assert again.meters["rounds"] == rounds + 2
    assert snapshot(again) == snapshot(j)


def test_flash_that_refuses_everything_fails_and_stays_so():
    store = Store()
    j = boot(store)
    fill(j, 6)
    store.refused = range(0, store.size, 256)
    for _ in range(2):
        try:
            write(j, "opened", opened(9))
            raise ValueError("taken")
        except OSError:
            pass
        assert j.status == mount.FAILED
        assert j.why == "memory refuses writes"
    dead = Store()
    dead.refused = range(0, dead.size, 256)
    dead.cells[:] = b"\0" * dead.size
    assert Journal(dead, ID).status == mount.FAILED

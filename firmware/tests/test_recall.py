# What was told before can be recalled from the journal: every event of play once, in order, whatever lies between.

from dovetail.journal import kinds
from dovetail.journal.journal import Journal
from dovetail.link import codec, schema
from dovetail.link.frame import MAX_BODY
from dovetail.requests.recall import EVENTS, recall
from journal_store import ID, Store, boot, copy, fault, write

DONE, BAD, FAILED = 1, 4, 7
NAMES = [row[0] for row in EVENTS]


class Machine:
    def __init__(self, journal):
        self.journal = journal


def stack(round, position, delivered=3):
    return {
        "round": round, "position": position, "ordered": 3, "delivered": delivered, "from_table": 0, "verdict": 0,
        "ejected": 0,
    }  # fmt: skip


def all_from(journal, after):
    """Every event behind this record, as a controller asks for them."""
    machine, events, asked = Machine(journal), [], 0
    while True:
        answer = recall(machine, {"after": after})
        assert answer["outcome"] == DONE
        assert len(codec.encode(schema.Report, {"answer": answer})) <= MAX_BODY
        said = answer["recalled"]
        if "event" in said:
            events.append(said["event"])
        if said["last"] == said["newest"]:
            return events
        assert after < said["last"] < said["newest"]
        after = said["last"]
        asked += 1
        assert asked < 10000


def told(events):
    """(record, event) of each."""
    return [(one["record"], name) for one in events for name in one if name in NAMES]


def test_a_record_of_a_kind_that_is_not_known_is_passed_over():
    """The image was another one when it was written: what lies before and behind it is told."""
    store = Store()
    j = boot(store)
    write(j, "stack", stack(1, 1), 1000)
    write(j, "idle", {"decks": 2}, 2000)
    write(j, "stack", stack(1, 2), 3000)
    every = kinds.KINDS
    try:
        kinds.KINDS = every[:29]  # idle is the thirtieth
        assert [one["stack"]["position"] for one in all_from(j, 0)] == [1, 2]
    finally:
        kinds.KINDS = every


def test_a_segment_that_a_new_key_has_ended_is_left_for_the_next():
    store = Store()
    j = boot(store)
    write(j, "stack", stack(1, 1), 1000)
    for position in (2, 3, 4):
        j.set_key(bytes((position,)) * 32)  # what follows lies in a segment of its own
        last = write(j, "stack", stack(1, position), 1000 + position)
    assert j.segment == 4
    assert [one["stack"]["position"] for one in all_from(j, 0)] == [1, 2, 3, 4]
    (newest,) = all_from(j, last - 1)
    assert newest["stack"]["position"] == 4


def test_stacks_come_back_after_the_power():
    store = Store()
    j = boot(store)
    write(j, "opened", {"round": 9, "players": 2, "positions": 3, "back": 1, "owes": 0, "pair": 0}, 1000)
    numbers = [write(j, "stack", stack(9, position, position), 1000 + position) for position in (1, 2, 3)]
    again = Journal(copy(store), ID)
    events = all_from(again, numbers[0])
    assert [one["record"] for one in events] == numbers[1:]
    assert [one["uptime_ms"] for one in events] == [1002, 1003]
    assert [one["stack"]["delivered"] for one in events] == [2, 3]
    assert all_from(again, numbers[-1]) == []
    assert all_from(again, 0)[0]["stack"]["position"] == 1


def test_from_any_record_on_nothing_is_missing_and_nothing_comes_twice():
    """Over many segments, boots that begin a new page, and records that are no events."""
    store = Store(16)
    j = boot(store)
    wanted = []
    for n in range(330):
        if n % 37 == 36:
            j = boot(store)
        if n % 3 == 0:
            write(j, "alive", {"free": n})
        else:
            wanted.append((write(j, "stack", stack(n, 1)), "stack"))
    newest = j.next - 1
    for after in range(0, newest + 1, 7):
        assert told(all_from(j, after)) == [one for one in wanted if one[0] > after], after


def test_every_kind_of_event_of_play_comes_back():
    store = Store()
    j = boot(store)
    void = {
        "round": 1, "complete": 2, "fault": 402, "stand": 1, "provisional": 1, "reason": 2, "standing": 2,
    }  # fmt: skip
    fields = {
        "shuffle_done": {"back": 1, "counted_in": 52, "expected": 52, "took_ms": 17000, "picked": 52, "order": 1},
        "ready": {"back": 1, "counted_in": 52, "counted_out": 52, "expected": 52, "order": 1},
        "stack": stack(1, 1),
        "remainder": {"round": 1, "delivered": 34, "dealt": 18, "expected": 52, "stub": 1, "inside": 0, "found": 0},
        "whole_deck": {"back": 1, "cards": 52, "expected": 52, "inside": 0, "order": 2},
        "round_void": void,
        "locked_out": {"back": 2, "deck": 7, "round": 0},
        "fault": fault(402),
        "cleared": {"fault": 402},
        "start_drawn": {"round": 1, "position": 3},
    }
    assert sorted(fields) == sorted([row[0] for row in EVENTS])
    first = j.next - 1
    for row in EVENTS:
        write(j, row[0], fields[row[0]])
    events = all_from(j, first)
    assert [name for _, name in told(events)] == NAMES
    said = {name: one[name] for one in events for name in one if name in NAMES}
    assert said["round_void"] == void
    assert said["locked_out"] == {"back": 2}  # which deck it was, the journal alone knows
    assert [said[name]["order"] for name in ("shuffle_done", "ready", "whole_deck")] == [1, 1, 2]
    for one in events:
        report = codec.decode(schema.Report, codec.encode(schema.Report, {"event": one}))
        assert report["event"]["number"] == 0


def test_what_continuous_play_notes_as_ready_was_told_to_nobody():
    j = boot(Store())
    write(j, "ready", {"back": 1, "counted_in": 52, "counted_out": 0, "expected": 52, "order": 1})
    assert all_from(j, 0) == []


def test_what_the_ring_has_forgotten_is_passed_over():
    store = Store(8)
    j = boot(store)
    wanted = [write(j, "stack", stack(n, 1)) for n in range(600)]
    events = all_from(j, 0)
    assert 200 < len(events) < 600
    assert [one["record"] for one in events] == wanted[-len(events) :]


def test_a_record_that_cannot_be_read_stops_nothing():
    store = Store()
    j = boot(store)
    wanted = []
    for n in range(130):
        at = j.ring.at(j.segment) + j.at
        wanted.append((write(j, "stack", stack(n, 1)), "stack"))
        if n in (10, 64):
            store.cells[at + 20] ^= 0xFF
            wanted.pop()
    assert told(all_from(j, 0)) == wanted


def test_what_is_not_on_flash_yet_was_not_told_and_is_not_recalled():
    store = Store()
    j = boot(store)
    kept = write(j, "stack", stack(1, 1))
    j.put("stack", stack(1, 2), 0)
    assert [number for number, _ in told(all_from(j, 0))] == [kept]


def test_bad_input():
    j = boot(Store())
    answer = recall(Machine(j), {"after": 4000000000})
    assert (answer["outcome"], answer["text"]) == (BAD, "after: 4000000000, and the newest record is %d" % (j.next - 1))
    store = Store()
    store.refused = range(0, store.size, 256)
    assert recall(Machine(Journal(store, ID)), {})["outcome"] == FAILED

# Events that were told before, out of the journal: for a controller that had not dealt with them when the power went.

import micropython
from micropython import const
from dovetail.journal import kinds, record
from dovetail.journal.mount import FAILED as JOURNAL_FAILED, first, header_whole
from dovetail.journal.ring import HEADER, SECTOR
from dovetail.requests.asking import BAD, DONE, FAILED

_LOOKS = const(2)  # records of one answer: nobody else is answered meanwhile
_SEGMENT = const(56)  # records of one that is full; from journal/ring.py: _PLACES

# Records that are events too, and the fields that both have
EVENTS = (
    ("shuffle_done", ("back", "counted_in", "expected", "took_ms", "order")),
    ("ready", ("back", "counted_in", "counted_out", "expected", "order")),
    ("stack", ("round", "position", "ordered", "delivered", "from_table", "verdict")),
    ("remainder", ("round", "delivered", "dealt", "expected", "stub")),
    ("whole_deck", ("back", "cards", "expected", "order")),
    ("round_void", ("round", "complete", "fault", "stand", "provisional", "reason", "standing")),
    ("locked_out", ("back",)),
    ("fault", ("fault", "card", "inside")),
    ("cleared", ("fault",)),
    ("start_drawn", ("round", "position")),
)


@micropython.native
def _event_of(buf, number, uptime_ms):
    """The event of the link that a record is, or None."""
    kind = kinds.KINDS[buf[0] - 1][1] if buf[0] <= len(kinds.KINDS) else ""
    for name, names in EVENTS:
        if kind == name:
            _, fields = kinds.unpack(buf, 0)
            if kind == "ready" and not fields["counted_out"]:
                return None  # continuous play notes it for the meters, and tells nobody
            said = {}
            for field in names:
                said[field] = fields[field]
            return {"record": number, "uptime_ms": uptime_ms & 0xFFFFFFFF, kind: said}
    return None


@micropython.native
def recall(machine, fields):
    journal, after = machine.journal, fields.get("after", 0)
    if journal.status == JOURNAL_FAILED:
        return {"outcome": FAILED, "text": "the journal has failed"}
    newest = journal.kept()
    if after > newest:
        return {"outcome": BAD, "text": "after: %d, and the newest record is %d" % (after, newest)}
    said = {"newest": newest}
    last, looks = after, 0
    segment, offset = _place_of(journal, after + 1)
    view = journal.store.view
    while last < newest and looks < _LOOKS and "event" not in said:
        if offset >= SECTOR:
            segment, offset = segment + 1, HEADER
            if segment > journal.segment:
                break
        at = journal.ring.at(segment) + offset
        offset += record.SIZE
        if view[at] == 0xFF:  # blank; a segment may end so: a new key begins a new one
            if segment < journal.segment and first(journal, segment + 1) == last + 1:
                offset = SECTOR
            continue
        buf = memoryview(view)[at : at + record.SIZE]
        if not record.whole(buf):
            continue
        number, _, uptime_ms, _ = record.header(buf)
        if last < number <= newest:
            last, looks = number, looks + 1
            event = _event_of(buf, number, uptime_ms)
            if event:
                said["event"] = event
    # behind the last one that can be read there is none
    said["last"] = last if looks == _LOOKS or "event" in said else newest
    return {"outcome": DONE, "recalled": said}


def _place_of(journal, number):
    """Segment and offset before which this record does not lie."""
    oldest = max(journal.ring.oldest, 1)
    segment = max(journal.segment - max(journal.next - number - 1, 0) // _SEGMENT, oldest)
    while segment > oldest and not (header_whole(journal, segment) and first(journal, segment) <= number):
        segment -= 1
    skipped = max(number - first(journal, segment), 0) if header_whole(journal, segment) else 0
    return segment, min(HEADER + skipped * record.SIZE, SECTOR)

# Events that were told before, out of the journal: for a controller that had not dealt with them when the power went.

from micropython import const
from dovetail.journal import kinds, record
from dovetail.journal.mount import FAILED as JOURNAL_FAILED, first, header_whole
from dovetail.journal.ring import HEADER, SECTOR
from dovetail.requests.asking import BAD, DONE, FAILED

_LOOKS = const(24)  # records of one answer: 4 ms
_MOST = const(8)    # events of one, so that they fit
_SEGMENT = const(56)  # records of a segment that is full

# Records that are events too: kind, the event, fields that both have
EVENTS = (
    ("shuffle_done", "shuffle_done", ("back", "counted_in", "expected", "took_ms")),
    ("ready", "ready", ("back", "counted_in", "counted_out", "expected")),
    ("stack", "stack", ("round", "position", "ordered", "delivered", "from_table", "verdict")),
    ("remainder", "remainder", ("round", "delivered", "dealt", "expected", "stub")),
    ("round_void", "round_void", ("round", "complete", "fault")),
    ("fault", "fault", ("fault", "card", "inside")),
    ("cleared", "cleared", ("fault",)),
    ("position", "start_drawn", ("round", "position")),
)


def event_of(buf):
    """(number, event of the link or None) of a record."""
    number, _, uptime_ms, _ = record.header(buf)
    kind, fields = kinds.unpack(buf, 0)
    for name, event, names in EVENTS:
        if kind and kind[1] == name:
            said = {field: fields[field] for field in names}
            return number, {"record": number, "uptime_ms": uptime_ms & 0xFFFFFFFF, event: said}
    return number, None


def recall(machine, fields):
    journal, after = machine.journal, fields.get("after", 0)
    if journal.status == JOURNAL_FAILED:
        return {"outcome": FAILED, "text": "the journal has failed"}
    newest = journal.kept()
    if after > newest:
        return {"outcome": BAD, "text": "after: %d, and the newest record is %d" % (after, newest)}
    events, last, looks = [], after, 0
    segment, offset = _place_of(journal, after + 1)
    while last < newest and looks < _LOOKS and len(events) < _MOST:
        if offset >= SECTOR:
            segment, offset = segment + 1, HEADER
            if segment > journal.segment:
                break
        buf = memoryview(journal.store.view)[journal.ring.at(segment) + offset :][: record.SIZE]
        offset += record.SIZE
        if not record.whole(buf):
            continue
        number, event = event_of(buf)
        if last < number <= newest:
            last, looks = number, looks + 1
            if event:
                events.append(event)
    if looks < _LOOKS and len(events) < _MOST:
        last = newest  # what could not be read will not be read next time
    return {"outcome": DONE, "recalled": {"events": events, "last": last, "newest": newest}}


def _place_of(journal, number):
    """Segment and offset before which this record does not lie."""
    oldest = max(journal.ring.oldest, 1)
    segment = max(journal.segment - max(journal.next - number - 1, 0) // _SEGMENT, oldest)
    while segment > oldest and not (header_whole(journal, segment) and first(journal, segment) <= number):
        segment -= 1
    skipped = max(number - first(journal, segment), 0) if header_whole(journal, segment) else 0
    return segment, min(HEADER + skipped * record.SIZE, SECTOR)

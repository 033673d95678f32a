# Finds the journal after a power-on: the newest segment, the state in its header, the records after it. What was torn
# is cut off, what is damaged is mended or told; when records are lost, state is taken to be as bad as it may be.

import struct
from binascii import crc32
from micropython import const
from dovetail.journal import kinds, record, settings
from dovetail.journal.ring import HEADER, LAST, MARK, SECTOR

MOUNTED = const(0)
REPAIRED = const(1)
NEW = const(2)
FAILED = const(3)
NAMES = ("mounted", "repaired", "new", "failed")

# what a "damage" record tells
TORN = const(1)      # a write that the power cut; it was never acknowledged
MENDED = const(2)    # one flipped bit, put right in what was read
GONE = const(3)      # records that cannot be read
HEADER_BAD = const(4)
REFUSED = const(5)   # a page did not take what was written, the next one did
SEGMENTS = const(6)  # segments that cannot be found
SETTINGS = const(7)  # one of the two slots

# each in words, with one of its fields
WORDS = (
    ("", ""), ("record %d was cut off", "first"), ("a bit was put right in segment %d", "segment"),
    ("%d records are gone", "records"), ("the header of segment %d is damaged", "segment"),
    ("a page of segment %d was refused", "segment"), ("up to %d records are missing", "records"),
    ("one slot of the settings is damaged", ""),
)  # fmt: skip

_PAGE = const(256)  # from journal/journal.py: _PAGE
_PLACES = const(56)  # of a segment, for records; from journal/ring.py: _PLACES
_FIRST_AT = const(20)  # from journal/journal.py: _FIRST_AT
_DEVICE_AT = const(24)  # from journal/journal.py: _DEVICE_AT
_KEY_AT = const(32)  # from journal/journal.py: _KEY_AT
_BEFORE_AT = const(36)  # from journal/journal.py: _BEFORE_AT
_STATE_AT = const(52)  # from journal/journal.py: _STATE_AT
_METERS_AT = const(192)  # from journal/journal.py: _METERS_AT
_TAG_AT = const(492)  # from journal/journal.py: _TAG_AT
_CRC_AT = const(508)  # from journal/journal.py: _CRC_AT
_MENDS = const(4)    # tries to mend; each takes 512 CRCs


def mount(j):
    try:
        return _mount(j)
    except OSError as error:
        j.why = str(error.args[0])
    except (ValueError, IndexError, AttributeError):  # a right checksum all the same: nobody of ours wrote it
        j.why = "what lies there makes no sense"
    j.segment = j.ring.newest  # what can be read of it may be
    j.state.worst()
    return FAILED


def _mount(j):
    ring = j.ring
    if _never_used(j):
        ring.erase(1)
        j.ahead = True
        j._open()
        j.settings.put({"born": j.unique_id})  # the last of all: from here on there must be a journal
        return NEW
    if j.settings.state in (settings.FRESH, settings.LOST):
        raise OSError("settings are lost")
    if j.settings.state == settings.OLDER:
        j.told(SETTINGS, 0)
        j.settings.put({})  # two again
    segment = ring.newest
    if segment and not _written(j, segment):  # erased ahead; or it was being opened when the power went
        j.ahead = ring.blank(ring.at(segment) + MARK, ring.at(segment) + SECTOR)
        segment -= 1
    elif segment and _full(j, segment):
        if not header_whole(j, segment + 1):
            raise OSError("the newest records are lost")
        segment += 1  # its mark is damaged, its header is whole
        j.told(HEADER_BAD, segment)
    if segment == 0:
        raise OSError("no records where there were some")
    if ring.odd > 0:
        j.told(SEGMENTS, ring.oldest, 0, 0, 0, ring.odd * _PLACES)
    _load(j, segment)
    j.segment = ring.newest = segment
    return REPAIRED if j.damage else MOUNTED


def _never_used(j):
    """Nothing of a journal is there, or its very first moment was cut."""
    ring = j.ring
    if ring.newest == 0:  # a board may have been calibrated before it was first used
        return j.settings.state == settings.FRESH or not (j.settings.state == settings.LOST or j.settings.get("born"))
    first = ring.at(1)
    return (
        ring.newest == 1
        and (j.settings.state in (settings.FRESH, settings.LOST) or not j.settings.get("born"))
        and ring.blank(first + HEADER, first + SECTOR)
    )


def _written(j, segment):
    """Whether a segment was opened: its header is whole, or a record lies behind it."""
    if header_whole(j, segment):
        return True
    at = j.ring.at(segment)
    return any(record.whole(bytes(j.store.view[at + i : at + i + 64])) for i in range(HEADER, SECTOR, 64))


def _full(j, segment):
    at = j.ring.at(segment) + LAST
    return not j.ring.blank(at, at + record.SIZE)


def header_whole(j, segment):
    """Whether the header of a segment is whole."""
    at, view = j.ring.at(segment), j.store.view
    return (
        struct.unpack_from("<I", view, at + MARK)[0] == segment
        and crc32(view[at + MARK : at + _CRC_AT]) == struct.unpack_from("<I", view, at + _CRC_AT)[0]
    )


def _load(j, segment):
    """State from the newest whole header, then every record after it."""
    start = segment
    while not header_whole(j, start):
        j.told(HEADER_BAD, start)
        start -= 1
        if start < j.ring.oldest or segment - start > 4:
            raise OSError("no header is whole")
    at, view = j.ring.at(start), j.store.view
    if bytes(view[at + _DEVICE_AT : at + _KEY_AT]) != j.unique_id:
        raise OSError("the journal of another device")
    if bytes(view[at + _KEY_AT : at + _BEFORE_AT]) != j.chain.name:
        j.chain = j.keyed("key.audit.before")  # the key was changed when the power went
        if bytes(view[at + _KEY_AT : at + _BEFORE_AT]) != j.chain.name:
            raise OSError("the chain was made with another key")
        j.stale = True
    j.next = struct.unpack_from("<I", view, at + _FIRST_AT)[0]
    j.state.unpack_from(view, at + _STATE_AT)
    for i, count in enumerate(struct.unpack_from("<64I", view, at + _METERS_AT)):
        j.meters.at[i] = count
    j.before = bytes(view[at + _TAG_AT : at + _CRC_AT])
    if j.chain.tag_of(view[at + MARK : at + _TAG_AT]) != j.before:
        raise OSError("a segment's header was altered")
    for number in range(start, segment + 1):
        _replay(j, number, number == start, number == segment)


def _replay(j, segment, linked, newest):
    """Every record of a segment; `linked`: the tag of the one before is known."""
    at, view = j.ring.at(segment), j.store.view
    last = HEADER - record.SIZE  # the last place that is not blank
    kept = 0                     # the last place of a record
    wrong = 0                    # the last place of what is none
    bad = mends = 0
    more = False                 # whether so many are bad as no cut can tear: it goes no further than a page
    buf = bytearray(record.SIZE)
    for offset in range(HEADER, SECTOR, record.SIZE):
        buf[:] = view[at + offset : at + offset + record.SIZE]
        if buf == record.BLANK:
            continue
        last = offset
        if buf == bytes(record.SIZE):  # a filler
            continue
        if not record.whole(buf):
            mends += 1
            if mends > _MENDS or not record.mend(buf):
                more = more or (wrong == offset - record.SIZE and offset % _PAGE == 0)
                bad += 1
                wrong = offset
                continue
            j.told(MENDED, segment, offset, 64)
        linked = _take(j, buf, segment, offset, linked)
        kept, bad, more = offset, 0, False
    if more:
        j.told(GONE, segment, wrong, 0, j.next, bad)
        j.state.worst()
        j.next += bad
    elif bad:
        j.told(TORN, segment, last, 64 * bad, j.next)
        j.state.inside = 1
    if newest:
        # what a cut may have begun to write lies in the page of the next place: it is left as it is
        j.at = min((last // record.SIZE + 1) // 4 * _PAGE + _PAGE, SECTOR)
        if kept:
            _again(j, at, kept)


def _take(j, buf, segment, offset, linked):
    """One whole record."""
    number, boot, uptime_ms, time = record.header(buf)
    if number < j.next:
        return linked  # was written again further on
    if number > j.next:
        j.told(GONE, segment, offset, 0, j.next, number - j.next)
        j.state.worst()
        linked = False
    tag = bytes(buf[44:60])
    if linked and j.chain.tag(j.before, buf, 0) != tag:
        raise OSError("record %d was altered" % number)
    kind, fields = kinds.unpack(buf, 0)
    j.fold(kind, fields, boot, uptime_ms, time)
    j.before, j.next = tag, number + 1
    return True


def _again(j, at, offset):
    """The last record once more over itself: bits that a cut left half programmed read the same from now on."""
    page = bytearray(4 * record.BLANK)
    place = offset % _PAGE
    page[place : place + 64] = j.store.view[at + offset : at + offset + 64]
    j.ring.program(at + offset - place, page, place, place + 64)


# ---- later, when there is time


def look(j, segment):
    """At a segment that is not written any more: tells which of its records cannot be read. Takes 10 ms."""
    at, view = j.ring.at(segment), j.store.view
    if not header_whole(j, segment):
        j.told(HEADER_BAD, segment)
        return
    expected = first(j, segment)
    for offset in range(HEADER, SECTOR, record.SIZE):
        place = view[at + offset : at + offset + record.SIZE]
        if record.whole(place):
            number = record.header(place)[0]
            if number > expected:
                j.told(GONE, segment, offset, 0, expected, number - expected)
            expected = max(expected, number + 1)
    if header_whole(j, segment + 1) and first(j, segment + 1) > expected:
        j.told(GONE, segment, SECTOR - record.SIZE, 0, expected, first(j, segment + 1) - expected)


def first(j, segment):
    """Number of a segment's first record."""
    return struct.unpack_from("<I", j.store.view, j.ring.at(segment) + _FIRST_AT)[0]

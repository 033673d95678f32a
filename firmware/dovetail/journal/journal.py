# The journal: records in a ring of segments, each chained to the one before; the state and the meters that follow from
# them. What put() took is on flash when flush() returns, and not before. Recovery at a boot is in mount.py.

import struct
from binascii import crc32
import micropython
from micropython import const
from dovetail.hal.lasting import lasting_bytes
from dovetail.journal import kinds, record
from dovetail.journal.meters import Meters
from dovetail.journal.mount import FAILED, NAMES, REFUSED, WORDS, look, mount
from dovetail.journal.ring import HEADER, LAST, MARK, SECTOR, Ring
from dovetail.journal.settings import Settings
from dovetail.journal.state import State

_PAGE = const(256)
_RESERVE = const(8)   # places of a segment that only urgent records may use while no next one is ready
# Where in a segment's header lies what; docs/memory.md
_FIRST_AT = const(20)   # number of its first record
_DEVICE_AT = const(24)
_KEY_AT = const(32)     # name of the chain's key
_BEFORE_AT = const(36)  # tag of the record before
_STATE_AT = const(52)
_METERS_AT = const(192)
_TAG_AT = const(492)
_CRC_AT = const(508)


class Journal:
    def __init__(self, store, unique_id):
        self.store = store
        self.unique_id = bytes(unique_id)[:8]
        self.settings = Settings(store)
        self.ring = Ring(store)
        self.chain = self.keyed("key.audit")
        self.stale = False     # the newest segment was made with the key before, a new one is due
        self.state = State()
        self.meters = Meters()
        self.next = 1          # number of the next record
        self.segment = 0       # that is written to
        self.at = SECTOR       # where in it the next record goes
        self.ahead = False     # the next segment is erased and marked
        self.before = bytes(record.TAG)  # tag of the last record
        self._page = lasting_bytes(_PAGE)
        self._page[:] = 4 * record.BLANK
        self._from = 0         # first byte of _page that is not on flash yet; _to: the end
        self._to = 0
        self.damage = []       # what mount() found: dicts of "damage" records
        self.why = ""          # why it failed
        self.status = mount(self)
        self.older = self.segment - 1 if self.status != FAILED else 0  # to look at next, when there is time

    def keyed(self, name):
        """The chain that the audit key of this name makes."""
        key = self.settings.get(name) or bytes(32)  # 32 zeros, as long as none was given
        return record.Chain(record.derive(key, self.unique_id))

    def set_key(self, value, others=None):
        """A new audit key: the chain goes on with it in a new segment. Nothing may move. Raises OSError.

        others: settings that are changed together with it, so that the power leaves all of them or none.
        """
        self.flush()
        self.prepare()
        self.prepare()  # once more: where the newest segment was stale, the one that was ready has taken its place
        changes = dict(others or {})
        # both are kept: the power may go before the segment is there
        changes.update({"key.audit": value, "key.audit.before": self.settings.get("key.audit")})
        self.settings.put(changes)
        self.rekey()

    def rekey(self):
        self.stale = False
        self.chain = self.keyed("key.audit")
        self._open()

    def told(self, what, segment, offset=0, n=0, first=0, records=0):
        """Damage that was found, for a record and for people. What is found at the same time beyond ten is alike."""
        if len(self.damage) < 10:
            place = {"segment": segment, "offset": offset, "bytes": n, "first": first, "records": records}
            place["what"] = what
            self.damage.append(place)

    def text(self):
        """One line for people: how the journal was found, and the first thing that was wrong with it."""
        name, why = NAMES[self.status], self.why
        if not why and self.damage:
            words, field = WORDS[self.damage[0]["what"]]
            why = words % self.damage[0][field] if field else words
            if len(self.damage) > 1:
                why += ", and %d more" % (len(self.damage) - 1)
        return "%s: %s" % (name, why) if why else name

    # ---- append --------------------------------------------------------------------------------

    def room(self, urgent=False):
        """Return how many records can be written now, without an erase."""
        if self.status == FAILED:
            return 0
        left = (SECTOR - self.at) // record.SIZE
        if self.ahead:
            return left + (SECTOR - HEADER) // record.SIZE - _RESERVE
        return max(left - (1 if urgent else _RESERVE), 0)

    @micropython.native
    def put(self, name, fields, uptime_ms, time=0):
        """Takes a record; its number. It counts in state and meters at once, but is not on flash yet."""
        if self.status == FAILED:
            raise OSError(self.why)
        if self._to == _PAGE:
            self.flush()
        if self.at >= SECTOR:
            self._open()
        elif self.at == LAST and not self.ahead:
            raise OSError("no room before the next segment is ready")
        page, at = self._page, self.at % _PAGE
        kind = kinds.row(name)
        kinds.pack(kind, fields, page, at)
        number, boot = self.next, self.state.boots + (name == "started")
        record.stamp(page, at, number, boot, uptime_ms, time)
        tag = self.chain.tag(self.before, page, at)
        record.seal(page, at, tag)
        self.fold(kind, fields, boot, uptime_ms, time)
        self.before = tag  # what had no memory until here has taken nothing: it may be put once more
        if self._from == self._to:
            self._from = at
        self._to = at + record.SIZE
        self.next = number + 1
        self.at += record.SIZE
        return number

    @micropython.native
    def fold(self, kind, fields, boot, uptime_ms, time):
        """State and meters after one more record, of a row of kinds.py."""
        if kind:
            self.meters.apply(kind, fields, self.state)
        self.state.apply(kind[1] if kind else "", fields, boot, uptime_ms, time)
        self.meters.at[2] = self.state.seconds

    @micropython.native
    def flush(self):
        """All that put() took is on flash when this returns. Raises OSError."""
        if self._from == self._to:
            return
        segment = self.ring.at(self.segment)
        page = (self.at - 1) // _PAGE * _PAGE
        for _ in range(3):  # a page that refuses is left, and the records go to the next one
            try:
                self.ring.program(segment + page, self._page, self._from, self._to)
                break
            except OSError:
                self.told(REFUSED, self.segment, page, self._to - self._from)
                if page + 2 * _PAGE > SECTOR:
                    self._fail("memory refuses writes")
                page += _PAGE
                self.at += _PAGE
        else:
            self._fail("memory refuses writes")
        for at in range(self._from, self._to, record.SIZE):
            self._page[at : at + record.SIZE] = record.BLANK
        self._from = self._to = 0

    def _fail(self, why):
        self.status, self.why = FAILED, why
        raise OSError(why)

    def _open(self):
        """Goes on in the next segment."""
        if not self.ahead:
            self._fail("no segment was ready")
        segment = self.segment + 1
        head = self._head(segment)
        try:
            if self.segment:
                self._close(self.ring.at(self.segment))
            self.ring.program(self.ring.at(segment), head, MARK, HEADER)
        except OSError as error:
            self._fail(error.args[0])
        self.before = bytes(head[_TAG_AT:_CRC_AT])
        self.segment = self.ring.newest = segment
        self.at = HEADER
        self.ahead = False

    def _close(self, at):
        """A segment that is left early: its last place shows that there must be a later one."""
        if self.ring.blank(at + LAST, at + SECTOR):
            page = bytearray(4 * record.BLANK)
            page[LAST % _PAGE :] = bytes(record.SIZE)
            self.ring.program(at + LAST - LAST % _PAGE, page, LAST % _PAGE, _PAGE)

    def _head(self, segment):
        head = bytearray(HEADER)
        head[:MARK] = record.BLANK[:MARK]
        struct.pack_into("<II", head, MARK, segment, self.next)
        head[_DEVICE_AT : _DEVICE_AT + len(self.unique_id)] = self.unique_id
        head[_KEY_AT:_BEFORE_AT] = self.chain.name
        head[_BEFORE_AT:_STATE_AT] = self.before
        self.state.pack_into(head, _STATE_AT)
        struct.pack_into("<64I", head, _METERS_AT, *self.meters.at)
        head[_TAG_AT:_CRC_AT] = self.chain.tag_of(memoryview(head)[MARK:_TAG_AT])
        struct.pack_into("<I", head, _CRC_AT, crc32(memoryview(head)[MARK:_CRC_AT]))
        return head

    def prepare(self):
        """Erases the next segment, unless that was done: True when it did. Takes 50 ms, up to 400 on an old chip."""
        if self.status == FAILED or (self.ahead and not self.stale):
            return False
        if not self.ahead:
            try:
                self.ring.erase(self.segment + 1)
            except OSError as error:
                self._fail(error.args[0])
            self.ahead = True
        if self.stale:
            self.rekey()
        return True

    def look(self):
        """At one old segment; True while there are more that nobody has looked at since power-on."""
        if self.older < max(self.ring.oldest, 1):
            return False
        look(self, self.older)
        self.older -= 1
        return True

    # ---- read ----------------------------------------------------------------------------------

    def kept(self):
        """Number of the newest record that is on flash."""
        return self.next - 1 - (self._to - self._from) // record.SIZE

    def read(self, segment, offset, n):
        """Up to n bytes of a segment as they lie on flash, to the end of what was written; None: it is not kept."""
        if not self.ring.oldest <= segment <= self.segment:
            return None
        end = SECTOR
        if segment == self.segment:
            end = self.at - (self._to - self._from)
        at = self.ring.at(segment)
        return bytes(self.store.view[at + offset : at + min(offset + n, end)]) if offset < end else b""

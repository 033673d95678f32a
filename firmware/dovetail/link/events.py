# Events on their way to the controller: numbered, kept until acknowledged, sent in order. They are kept as the machine
# gives them, one behind the other in one buffer: the words that people read are added when one is sent.

import micropython
import struct

from dovetail.clock import Flag
from dovetail.hal import wire
from dovetail.hal.lasting import lasting_bytes
from dovetail.link import codec, schema
from dovetail.link.frame import MAX_BODY
from micropython import const

KEPT = const(32)
PLACE = const(44)  # bytes of the buffer for each, with its head; one with words of its own takes more: a failed check
RESEND_MS = const(1000)  # the newest event is sent again while it is not acknowledged
_ROOM = const(8)  # places for what is under way: while fewer are free, nothing new is begun
_HEAD = const(14)  # number, uptime_ms, record, its kind's place in the table of Event, length of what follows
_NAME = const(1)  # in a row of such a table
_MESSAGE = const(3)
_PASSING = "progress"  # not numbered and not kept


def _plain(kind, fields):
    """No words are added."""


class Events:
    """words(kind, fields): adds what the fields of an event do not have while it is kept."""

    def __init__(self, first, words):
        self.number = first  # of the next event
        self.to_send = first  # number of the next one to send
        self.words = words or _plain
        self.store = lasting_bytes(KEPT * PLACE)
        self.used = 0  # bytes of it
        self.count = 0  # events in it
        self.last = 0  # where the newest begins
        self.passing = None  # the report of the latest progress, not sent yet
        self.lost = 0  # events that could not be kept
        self.flag = Flag()
        self.muted = True  # nobody is there to hear
        self.resend_ms = RESEND_MS
        self.sent_ms = 0
        self.again = False  # the newest is due

    def mute(self, muted):
        """Whether events wait, and only wait."""
        self.muted = muted
        self.flag.set()

    def add(self, kind, fields, uptime_ms, record=0):
        """The number of a new event. An event that cannot be kept uses its number up."""
        number = 0
        if kind != _PASSING:
            number = self.number
            self.number += 1
        try:
            if not number:
                self.passing = codec.encode(schema.Report, {"event": {"uptime_ms": uptime_ms, kind: fields}})
            elif not self._keep(number, uptime_ms, record, kind, fields):
                self.lost += 1
                return number
        except Exception:
            self.lost += 1
            raise
        self.flag.set()
        return number

    @micropython.native
    def _keep(self, number, uptime_ms, record, kind, fields):
        """Whether there is room. An error when it is none of the schema, or longer than a frame."""
        table = schema.MESSAGES[schema.Event]
        for place in range(len(table)):
            if table[place][_NAME] == kind:
                break
        else:
            raise ValueError(kind)
        data = wire.encode(schema.MESSAGES, table[place][_MESSAGE], fields)
        at, start = self.used, self.used + _HEAD
        end = start + len(data)
        if self.count >= KEPT or end > KEPT * PLACE:
            return False
        struct.pack_into("<IIIBB", self.store, at, number, uptime_ms, record, place, len(data))
        self.store[start:end] = data
        if len(data) > 255 or len(self.report(at)) > MAX_BODY:
            raise ValueError("%s: %d bytes" % (kind, len(data)))
        self.last, self.used = at, end
        self.count += 1
        return True

    def report(self, at):
        """Of the event that is kept there, with its words."""
        number, uptime_ms, record, place, n = struct.unpack_from("<IIIBB", self.store, at)
        row = schema.MESSAGES[schema.Event][place]
        kind = row[_NAME]
        at += _HEAD
        fields = wire.decode(schema.MESSAGES, row[_MESSAGE], self.store, at, at + n)
        self.words(kind, fields)
        head = {"number": number, "uptime_ms": uptime_ms, "record": record}
        head[kind] = fields
        return codec.encode(schema.Report, {"event": head})

    def number_at(self, at):
        """Of the event that is kept there; of the next one at the end."""
        return struct.unpack_from("<I", self.store, at)[0] if at < self.used else self.number

    @micropython.native
    def find(self, number):
        """Where the first one that is kept from this number on begins."""
        at = 0
        while at < self.used and self.number_at(at) < number:
            at += _HEAD + self.store[at + _HEAD - 1]
        return at

    def crowded(self):
        """Whether so many wait to be acknowledged that nothing new may be begun."""
        return self.count > KEPT - _ROOM or self.used > (KEPT - _ROOM) * PLACE

    def acknowledge(self, number):
        """Forget the events up to this number; False when it has not been yet."""
        if number >= self.number:
            return False
        start = self.find(number + 1)
        at = gone = 0
        while at < start:
            at += _HEAD + self.store[at + _HEAD - 1]
            gone += 1
        view = memoryview(self.store)  # what has no memory for that has changed nothing yet
        view[: self.used - start] = view[start : self.used]
        self.count -= gone
        self.used -= start
        self.last -= start
        return True

    def replay(self, number):
        """Send again from this number on; the number that comes next."""
        if number > self.number:  # of another start: nothing is passed over for it
            number = min(number, self.to_send)
        self.to_send = self.number_at(self.find(number))
        self.flag.set()
        return self.to_send

    def due_in(self, now_ms):
        """Milliseconds until the newest event is to be sent again; when it is time, it is."""
        left = self.sent_ms + self.resend_ms - now_ms
        if left <= 0:
            self.sent_ms = now_ms
            self.again = True
            self.flag.set()
        return left if left > 0 else self.resend_ms

    async def next(self):
        """The next report to send, when there is one."""
        while True:
            if self.muted:
                await self.flag.wait()
                continue
            at = self.find(self.to_send)
            if at < self.used:
                report = self.report(at)  # an error: it is still to be sent
                self.to_send = self.number_at(at) + 1
                self.again = False
                return report
            if self.passing is not None:
                report = self.passing
                self.passing = None
                return report
            if self.again and self.count:
                self.again = False
                return self.report(self.last)  # from its number a controller sees what it has missed
            self.again = False
            await self.flag.wait()

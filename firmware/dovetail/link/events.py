# Events on their way to the controller: numbered, kept until acknowledged, sent in order.

from dovetail.clock import Flag, wait
from dovetail.link import codec, schema
from dovetail.link.frame import MAX_BODY
from micropython import const

KEPT = const(32)
RESEND_MS = const(1000)  # the newest event is sent again while it is not acknowledged
_ROOM = const(8)  # for what is under way: while fewer places are free, nothing new is begun
_PASSING = "progress"  # not numbered and not kept


def number_of(report):
    """Of the event in it: what it begins with, behind two tags and a length of one byte or two."""
    at = 3 if report[1] < 128 else 4
    number = shift = 0
    while True:
        number |= (report[at] & 127) << shift
        if report[at] < 128:
            return number
        at += 1
        shift += 7


class Events:
    def __init__(self, first):
        self.number = first  # of the next event
        self.to_send = first  # number of the next one to send
        self.kept = []  # reports
        self.passing = None  # the report of the latest progress, not sent yet
        self.lost = 0  # events that could not be kept
        self.flag = Flag()
        self.muted = True  # nobody is there to hear
        self.resend_ms = RESEND_MS

    def mute(self, muted):
        """Whether events wait, and only wait."""
        self.muted = muted
        self.flag.set()

    def add(self, kind, fields, uptime_ms):
        """The number of a new event. An event that cannot be kept uses its number up."""
        number = 0
        if kind != _PASSING:
            number = self.number
            self.number += 1
            if len(self.kept) >= KEPT:
                self.lost += 1
                return number
        try:
            event = {"number": number, "uptime_ms": uptime_ms, kind: fields}
            report = codec.encode(schema.Report, {"event": event})
            if len(report) > MAX_BODY:
                raise ValueError("%s: %d bytes" % (kind, len(report)))
        except Exception:
            self.lost += 1
            raise
        if number:
            self.kept.append(report)
        else:
            self.passing = report
        self.flag.set()
        return number

    def crowded(self):
        """Whether so many wait to be acknowledged that nothing new may be begun."""
        return len(self.kept) > KEPT - _ROOM

    def acknowledge(self, number):
        """Forget the events up to this number; False when it has not been yet."""
        if number >= self.number:
            return False
        while self.kept and number_of(self.kept[0]) <= number:
            self.kept.pop(0)
        return True

    def replay(self, number):
        """Send again from this number on; the number that comes next."""
        number = min(number, self.to_send)
        first = self.number
        for report in self.kept:
            if number_of(report) >= number:
                first = number_of(report)
                break
        self.to_send = first
        self.flag.set()
        return first

    async def next(self):
        """The next report to send, when there is one."""
        while True:
            if self.muted:
                await self.flag.wait()
                continue
            for report in self.kept:
                number = number_of(report)
                if number >= self.to_send:
                    self.to_send = number + 1
                    return report
            if self.passing is not None:
                report = self.passing
                self.passing = None
                return report
            if not self.kept:
                await self.flag.wait()
            elif not await wait(self.flag, self.resend_ms) and self.kept:
                return self.kept[-1]  # from its number a controller sees what it has missed

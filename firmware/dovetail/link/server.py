# The machine's end of the link: reads requests, sends answers and events, keeps the line's rate.
# Knows messages and bytes. What a request means, the machine decides in handle().

import asyncio

from dovetail.clock import sleep_ms
from dovetail.hal.lasting import lasting_array, lasting_bytes
from dovetail.link import answers, frame, roles, schema
from dovetail.link.events import Events
from dovetail.link.sessions import VERSION, Sessions
from micropython import const

_TRIAL_MS = const(1000)  # so long a new rate may wait for its first good frame
_LOOK_MS = const(1000)  # no limit of the link is shorter
_LATER_MS = const(20)  # until what an error has stopped is tried again


def _nothing():
    return None


def _alive(working):
    return None


class Link:
    """One UART. `await run()` serves it. event() may be called at any time but in an interrupt.

    uart: .take(buf) -> n, what is there; .waits(), whether anything is; .read(buf) -> n, .write(buf, n) and
        .set_baud(baud), coroutines; .baud
    handle(name, fields) -> dict of an Answer without its id; what takes time ends in an event.
        handle("digest", None) -> a number that is another when the status is another
    guard: keys, and who may begin what when: keys.py
    identity: dict of an Identity: board, variant, image, game, serial, boots
    uptime_ms(): milliseconds since power-on, growing
    moving(): whether something may move
    life(working): called when it begins to wait for a request, and when it has work
    words(kind, fields): adds to the fields of an event, when it is sent, what they do not have while it is kept
    tidy(): called when answers are on their way and nothing else has come: for milliseconds nobody waits for the next
    """

    def __init__(
        self, uart, handle, guard, identity, uptime_ms, tidy=None, moving=None, life=None, words=None, first_event=1
    ):
        self.uart = uart
        self.handle = handle
        self.guard = guard
        self.uptime_ms = uptime_ms
        self.tidy = tidy or _nothing
        self.moving = moving or _nothing
        self.life = life or _alive
        self.identity = {"version": VERSION, "schema": schema.FINGERPRINT}
        self.identity.update(identity)
        self.identity["first_event"] = first_event
        self.receiver = frame.Receiver(frame.REQUEST)
        self.chunk = lasting_bytes(64)
        self.answers = lasting_bytes(answers.ANSWERS)
        self.ids = lasting_array("I", answers.REMEMBERED)
        self.counter = 0  # frames sent
        self.idle = asyncio.Event()  # cleared while a frame goes out, or the rate changes: nothing is fed then
        self.idle.set()
        self.sessions = Sessions(guard, uptime_ms, self.receiver.bad)
        self.events = Events(first_event, words)
        self.verified = None  # the session that wants program flash proved, with this challenge
        self.challenge = b""
        self.done = 0  # bytes of it
        self.digest = b""
        self.baud = uart.baud  # of every session's beginning
        self.next_baud = 0  # to be set once the answer has left
        self.old_baud = 0  # the way back, as long as the new rate is on trial
        self.trial_until = 0
        self.owes = False  # the answer says something that must be on flash before it leaves
        self.failure = None  # the last exception that handle() or an event's fields raised
        self.failures = 0

    # ---- the line

    async def run(self):
        """Serves for ever."""
        tasks = [asyncio.create_task(work) for work in (self._send_events(), self._watch())]
        receiver = self.receiver
        chunk = self.chunk
        try:
            while True:
                end = self.uart.take(chunk)
                if not end:
                    self.life(False)
                    end = await self.uart.read(chunk)
                self.life(True)  # a line that takes nothing, say, is found by the watchdog
                at = 0
                while at < end:
                    while not self.idle.is_set():
                        await self.idle.wait()
                    at = receiver.feed(chunk, at, end)
                    if receiver.ready:
                        try:
                            report, key = answers.answer(self)
                        except Exception as error:  # no memory, say; the controller asks again
                            self.failed(error)
                            continue
                        if self.owes:
                            report = await self._kept(report)
                        if report is not None:
                            await self._send(report, key)
                            if at == end and not self.uart.waits():
                                self.tidy()
                            if self.moving():
                                await sleep_ms(0)  # what watches a move has its turn after every answer
                        if self.next_baud:
                            await self._try_baud()
                            at = end  # what came meanwhile came at the old rate
        finally:
            for task in tasks:
                task.cancel()

    def hears(self):
        """Whether the end of something is still to come."""
        return self.receiver.begun() or self.uart.waits()

    def said(self):
        """How many frames it has sent."""
        return self.counter

    async def _send(self, report, key):
        while not self.idle.is_set():
            await self.idle.wait()
        self.idle.clear()
        try:
            self.counter = (self.counter + 1) & 0xFFFFFFFF
            receiver = self.receiver
            came = receiver.pause()
            try:
                n = frame.encode(frame.REPORT, self.counter, report, receiver.raw, key)
                await self.uart.write(receiver.raw, n)
            finally:
                receiver.go_on(came)
        finally:
            self.idle.set()

    async def _kept(self, report):
        """What is told is on flash first: the report, or what is said in its place when flash refuses."""
        self.owes = False
        return report if await self.guard.settled() else answers.not_kept(self)

    async def _send_events(self):
        while True:
            try:
                report = await self.events.next()
                session = self.sessions.open
                if session is not None and session.role in roles.HEARS:
                    await self._send(report, session.key)
                    self.events.sent_ms = self.uptime_ms()
            except Exception as error:  # no memory, say: what it has not sent is sent later
                self.failed(error)
                await sleep_ms(_LATER_MS)

    def event(self, kind, fields, record=0):
        """Numbers an event, keeps it until it is acknowledged, sends it. Never raises. record: the journal's number."""
        try:
            return self.events.add(kind, fields, self.uptime_ms() & 0xFFFFFFFF, record)
        except Exception as error:
            self.failed(error)
            return 0

    def opened(self, session):
        """This session is the one that events are sent in from now on."""
        self.verified, self.challenge = None, b""
        self.events.mute(session.role not in roles.HEARS)

    def failed(self, error):
        """An exception that ends nothing: it is there for who looks."""
        self.failure = error
        self.failures += 1

    # ---- time

    async def _watch(self):
        while True:
            try:
                left = await self.look()
            except Exception as error:  # no memory, say: a rate that nobody uses would stay for ever
                self.failed(error)
                left = _LATER_MS
            await sleep_ms(left)

    async def look(self):
        """Does what is due: ends a session that is silent and a rate that nobody uses, sends the newest event again.
        In how many milliseconds to look again: nothing that begins meanwhile is due sooner."""
        sessions = self.sessions
        left = sessions.silent_in()
        if left is None:
            await self._set_baud(self.baud)  # it is already, unless an error came between
            return _LOOK_MS
        now_ms = self.uptime_ms()
        if not left:
            sessions.end()
            self.old_baud = 0
            self.events.mute(True)
            await self._set_baud(self.baud)
            return _LOOK_MS
        if self.old_baud:
            trial = self.trial_until - now_ms
            if trial <= 0:
                baud, self.old_baud = self.old_baud, 0
                await self._set_baud(baud)
            else:
                left = min(left, trial)
        return min(left, self.events.due_in(now_ms), _LOOK_MS)

    async def _try_baud(self):
        baud, self.next_baud = self.next_baud, 0
        old = self.uart.baud
        await self._set_baud(baud)
        self.old_baud = old
        self.trial_until = self.uptime_ms() + _TRIAL_MS

    async def _set_baud(self, baud):
        if baud != self.uart.baud:
            while not self.idle.is_set():
                await self.idle.wait()
            self.idle.clear()
            try:
                await self.uart.set_baud(baud)
            finally:
                self.idle.set()

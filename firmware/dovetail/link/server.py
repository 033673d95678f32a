# The machine's end of the link: reads requests, answers each of them, sends events.
# Knows messages and bytes. What a request means, machine.py decides in handle().

import asyncio
import micropython
from binascii import crc32

from dovetail.clock import Flag, sleep_ms, wait
from dovetail.link import codec, frame, roles, schema
from dovetail.link.events import Events
from dovetail.link.sessions import VERSION, Sessions
from dovetail.link.verify import CHALLENGE, Verify
from micropython import const

BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
REMEMBERED = const(4)  # answers kept, for requests that come again
_TIDY = const(8)  # answers between two looks at the heap
_ROLES = (b"\0", b"\1", b"\2", b"\3")
_TRIAL_MS = const(1000)  # so long a new rate may wait for its first good frame

BAD_ID = {"outcome": schema.BAD, "text": "id: smaller than one already answered"}
REUSED_ID = {"outcome": schema.BAD, "text": "id: used before for another request"}
NO_REQUEST = {"outcome": schema.BAD, "text": "no request of this schema"}
NO_SESSION = {"outcome": schema.NO_SESSION, "text": "say hello first"}
NO_KEYS = {"outcome": schema.REFUSED, "rule": "KEYS", "text": "no keys yet: provision them"}
TAGGED_HELLO = {"outcome": schema.BAD, "text": "hello is never tagged"}
NOT_KEPT = {"outcome": schema.FAILED, "text": "memory refuses writes"}
NO_NUMBER = {"outcome": schema.BAD, "text": "number: no such event yet"}
UNHEARD = {"outcome": schema.UNHEARD, "text": "events wait to be acknowledged"}
NO_BAUD = {"outcome": schema.BAD, "text": "baud: one of %s" % ", ".join([str(baud) for baud in BAUDS])}
NO_CHALLENGE = {"outcome": schema.BAD, "text": "challenge: %d bytes are asked for" % CHALLENGE}


def _nothing():
    return None


def _alive(working):
    return None


class Link:
    """One UART. `await run()` serves it. event() may be called at any time but in an interrupt.

    uart: .take(buf) -> n, what is there; .read(buf) -> n, .write(buf, n) and .set_baud(baud), coroutines; .baud
    handle(name, fields) -> dict of an Answer without its id; what takes time ends in an event.
        handle("digest", None) -> a number that is another when the status is another
    guard: keys, and who may begin what when: keys.py
    identity: dict of an Identity: board, variant, image, game, serial, boots
    uptime_ms(): milliseconds since power-on, growing
    moving(): whether something may move
    life(working): called when it begins to wait for a request, and when it has work
    tidy(): called when an answer is on its way, and for some milliseconds nobody waits for the next
    """

    def __init__(self, uart, handle, guard, identity, uptime_ms, tidy=None, moving=None, life=None, first_event=1):
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
        self.chunk = bytearray(64)
        self.out = bytearray(frame.MAX_FRAME)
        self.counter = 0  # frames sent
        self.one_writer = asyncio.Lock()
        self.sessions = Sessions(guard, uptime_ms, self.receiver.bad)
        self.events = Events(first_event)
        self.verify = Verify(guard)
        self.baud = uart.baud  # of every session's beginning
        self.next_baud = 0  # to be set once the answer has left
        self.old_baud = 0  # the way back, as long as the new rate is on trial
        self.trial_until = 0
        self.owes = False  # the answer says something that must be on flash before it leaves
        self.changed = Flag()  # a session was opened, or a trial begins
        self.failure = None  # the last exception that handle() or an event's fields raised
        self.failures = 0

    # ---- the line

    async def run(self):
        """Serves for ever."""
        tasks = [asyncio.create_task(work) for work in (self._send_events(), self._watch(), self.verify.run())]
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
                    at = receiver.feed(chunk, at, end)
                    if receiver.ready:
                        try:
                            report, key = self._answer()
                        except Exception as error:  # no memory, say; the controller asks again
                            self._failed(error)
                            continue
                        if self.owes:
                            report = await self._kept(report)
                        if report is not None:
                            await self._send(report, key)
                            if self.counter % _TIDY == 0:
                                self.tidy()
                            if self.moving():
                                await sleep_ms(0)  # what watches a move has its turn after every answer
                        if self.next_baud:
                            await self._try_baud()
                            at = end  # what came meanwhile came at the old rate
        finally:
            for task in tasks:
                task.cancel()

    async def _send(self, report, key):
        async with self.one_writer:
            self.counter = (self.counter + 1) & 0xFFFFFFFF
            n = frame.encode(frame.REPORT, self.counter, report, self.out, key)
            await self.uart.write(self.out, n)

    async def _kept(self, report):
        """What is told is on flash first: the report, or what is said in its place when flash refuses."""
        self.owes = False
        session = self.sessions.open
        if await self.guard.settled():
            return report
        answered = session.answered if session is not None else []
        for id, body, _ in answered[-1:]:
            report = self._report(id, NOT_KEPT)
            answered[-1] = (id, body, report)
        return report

    async def _send_events(self):
        while True:
            report = await self.events.next()
            session = self.sessions.open
            if session is not None and session.role in roles.HEARS:
                await self._send(report, session.key)

    def event(self, kind, fields):
        """Numbers an event, keeps it until it is acknowledged, sends it. Never raises."""
        try:
            return self.events.add(kind, fields, self.uptime_ms() & 0xFFFFFFFF)
        except Exception as error:
            self._failed(error)
            return 0

    def _failed(self, error):
        self.failure = error
        self.failures += 1

    # ---- time

    async def _watch(self):
        """Ends a session that is silent, and a rate that nobody uses."""
        sessions = self.sessions
        while True:
            left = sessions.silent_in()
            if left is None:
                await self.changed.wait()
                continue
            if self.old_baud:
                left = min(left, max(self.trial_until - self.uptime_ms(), 0))
            if left:
                await wait(self.changed, left)
            elif self.old_baud and sessions.silent_in():
                baud, self.old_baud = self.old_baud, 0
                await self._set_baud(baud)
            else:
                sessions.end()
                self.old_baud = 0
                self.events.mute(True)
                await self._set_baud(self.baud)

    async def _try_baud(self):
        baud, self.next_baud = self.next_baud, 0
        old = self.uart.baud
        await self._set_baud(baud)
        self.old_baud = old
        self.trial_until = self.uptime_ms() + _TRIAL_MS
        self.changed.set()

    async def _set_baud(self, baud):
        if baud != self.uart.baud:
            async with self.one_writer:
                await self.uart.set_baud(baud)

    # ---- requests

    @micropython.native
    def _answer(self):
        """(report to a request, key of its session) or (None, None) when the frame is dropped."""
        received = self.receiver
        sessions = self.sessions
        session = no = None
        if received.tagged and (sessions.open is not None or sessions.asked is not None):
            before = sessions.open
            session, no = sessions.check(received)
            if session is None:
                return None, None
            self.old_baud = 0
            if sessions.open is not before:
                self._opened(session)
        body = bytes(received.body)
        try:
            request = codec.decode(schema.Request, body)
        except ValueError:
            request = {"id": 0}
        id = request["id"]
        name = codec.which(request)
        if id == 0 or name is None:
            return self._report(id, NO_REQUEST), session and session.key
        if session is None:
            return self._outside(id, name, request[name], received.tagged)
        if no:
            return self._report(id, no), session.key
        return self._inside(session, id, name, request[name], body), session.key

    def _opened(self, session):
        self.events.mute(session.role not in roles.HEARS)
        self.changed.set()

    def _outside(self, id, name, fields, tagged):
        """Report to what is not of a session, and the key of the session that it asked for."""
        session = None
        if tagged or name not in ("hello", "status", "provision"):
            answer = NO_SESSION if self.guard.key(schema.ROLE_TABLE) else NO_KEYS
        elif name == "hello":
            answer, session = self.sessions.hello(id, fields, self.identity)
        elif name == "status":
            answer = self._do(None, name, fields)
        else:
            answer = self.guard.provision(fields)
            self.owes = True
        return self._report(id, answer), session and session.key

    @micropython.native
    def _inside(self, session, id, name, fields, body):
        """Report to a request of a session: done once, however often it comes."""
        answered = session.answered
        for old, same, report in answered:
            if old == id:
                return report if same == body else self._report(id, REUSED_ID)
        if id <= session.floor:
            return self._report(id, BAD_ID)
        report = self._report(id, self._allowed(session, name, fields))
        if len(answered) >= REMEMBERED:
            session.floor = max(session.floor, answered.pop(0)[0])
        answered.append((id, body, report))
        self.owes = name not in roles.READING
        return report

    @micropython.native
    def _allowed(self, session, name, fields):
        if name == "hello":
            return TAGGED_HELLO
        if name not in roles.MAY[session.role]:
            who = " or ".join([roles.NAMES[role] for role in sorted(roles.MAY) if name in roles.MAY[role]])
            text = "%s: not in a session of %s" % (name, roles.NAMES[session.role])
            return {"outcome": schema.REFUSED, "rule": "ROLE", "text": text + (", but of %s" % who if who else "")}
        if self.events.crowded() and name not in roles.READING:
            return UNHEARD
        return self._do(session, name, fields)

    @micropython.native
    def _do(self, session, name, fields):
        """Dict of an Answer, without its id."""
        if name == "acknowledge":
            done = self.events.acknowledge(fields["number"])
            return {"outcome": schema.DONE} if done else NO_NUMBER
        if name == "replay":
            first = self.events.replay(fields["number"])
            return {"outcome": schema.DONE, "replayed": {"first": first}}
        if name == "set_baud":
            if fields["baud"] not in BAUDS:
                return NO_BAUD
            self.next_baud = fields["baud"]
            return {"outcome": schema.DONE}
        if name == "verify":
            if len(fields["challenge"]) != CHALLENGE:
                return NO_CHALLENGE
            return {"outcome": schema.DONE, "verified": self.verify.ask(session, fields["challenge"])}
        try:
            if name == "heartbeat":
                return self._beat(fields["digest"])
            answer = self.handle(name, fields)
            if name == "status" and "status" in answer:
                self._complete(answer["status"])
            return answer
        except Exception as error:
            self._failed(error)
            return {"outcome": schema.FAILED, "text": type(error).__name__}

    @micropython.native
    def _digest(self):
        """Of the status: another when the machine, or whose session it is, is another; never 0."""
        session = self.sessions.open
        return crc32(_ROLES[session.role if session else 0], self.handle("digest", None)) or 1

    @micropython.native
    def _complete(self, status):
        """Adds to a status what the link knows."""
        session = self.sessions.open
        if session is not None:
            status["session"] = session.role
            if session.role == schema.ROLE_SERVICE:
                status["state"] = schema.SERVICE
        status["digest"] = self._digest()
        status["uptime_ms"] = self.uptime_ms() & 0xFFFFFFFF
        status["next_event"] = self.events.number
        status["lost_events"] = self.events.lost
        status["bad_frames"] = sum(self.receiver.bad)

    @micropython.native
    def _beat(self, known):
        digest = self._digest()
        uptime_ms = self.uptime_ms() & 0xFFFFFFFF
        beat = {"digest": digest, "next_event": self.events.number, "uptime_ms": uptime_ms}
        if digest != known:
            beat["status"] = self.handle("status", {})["status"]
            self._complete(beat["status"])
        return {"outcome": schema.DONE, "beat": beat}

    @micropython.native
    def _report(self, id, answer):
        try:
            report = codec.encode(schema.Report, {"answer": dict(answer, id=id)})
            if len(report) > frame.MAX_BODY:
                raise ValueError("answer of %d bytes" % len(report))
            return report
        except Exception as error:
            self._failed(error)
            failed = {"id": id, "outcome": schema.FAILED, "text": "answer"}
            return codec.encode(schema.Report, {"answer": failed})

# The machine's end of the link: reads requests, answers each of them, sends events.
# Knows messages and bytes. What a request means, machine.py decides in handle().

import asyncio

from dovetail.link import codec, frame, schema
from dovetail.link.events import Events
from micropython import const

VERSION = const(1)
NONCE = const(16)
REMEMBERED = const(4)  # answers kept, for requests that come again
_READING = ("status", "read_journal", "meters")  # these order nothing

BAD_ID = {"outcome": schema.BAD, "text": "id: smaller than one already answered"}
REUSED_ID = {"outcome": schema.BAD, "text": "id: used before for another request"}
NO_REQUEST = {"outcome": schema.BAD, "text": "no request of this schema"}
NO_SESSION = {"outcome": schema.NO_SESSION, "text": "say hello first"}
NO_NUMBER = {"outcome": schema.BAD, "text": "number: no such event yet"}
UNHEARD = {"outcome": schema.UNHEARD, "text": "events wait to be acknowledged"}


class Link:
    """One UART. `await run()` serves it. event() may be called at any time but in an interrupt.

    uart: .read(buf) -> n and .write(buf, n), coroutines
    handle(name, fields) -> dict of an Answer without its id; what takes time ends in an event
    identity: dict of an Identity: board, variant, image, game, serial, boots
    uptime_ms(): milliseconds since power-on, growing
    """

    def __init__(self, uart, handle, identity, uptime_ms, first_event=1):
        self.uart = uart
        self.handle = handle
        self.uptime_ms = uptime_ms
        self.identity = {"version": VERSION, "schema": schema.FINGERPRINT}
        self.identity.update(identity)
        self.identity["first_event"] = first_event
        self.receiver = frame.Receiver(frame.REQUEST)
        self.chunk = bytearray(64)
        self.out = bytearray(frame.MAX_FRAME)
        self.counter = 0  # frames sent
        self.one_writer = asyncio.Lock()
        # the session
        self.nonce = None
        self.floor = 0  # ids up to this one are answered again only if they are in .answered
        self.answered = []  # (id, request, answer) in the order they were answered
        self.events = Events(first_event)
        self.failure = None  # the last exception that handle() or an event's fields raised
        self.failures = 0

    # ---- the line

    async def run(self):
        """Serves for ever."""
        sender = asyncio.create_task(self._send_events())
        receiver = self.receiver
        chunk = self.chunk
        try:
            while True:
                end = await self.uart.read(chunk)
                at = 0
                while at < end:
                    at = receiver.feed(chunk, at, end)
                    if receiver.ready:
                        try:
                            report = self._answer(bytes(receiver.body))
                        except Exception as error:  # no memory, say; the controller asks again
                            self._failed(error)
                            continue
                        await self._send(report)
        finally:
            sender.cancel()

    async def _send(self, report):
        async with self.one_writer:
            self.counter = (self.counter + 1) & 0xFFFFFFFF
            n = frame.encode(frame.REPORT, self.counter, report, self.out)
            await self.uart.write(self.out, n)

    async def _send_events(self):
        while True:
            await self._send(await self.events.next())

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

    # ---- requests

    def _answer(self, body):
        """Report to a request's bytes."""
        try:
            request = codec.decode(schema.Request, body)
        except ValueError:
            return self._report(0, NO_REQUEST)
        id = request["id"]
        name = codec.which(schema.Request, request)
        if id == 0 or name is None:
            return self._report(id, NO_REQUEST)
        fields = request[name]
        new = name == "hello" and fields["nonce"] != self.nonce
        if new:
            if fields["version"] != VERSION or len(fields["nonce"]) != NONCE:
                text = "version %d and a nonce of %d bytes are asked for" % (VERSION, NONCE)
                return self._report(id, {"outcome": schema.BAD, "text": text})
            self.nonce = fields["nonce"]
            self.answered.clear()
            self.floor = id - 1
        elif self.nonce is None and name != "status":
            return self._report(id, NO_SESSION)
        for old, same, report in self.answered:
            if old == id:
                return report if same == body else self._report(id, REUSED_ID)
        if id <= self.floor:
            return self._report(id, BAD_ID)
        report = self._report(id, self._do(name, fields))
        if len(self.answered) >= REMEMBERED:
            self.floor = max(self.floor, self.answered.pop(0)[0])
        self.answered.append((id, body, report))
        return report

    def _do(self, name, fields):
        """Dict of an Answer, without its id."""
        if name == "hello":
            return {"outcome": schema.DONE, "identity": self.identity}
        if name == "acknowledge":
            done = self.events.acknowledge(fields["number"])
            return {"outcome": schema.DONE} if done else NO_NUMBER
        if name == "replay":
            first = self.events.replay(fields["number"])
            return {"outcome": schema.DONE, "replayed": {"first": first}}
        if self.events.crowded() and name not in _READING:
            return UNHEARD
        try:
            answer = self.handle(name, fields)
            if name == "status" and "status" in answer:
                answer["status"]["uptime_ms"] = self.uptime_ms() & 0xFFFFFFFF
                answer["status"]["next_event"] = self.events.number
                answer["status"]["lost_events"] = self.events.lost
                answer["status"]["bad_frames"] = sum(self.receiver.bad)
            return answer
        except Exception as error:
            self._failed(error)
            return {"outcome": schema.FAILED, "text": type(error).__name__}

    def _report(self, id, answer):
        try:
            answer = dict(answer)
            answer["id"] = id
            report = codec.encode(schema.Report, {"answer": answer})
            if len(report) > frame.MAX_BODY:
                raise ValueError("answer of %d bytes" % len(report))
            return report
        except Exception as error:
            self._failed(error)
            failed = {"id": id, "outcome": schema.FAILED, "text": "answer"}
            return codec.encode(schema.Report, {"answer": failed})

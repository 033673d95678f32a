# What the tests of the link share: a line in memory with a Link at its end, and pseudo-random bytes.

import asyncio

from dovetail.clock import Flag
from dovetail.link import codec, frame, names as schema
from dovetail.hal import wire
from dovetail.link.auth import MACHINE, session_secret
from dovetail.link.server import Link

NONCE = bytes(range(16))
KEYS = (None, b"t" * 32, b"s" * 32, b"a" * 32, b"v" * 32)
PROGRAM = bytes(range(256)) * 9 + b"the end"
IDENTITY = {
    "board": "bench",
    "variant": "test",
    "image": "none",
    "game": "let_it_ride",
    "serial": b"\x01\x02",
    "boots": 3,
}


class Uart:
    def __init__(self):
        self.baud = 115200
        self.coming = []  # bytes to the machine, in pieces
        self.came = Flag()
        self.gone = bytearray()  # bytes from it

    def take(self, buf):
        return 0

    def waits(self):
        return bool(self.coming)

    async def read(self, buf):
        while not self.coming:
            await self.came.wait()
        piece = self.coming.pop(0)
        n = min(len(piece), len(buf))
        if n < len(piece):
            self.coming.insert(0, piece[n:])
        buf[:n] = piece[:n]
        return n

    async def write(self, buf, n):
        await asyncio.sleep(0)
        self.gone.extend(buf[:n])

    async def set_baud(self, baud):
        self.baud = baud


class Guard:
    """What keys.py is to the machine."""

    program_size = len(PROGRAM)

    def __init__(self):
        self.keys = KEYS
        self.no = {}  # by role, why it can't begin
        self.noted = []
        self.settles = 0
        self.records = 0
        self.waits = False  # flash is not written yet
        self.keeps = True  # flash takes what is written

    def key(self, role):
        return self.keys[role] if self.keys else None

    def fresh(self):
        return b"fresh"

    def provision(self, fields):
        names = ("table_key", "service_key", "audit_key", "supervisor_key")
        self.keys = [None] + [fields[name] for name in names]
        return {"outcome": schema.DONE}

    def hinder(self, role):
        return self.no.get(role)

    def recorded(self):
        return self.records

    async def settled(self):
        self.settles += 1
        while self.waits:
            await asyncio.sleep(0)
        return self.keeps

    def began(self, role):
        self.noted.append(("began", role))

    def ended(self, role):
        self.noted.append(("ended", role))

    def failed(self, role, reason, failures):
        self.noted.append(("failed", role, reason, failures))

    def program(self, offset, n):
        return PROGRAM[offset : offset + n]


class Bench:
    """A Link with a handle() that notes what it is asked, and a controller's end."""

    def __init__(self, first_event=1):
        self.uart = Uart()
        self.guard = Guard()
        self.asked = []
        self.kept = ("deal",)  # what the journal is told
        self.answer = {"outcome": schema.DONE}
        self.now_ms = 0
        self.digest = 77
        self.link = Link(self.uart, self.handle, self.guard, IDENTITY, lambda: self.now_ms, first_event=first_event)
        self.link.events.resend_ms = 3600000
        self.receiver = frame.Receiver(frame.REPORT)
        self.sent = 0
        self.key = None  # of the session, with which frames are tagged
        self.tagged = []  # of each report that came last, whether it was

    def handle(self, name, fields):
        if name == "digest":
            return self.digest
        if name == "status":
            self.asked.append((name, fields))
            return {"outcome": schema.DONE, "status": {"state": schema.IDLE, "digest": self.digest}}
        self.asked.append((name, fields))
        self.guard.records += name in self.kept
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def frame(self, request, key=None):
        """Bytes of a request's frame."""
        self.sent += 1
        out = bytearray(frame.MAX_FRAME)
        body = request if isinstance(request, bytes) else codec.encode(schema.Request, request)
        return bytes(out[: frame.encode(frame.REQUEST, self.sent, body, out, key or self.key)])

    def crooked(self, body, direction, flip):
        """The same with the tag of this direction, its last byte flipped by these bits."""
        self.sent += 1
        out = bytearray(frame.MAX_FRAME)
        n = 6 + len(body)
        out[4 : 4 + n] = bytes((0x11, 1, self.sent, 0, 0, 0)) + body
        wire.sign(self.key, direction, out, 4, n)
        out[4 + n + 15] ^= flip
        return bytes(out[: wire.stuff(out, n + 16)])

    def untagged(self, request):
        key, self.key = self.key, None
        data = self.frame(request)
        self.key = key
        return data

    async def settle(self):
        """Until nothing has come for more turns of the loop than one frame takes."""
        quiet = turns = 0
        while quiet < 10:
            before = len(self.uart.gone) + len(self.uart.coming)
            await asyncio.sleep(0)
            quiet = quiet + 1 if before == len(self.uart.gone) + len(self.uart.coming) else 0
            turns += 1
            assert turns < 1000, "it never falls silent"

    async def send(self, data):
        """Bytes to the machine; what it says until it is silent, as a list of reports."""
        self.uart.coming.append(data)
        self.uart.came.set()
        await self.settle()
        return self.reports()

    def reports(self):
        found = []
        self.tagged = []
        data = self.uart.gone
        self.uart.gone = bytearray()
        receiver = self.receiver
        at = 0
        while at < len(data):
            at = receiver.feed(data, at, len(data))
            if receiver.ready:
                found.append(codec.decode(schema.Report, receiver.body))
                self.tagged.append(receiver.tagged)
                if receiver.tagged:
                    key = self.key or self.key_of(found[-1])
                    assert receiver.signed(key, MACHINE)
        assert sum(receiver.bad) == 0
        return found

    def key_of(self, report):
        """Of the session that an answer to hello() begins."""
        nonce = report["answer"]["identity"]["nonce"]
        return wire.key(session_secret(KEYS[self.role], self.role, self.nonce, nonce))

    async def ask(self, request):
        """The one answer to a request."""
        answers = [r["answer"] for r in await self.send(self.frame(request)) if "answer" in r]
        assert len(answers) == 1, answers
        assert answers[0]["id"] == request["id"]
        return answers[0]

    async def greet(self, id=1, nonce=NONCE, role=schema.ROLE_TABLE):
        """The answer to an untagged hello; .key is the session's afterwards, if there is one."""
        self.role, self.nonce = role, nonce
        before, self.key = self.key, None
        hello = {"id": id, "hello": {"version": 1, "nonce": nonce, "role": role}}
        answer = await self.ask(hello)
        assert self.tagged == [bool(answer.get("identity", {}).get("nonce"))]
        self.key = self.key_of({"answer": answer}) if self.tagged[0] else before
        return answer

    async def hello(self, id=1, nonce=NONCE, role=schema.ROLE_TABLE):
        """The same, and the session is opened by a frame that asks nothing."""
        answer = await self.greet(id, nonce, role)
        assert answer["outcome"] == schema.DONE, answer
        (report,) = [report for report in await self.send(self.frame(b"")) if "answer" in report]
        assert (report["answer"]["id"], report["answer"]["outcome"]) == (0, schema.BAD)
        return answer


def serve(test, first_event=1):
    """Runs `await test(bench)` with its link being served."""

    async def main():
        bench = Bench(first_event)
        task = asyncio.create_task(bench.link.run())
        try:
            await test(bench)
        finally:
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                pass
        return bench

    return asyncio.run(main())


class Dice:
    """The same pseudo-random numbers on every interpreter."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n

    def bytes(self, n):
        return bytes([self.below(256) for _ in range(n)])

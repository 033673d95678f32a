# What the tests of the link share: a line in memory with a Link at its end, and pseudo-random bytes.

import asyncio

from dovetail.clock import Flag
from dovetail.link import codec, frame, schema
from dovetail.link.server import Link

NONCE = bytes(range(16))
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
        self.coming = []  # bytes to the machine, in pieces
        self.came = Flag()
        self.gone = bytearray()  # bytes from it

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


class Bench:
    """A Link with a handle() that notes what it is asked."""

    def __init__(self, first_event=1):
        self.uart = Uart()
        self.asked = []
        self.answer = {"outcome": schema.DONE}
        self.now_ms = 0
        self.link = Link(self.uart, self.handle, IDENTITY, lambda: self.now_ms, first_event)
        self.link.events.resend_ms = 3600000
        self.receiver = frame.Receiver(frame.REPORT)
        self.sent = 0

    def handle(self, name, fields):
        self.asked.append((name, fields))
        if name == "status":
            return {"outcome": schema.DONE, "status": {"state": schema.IDLE}}
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def frame(self, request):
        """Bytes of a request's frame."""
        self.sent += 1
        out = bytearray(frame.MAX_FRAME)
        body = request if isinstance(request, bytes) else codec.encode(schema.Request, request)
        return bytes(out[: frame.encode(frame.REQUEST, self.sent, body, out)])

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
        data = self.uart.gone
        self.uart.gone = bytearray()
        at = 0
        while at < len(data):
            at = self.receiver.feed(data, at, len(data))
            if self.receiver.ready:
                found.append(codec.decode(schema.Report, self.receiver.body))
        assert sum(self.receiver.bad) == 0
        return found

    async def ask(self, request):
        """The one answer to a request."""
        answers = [r["answer"] for r in await self.send(self.frame(request)) if "answer" in r]
        assert len(answers) == 1, answers
        assert answers[0]["id"] == request["id"]
        return answers[0]

    async def hello(self, id=1, nonce=NONCE):
        return await self.ask({"id": id, "hello": {"version": 1, "nonce": nonce}})


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

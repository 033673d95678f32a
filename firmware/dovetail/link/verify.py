# Proves what lies in program flash: HMAC over a challenge and all of it, read in slices while everything goes on.

import asyncio

from dovetail.clock import sleep_ms
from dovetail.link import auth
from micropython import const

CHALLENGE = const(32)
_SLICE = const(1024)  # 2 ms on the slower chip


class Verify:
    """guard.program(offset, buf) reads guard.program_size bytes of program flash."""

    def __init__(self, guard):
        self.guard = guard
        self.session = None
        self.challenge = b""
        self.done = 0
        self.digest = b""

    def ask(self, session, challenge):
        """How far the HMAC for this challenge is; a new one begins it, and ends the one before."""
        if session is not self.session or challenge != self.challenge:
            self.session, self.challenge = session, challenge
            self.done, self.digest = 0, b""
            self.work = asyncio.create_task(self._prove(session, challenge))
        return {"done": self.done, "size": self.guard.program_size, "digest": self.digest}

    async def _prove(self, session, challenge):
        piece = bytearray(_SLICE)
        inner = auth.begin(session.secret)
        inner.update(b"V" + challenge)
        at, size = 0, self.guard.program_size
        while at < size:
            view = memoryview(piece)[: min(_SLICE, size - at)]
            self.guard.program(at, view)
            inner.update(view)
            at += len(view)
            if self.challenge is not challenge:
                return
            self.done = min(at, size - 1)  # size only together with the digest
            await sleep_ms(0)
        if self.challenge is challenge:
            self.digest = auth.end(session.secret, inner)
            self.done = size

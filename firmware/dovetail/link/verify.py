# Proves what lies in program flash: HMAC over a challenge and all of it, read in slices while everything goes on.
# guard.program(offset, n) gives n of the guard.program_size bytes of program flash, where they lie.

import asyncio

from dovetail.clock import sleep_ms
from dovetail.link import auth
from micropython import const

CHALLENGE = const(32)
_SLICE = const(1024)  # 2 ms on the slower chip


def ask(link, session, challenge):
    """How far the HMAC for this challenge is; a new one begins it, and ends the one before."""
    if session is not link.verified or challenge != link.challenge:
        link.verified, link.challenge = session, challenge
        link.done, link.digest = 0, b""
        link.proof = asyncio.create_task(_prove(link, session, challenge))
    return {"done": link.done, "size": link.guard.program_size, "digest": link.digest}


async def _prove(link, session, challenge):
    inner = auth.begin(session.secret)
    inner.update(b"V" + challenge)
    at, size = 0, link.guard.program_size
    while at < size:
        n = min(_SLICE, size - at)
        inner.update(link.guard.program(at, n))
        at += n
        if link.challenge is not challenge:
            return
        link.done = min(at, size - 1)  # size only together with the digest
        await sleep_ms(0)
    if link.challenge is challenge:
        link.digest = auth.end(session.secret, inner)
        link.done = size

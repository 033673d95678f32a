"""A machine's link with an open session under attack: frames go in, what must hold is checked.

The link is the device's own; what stands behind it notes what it is asked. Forged frames come from
somebody who hears every byte on the line and has no key.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable
from typing import Any

from dovetail.link import names as schema
from dovetail.link.server import Link
from google.protobuf.message import DecodeError, Message

from host_tools.link import auth, frame, link_pb2
from sim.loop import HeapWorld, VirtualLoop

KEYS = {role: bytes([role]) * 32 for role in (1, 2, 3, 4)}
HEARD = 40  # frames of the session that a stranger remembers
TALK = ("status", "load", "open_round", "deal", "remainder", "replay", "close_round", "heartbeat")
HELD_MS = 60_001  # as long as wrong tags may hold a hello off
LAST_ID = 0xFFFFFFFF
READING = ("status",)  # what anybody may ask


class Uart:
    """A line that is never slow."""

    def __init__(self) -> None:
        self.baud = 115_200
        self.coming = bytearray()
        self.gone = bytearray()
        self.more = asyncio.Event()
        self.idle = asyncio.Event()

    def take(self, buf: bytearray) -> int:
        """Nothing without a wait."""
        return 0

    def waits(self) -> bool:
        """Return whether bytes are there that nobody has taken."""
        return bool(self.coming)

    async def read(self, buf: bytearray) -> int:
        """At least one byte."""
        while not self.coming:
            self.idle.set()
            self.more.clear()
            await self.more.wait()
        n = min(len(buf), len(self.coming))
        buf[:n] = self.coming[:n]
        del self.coming[:n]
        return n

    async def write(self, buf: bytearray, n: int) -> None:
        """At once."""
        self.gone += buf[:n]

    async def set_baud(self, baud: int) -> None:
        """As it is asked."""
        self.baud = baud


class Guard:
    """Keys, and who may begin what: anybody. Notes what it is told."""

    boots = 1
    program_size = 64

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.provisions = 0

    def key(self, role: int) -> bytes:
        """Of a role."""
        return KEYS[role]

    def fresh(self) -> bytes:
        """One start, and then the count of nonces."""
        return b"\x01"

    def provision(self, fields: dict[str, Any]) -> dict[str, Any]:
        """It has keys."""
        self.provisions += 1
        return {"outcome": schema.REFUSED, "rule": "KEYS"}

    def hinder(self, role: int) -> dict[str, Any] | None:
        """Nothing does."""

    def recorded(self) -> int:
        """No journal."""
        return 0

    async def settled(self) -> bool:
        """Nothing waits for flash."""
        return True

    def began(self, role: int) -> None:
        """A session."""
        self.told.append(("began", role))

    def ended(self, role: int) -> None:
        """A session."""
        self.told.append(("ended", role))

    def failed(self, role: int, reason: int, failures: int) -> None:
        """A wrong tag: noted in the journal, which is no state."""

    def program(self, at: int, n: int) -> bytes:
        """All zeros."""
        return bytes(n)


class Target:
    """The link under attack, and its rightful controller."""

    def __init__(self) -> None:
        self.frames = 0
        self.asked: list[str] = []
        self.heard: list[bytes] = []  # every frame of the session, both ways
        self._loop = VirtualLoop(HeapWorld())  # no time passes but in good_request()
        self._uart = Uart()
        self.guard = Guard()
        identity = {"board": "none", "boots": 1, "serial": b"\x01\x02"}
        self._now_ms = 0
        self.link: Any = Link(self._uart, self._handle, self.guard, identity, lambda: self._now_ms)
        self._task = self._loop.create_task(self.link.run())
        self._receiver = frame.Receiver(frame.REPORT)
        self._counter = 0
        self._id = 0
        self._sessions = 0
        self.key = b""
        self.signed: list[frame.Frame] = []  # of what it said last, with the session's tag
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let the loop go."""
        self._task.cancel()
        self._loop.run_until_complete(asyncio.gather(self._task, return_exceptions=True))
        self._loop.close()

    # ---- what goes in

    def forge(self, wires: Iterable[bytes]) -> None:
        """Frames of a stranger: nothing may change, and the rightful controller goes on."""
        before = self._state()
        self._feed(wires)
        assert not self.signed, "a stranger has a frame of the machine with the session's tag"
        assert self._state() == before, "a stranger has changed something"
        assert all(name in READING for name in self.asked), f"a stranger's order: {self.asked}"
        self.asked.clear()
        self.good_request()

    def inside(self, bodies: Iterable[bytes]) -> None:
        """Bodies of the rightful controller, whatever is in them: each is answered once."""
        for body in bodies:
            self._counter += 1
            answers = self._feed([frame.encode(frame.REQUEST, self._counter, body, self.key)])
            assert len([one for one in answers if one.HasField("answer")]) == 1, body.hex()
            self._note_id(body)
        self.asked.clear()
        self.good_request()

    def good_request(self) -> None:
        """The next request of the session is answered; when its ids are used up, of a new one."""
        if self._id >= LAST_ID:
            self._open()
        self._now_ms += 10
        self._id += 1
        request = link_pb2.Request(id=self._id, heartbeat=link_pb2.Heartbeat())
        answer = self._ask(request)
        assert answer.outcome == link_pb2.DONE, answer
        assert answer.beat.status.state == link_pb2.IDLE, answer
        self.asked.clear()

    # ---- within

    def _handle(self, name: str, fields: dict[str, Any]) -> Any:
        if name == "digest":
            return 77
        self.asked.append(name)
        if name == "status":
            return {"outcome": schema.DONE, "status": {"state": schema.IDLE, "digest": 77}}
        return {"outcome": schema.DONE}

    def _state(self) -> tuple[object, ...]:
        link = self.link
        session = link.sessions.open
        events = link.events
        assert session is not None, "the session is gone"
        return (
            id(session),
            (session.last, session.floor, session.answered),
            (events.number, events.to_send, events.count, events.muted),
            (
                self._uart.baud,
                link.next_baud,
                link.old_baud,
                link.done,
                link.challenge,
            ),
            tuple(self.guard.told),
        )

    def _feed(self, wires: Iterable[bytes]) -> list[link_pb2.Report]:
        """All bytes, until the link waits for more; what it said."""
        for wire in wires:
            self.frames += 1
            self._uart.coming += wire
        self._uart.coming += b"\0"
        self._uart.idle.clear()
        self._uart.more.set()
        self._loop.run_until_complete(self._until_idle())
        assert not self._task.done(), "the link has ended"
        assert self.link.failures == 0, repr(self.link.failure)
        said = bytes(self._uart.gone)
        self._uart.gone.clear()
        if len(self.heard) < HEARD:
            self.heard += [b"\0" + one + b"\0" for one in said.split(b"\0") if one]
        found = list(self._receiver.feed(said))
        self.signed = [one for one in found if one.tag and self._signs(one)]
        assert not self._receiver.bad, "it said what is no frame"
        return [link_pb2.Report.FromString(one.body) for one in found]

    def _signs(self, one: frame.Frame) -> bool:
        return bool(self.key) and frame.is_tagged_by(self.key, frame.REPORT, one)

    async def _until_idle(self) -> None:
        idle = asyncio.ensure_future(self._uart.idle.wait())
        await asyncio.wait((idle, self._task), return_when=asyncio.FIRST_COMPLETED)
        idle.cancel()
        for _ in range(4):  # its other tasks have their turn
            await asyncio.sleep(0)

    def _ask(self, request: link_pb2.Request) -> link_pb2.Answer:
        self._counter += 1
        body = request.SerializeToString()
        wire = frame.encode(frame.REQUEST, self._counter, body, self.key)
        self.heard.append(wire)
        answers = [one.answer for one in self._feed([wire]) if one.HasField("answer")]
        self.frames -= 1
        assert [one.id for one in answers] == [request.id], "a good request is not answered"
        return answers[0]

    def _note_id(self, body: bytes) -> None:
        try:
            self._id = max(self._id, link_pb2.Request.FromString(body).id)
        except DecodeError:
            return

    def _open(self) -> None:
        """A new session, and some talk in it that a stranger hears."""
        self.heard.clear()
        self._sessions += 1
        self._id = 1
        nonce = self._sessions.to_bytes(auth.NONCE, "big")
        self.key = b""
        self._now_ms += HELD_MS
        hello = link_pb2.Hello(version=1, nonce=nonce, role=link_pb2.ROLE_TABLE)
        answer = self._ask(link_pb2.Request(id=1, hello=hello))
        assert answer.outcome == link_pb2.DONE, answer
        role_key = KEYS[link_pb2.ROLE_TABLE]
        self.key = auth.session_key(role_key, link_pb2.ROLE_TABLE, nonce, answer.identity.nonce)
        self.good_request()
        for name in TALK:
            self._id += 1
            request = link_pb2.Request(id=self._id)
            field: Message = getattr(request, name)
            field.SetInParent()
            self._ask(request)
        self.asked.clear()


def with_crc(raw: bytes) -> bytes:
    """A frame of any bytes, with a right CRC."""
    return b"\0" + frame.stuff(raw + frame.CRC.pack(zlib.crc32(raw))) + b"\0"

"""One controller on one line: a request at a time until it is answered, and the chores.

Uses nothing but the running loop and its time, so it runs on a virtual clock as on a real one.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice

from google.protobuf.message import Message

from host_tools.link import auth, link_pb2
from host_tools.link.engine import VERSION, Engine
from host_tools.link.errors import BenchImage, LinkError, Refused
from host_tools.link.frame import MAX_WIRE
from host_tools.link.keys import Keys
from host_tools.link.transport import BAUD, Transport

ACKNOWLEDGE_AFTER_S = 0.1
HEARTBEAT_S = 1.0
LEAST_S = 0.01
REMEMBERED = 4  # answers that the machine keeps; from link/answers.py: REMEMBERED
AHEAD = REMEMBERED - 1  # requests on their way at once, where that is allowed
SWITCH_S = 0.01  # the machine changes its rate meanwhile
TRIAL_MS = 1000  # so long a new rate may wait for its first answer; from link/server.py: _TRIAL_MS
TRIAL_S = TRIAL_MS / 1000
PRODUCTION = "production"  # the variant of an image that has no prompt
SLOW = 38_400  # below it the longest answer takes so long that it counts
# to whom events are sent
HEARS = (link_pb2.ROLE_TABLE, link_pb2.ROLE_SERVICE, link_pb2.ROLE_SUPERVISOR)


def wire_s(count: int, baud: int) -> float:
    """So many bytes on the line, each with a start and a stop bit."""
    return count * 10 / baud


def patience_s(base_s: float, baud: int, before: int = 0) -> float:
    """From a request's last byte to its answer: at a slow rate the longest there is takes its time.

    before: so many answers come first.
    """
    longest_s = wire_s(MAX_WIRE, baud)
    return base_s + (longest_s if baud < SLOW else 0.0) + before * longest_s


class Session:
    """Requests go out, their answers come back; events are handed on in order and once."""

    def __init__(
        self,
        transport: Transport,
        keys: Keys | None,
        role: link_pb2.Role,
        seed: bytes | None,
        timeout_s: float,
        tries: int,
        bench: bool,
    ) -> None:
        role_key = keys.of(role) if keys else b""
        self.role = role
        self._keys = keys
        self._bench = bench
        self.variant: str | None = None  # of the machine's image, as its last hello told it
        self.engine = Engine(os.urandom(auth.KEY) if seed is None else seed, role, role_key)
        self.on_event: list[Callable[[link_pb2.Event], None]] = []
        self.on_lost: list[Callable[[LinkError], None]] = []
        self.lost: LinkError | None = None
        self.status: link_pb2.Status | None = None  # the last that was seen
        self.baud = BAUD
        self._came_ahead: asyncio.Queue[link_pb2.Answer] | None = None
        self._transport = transport
        self._timeout_s = timeout_s
        self._tries = tries
        self._one_at_a_time = asyncio.Lock()
        self._answer: asyncio.Future[link_pb2.Answer] | None = None
        self._chores = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._acknowledged = 0
        self._said_s = 0.0  # when the last request went out
        self._out_s = 0.0  # when the last byte of those that were sent ahead has left
        transport.on_bytes = self._on_bytes
        transport.on_lost = self._on_lost

    async def begin(self, old_events: bool) -> link_pb2.Identity:
        """Open a session and have the kept events sent, or acknowledge them unread."""
        async with self._one_at_a_time:
            identity = await self._hello()
            if not identity.nonce:
                return identity  # without keys there is no session
            if not old_events:
                status = (await self._ask("status", link_pb2.GetStatus())).status
                self.engine.next_event = status.next_event
                await self._acknowledge()  # before the replay: they are not sent any more
            await self._replay()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        return identity

    async def refuse_bench(self) -> None:
        """Raise BenchImage if the image may show keys; ask the machine where it has not said."""
        async with self._one_at_a_time:
            if self.variant is None:
                with suppress(Refused):  # a machine without keys says who it is all the same
                    await self._hello()
            self._check_variant()

    async def change_role(self, role: link_pb2.Role) -> None:
        """Say hello again as another role; the session that is open ends with that."""
        async with self._one_at_a_time:
            before = self.role
            try:
                self._take_role(role)
                await self._hello()
            except (LinkError, Refused):
                self._take_role(before)
                raise
            await self._replay()

    def _take_role(self, role: link_pb2.Role) -> None:
        self.role = role
        self.engine.take_role(role, self._keys.of(role) if self._keys else b"")

    async def request(self, name: str, message: Message) -> link_pb2.Answer:
        """Any request by its name in Request; returns when the machine says DONE."""
        async with self._one_at_a_time:
            if self.engine.restarted:
                await self._greet_again()
            begun_anew = self.engine.begun_anew
            answer = await self._ask_heard(name, message)
            if self.engine.restarted:
                await self._greet_again()
                same = begun_anew == self.engine.begun_anew
                what = "session had ended" if same else "machine has restarted"
                raise LinkError(f"{name}: the {what}; its status tells what was done")
        if answer.outcome != link_pb2.DONE:
            raise Refused(name, answer)
        return answer

    async def read_ahead(self, name: str, messages: Sequence[Message]) -> list[link_pb2.Answer]:
        """Requests that order nothing, some on their way at once; answers in their order."""
        found: dict[int, link_pb2.Answer] = {}
        rows = iter(enumerate(messages))
        sent: dict[int, tuple[int, bytes]] = {}  # by id: which one, its body
        async with self._one_at_a_time:
            if self.engine.restarted:
                await self._greet_again()
            self._came_ahead = asyncio.Queue()
            try:
                while len(found) < len(messages):
                    for at, message in islice(rows, AHEAD - len(sent)):
                        id, body = self.engine.request_ahead(name, message)
                        sent[id] = at, body
                        self._write_ahead(body)
                    answer = await self._one_ahead(name, sent, len(messages) - len(found))
                    at, _ = sent.pop(answer.id)
                    found[at] = answer
                    if answer.outcome != link_pb2.DONE:
                        raise Refused(name, answer)
            finally:
                self._came_ahead = None
                self.engine.ahead.clear()
        return [found[at] for at in range(len(messages))]

    def _write_ahead(self, body: bytes) -> None:
        """Behind what is still on its way out."""
        data = self.engine.frame(body)
        now_s = asyncio.get_running_loop().time()
        self._out_s = max(self._out_s, now_s) + wire_s(len(data), self.baud)
        self._transport.write(data)

    async def _one_ahead(
        self, name: str, sent: dict[int, tuple[int, bytes]], due: int
    ) -> link_pb2.Answer:
        """The next answer; when none comes, all that are on their way are asked again.

        Those before it may be lost, and took their time all the same.
        """
        assert self._came_ahead is not None
        loop, before = asyncio.get_running_loop(), self.engine.heard()
        limit_s = patience_s(self._timeout_s, self.baud, len(sent) - 1)
        for _ in range(self._tries):
            if self.lost is not None:
                raise self.lost
            self._said_s = loop.time()
            with suppress(TimeoutError):
                async with asyncio.timeout(limit_s + max(self._out_s - loop.time(), 0.0)):
                    return await self._came_ahead.get()
            for _, body in sent.values():
                self._write_ahead(body)
        what = f"{name}, {due} of them" if due > 1 else name
        raise self._unanswered(what, self._tries, limit_s, before)

    def _unanswered(
        self, what: str, tries: int, limit_s: float, before: dict[str, int]
    ) -> LinkError:
        """Nothing that answers it was heard; what was, is said."""
        times = f"{tries} tries of {round(limit_s, 2):g} s"
        now = self.engine.heard()
        counts = {name: n - before.get(name, 0) for name, n in now.items()}
        said = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
        if not said:
            return LinkError(f"{what}: no answer to {times}: nothing was heard at {self.baud} baud")
        return LinkError(f"{what}: not answered in {times}; heard meanwhile: {said}")

    async def set_baud(self, baud: int) -> None:
        """Agree on another rate; LinkError, and the old one, when it does not carry."""
        async with self._one_at_a_time:
            answer = await self._ask("set_baud", link_pb2.SetBaud(baud=baud))
            if answer.outcome != link_pb2.DONE:
                raise Refused("set_baud", answer)
            old = self.baud
            self._switch(baud)
            await asyncio.sleep(SWITCH_S)
            try:
                tries = 2 if baud < SLOW else 5
                await self._ask("heartbeat", self._heartbeat(), TRIAL_S / tries, tries)
            except LinkError:
                await asyncio.sleep(TRIAL_S / 2)  # the machine goes back too
                self._switch(old)
                raise LinkError(f"set_baud: {baud} is not heard; {old} stays") from None

    async def end(self, close: bool = True) -> None:
        """Acknowledge what was handed on, and close the line or leave it to another."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None
        try:
            if self.engine.key:
                if self.baud != BAUD:
                    await self.set_baud(BAUD)  # where the next controller begins
                async with self._one_at_a_time:
                    await self._acknowledge()
        except (LinkError, Refused):
            pass  # the machine keeps them for the next controller
        if close:
            self._transport.close()
        self._on_lost("closed")

    async def _ask(
        self, name: str, message: Message, timeout_s: float = 0.0, tries: int = 0
    ) -> link_pb2.Answer:
        """One request until it is answered. The same id every time, so it is done once."""
        loop = asyncio.get_running_loop()
        timeout_s = timeout_s or patience_s(self._timeout_s, self.baud)
        tries, before = tries or self._tries, self.engine.heard()
        body = self.engine.request(name, message)
        answer = self._answer = loop.create_future()
        try:
            for _ in range(tries):
                if self.lost is not None:
                    raise self.lost
                self._said_s = loop.time()
                data = self.engine.frame(body)
                self._transport.write(data)
                wait_s = timeout_s + wire_s(len(data), self.baud)
                await asyncio.wait([answer], timeout=wait_s)
                if answer.done():
                    return answer.result()
        finally:
            self._answer = None
        raise self._unanswered(name, tries, timeout_s, before)

    async def _ask_heard(self, name: str, message: Message) -> link_pb2.Answer:
        """The same; if the machine wants its events acknowledged first, that first."""
        try:
            answer = await self._ask(name, message)
        except LinkError:
            self._fall_back()
            raise
        for _ in range(self._tries):
            if answer.outcome != link_pb2.UNHEARD:
                break
            await self._replay()
            await asyncio.sleep(ACKNOWLEDGE_AFTER_S)  # they come after the answer
            await self._acknowledge()
            answer = await self._ask(name, message)
        return answer

    async def _hello(self) -> link_pb2.Identity:
        answer = await self._ask("hello", self.engine.hello())
        if answer.HasField("identity"):
            self.variant = answer.identity.variant
        if answer.outcome != link_pb2.DONE:
            raise Refused("hello", answer)
        if answer.identity.version != VERSION:
            raise LinkError(f"hello: the machine speaks version {answer.identity.version}")
        if answer.identity.nonce:
            self._check_variant()
        self._acknowledged = 0  # its numbers may have begun anew
        return answer.identity

    def _check_variant(self) -> None:
        """Raise BenchImage before the first tagged request, so that no session begins.

        The tag of this answer is right: the variant is what the machine itself says.
        """
        if not self._bench and self.variant != PRODUCTION:
            self.engine.key = b""
            self.engine.restarted = True  # whatever is asked next says hello first
            raise BenchImage(self.variant or "")

    async def _greet_again(self) -> None:
        await self._hello()
        await self._replay()

    async def _replay(self) -> None:
        if self.role in HEARS:
            known = self.engine.next_event or 0
            await self._ask("replay", link_pb2.Replay(number=known))
            if known and self.engine.next_event is None:  # the machine has begun anew
                await self._ask("replay", link_pb2.Replay())
        else:
            await self._ask("heartbeat", link_pb2.Heartbeat())  # what opens the session
            self.engine.gap = False

    async def _acknowledge(self) -> None:
        number = (self.engine.next_event or 1) - 1
        if self.role in HEARS and number not in (0, self._acknowledged):
            await self._ask("acknowledge", link_pb2.Acknowledge(number=number))
            self._acknowledged = number

    def _due_s(self) -> float:
        """Until the next heartbeat."""
        return self._said_s + HEARTBEAT_S - asyncio.get_running_loop().time()

    async def _beat(self) -> None:
        """Only when nothing else was said for a while."""
        if self._due_s() >= LEAST_S:
            return
        await self._ask("heartbeat", self._heartbeat())

    def _heartbeat(self) -> link_pb2.Heartbeat:
        """The status is told only if it is another than the one that was seen."""
        return link_pb2.Heartbeat(digest=self.status.digest if self.status else 0)

    async def _keep(self) -> None:
        """Chores: hello after a restart, replay, acknowledgements, heartbeats."""
        while True:
            try:
                # not wait_for(): it can swallow a cancellation
                async with asyncio.timeout(max(self._due_s(), LEAST_S)):
                    await self._chores.wait()
                await asyncio.sleep(ACKNOWLEDGE_AFTER_S)
            except TimeoutError:
                pass
            self._chores.clear()
            try:
                async with self._one_at_a_time:
                    if self.engine.restarted:
                        await self._greet_again()
                    elif self.engine.gap:
                        await self._replay()
                    await self._acknowledge()
                    await self._beat()
            except (LinkError, Refused):
                if self.lost is not None:
                    return
                self._fall_back()
                self._chores.set()  # the machine does not answer now; try again

    def _switch(self, baud: int) -> None:
        self._transport.set_baud(baud)
        self.baud = baud

    def _fall_back(self) -> None:
        """Nothing is heard: after a session's end the machine is at the rate of its beginning."""
        if self.baud != BAUD:
            self._switch(BAUD)
            self.engine.restarted = True

    def _on_bytes(self, data: bytes) -> None:
        for item in self.engine.receive(data):
            if isinstance(item, link_pb2.Event):
                for call in self.on_event:
                    call(item)
                self._chores.set()
                continue
            if item.HasField("status"):
                self.status = item.status
            elif item.beat.HasField("status"):
                self.status = item.beat.status
            if self._came_ahead is not None:
                self._came_ahead.put_nowait(item)
            elif self._answer and not self._answer.done():
                self._answer.set_result(item)
        if self.engine.gap or self.engine.restarted:
            self._chores.set()

    def _on_lost(self, why: str) -> None:
        if self.lost is not None:
            return
        self.lost = LinkError(f"the line is gone: {why}")
        if self._answer and not self._answer.done():
            self._answer.set_exception(self.lost)
        for call in self.on_lost:
            call(self.lost)

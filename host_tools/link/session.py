"""One controller on one line: a request at a time until it is answered, and the chores.

Uses nothing but the running loop and its time, so it runs on a virtual clock as on a real one.
"""

import asyncio
import os
from collections.abc import Callable

from google.protobuf.message import Message

from host_tools.link import link_pb2
from host_tools.link.engine import NONCE, VERSION, Engine
from host_tools.link.errors import LinkError, Refused
from host_tools.link.transport import Transport

ACKNOWLEDGE_AFTER_S = 0.1


class Session:
    """Requests go out, their answers come back; events are handed on in order and once."""

    def __init__(
        self, transport: Transport, nonce: bytes | None, timeout_s: float, tries: int
    ) -> None:
        self.engine = Engine(os.urandom(NONCE) if nonce is None else nonce)
        self.on_event: list[Callable[[link_pb2.Event], None]] = []
        self.on_lost: list[Callable[[LinkError], None]] = []
        self.lost: LinkError | None = None
        self._transport = transport
        self._timeout_s = timeout_s
        self._tries = tries
        self._one_at_a_time = asyncio.Lock()
        self._answer: asyncio.Future[link_pb2.Answer] | None = None
        self._chores = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._acknowledged = 0
        transport.on_bytes = self._on_bytes
        transport.on_lost = self._on_lost

    async def begin(self, old_events: bool) -> link_pb2.Identity:
        """Say hello and have the kept events sent, or acknowledge them unread."""
        async with self._one_at_a_time:
            identity = await self._hello()
            if not old_events:
                status = (await self._ask("status", link_pb2.GetStatus())).status
                self.engine.next_event = status.next_event
            await self._replay()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        return identity

    async def request(self, name: str, message: Message) -> link_pb2.Answer:
        """Any request by its name in Request; returns when the machine says DONE."""
        async with self._one_at_a_time:
            if self.engine.restarted:
                await self._greet_again()
            answer = await self._ask_heard(name, message)
            if answer.outcome == link_pb2.NO_SESSION and self.engine.boots is not None:
                await self._greet_again()
                raise LinkError(
                    f"{name}: the machine has restarted; its status tells what was done"
                )
        if answer.outcome != link_pb2.DONE:
            raise Refused(name, answer)
        return answer

    async def end(self) -> None:
        """Acknowledge what was handed on, and let the line go."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None
        try:
            async with self._one_at_a_time:
                await self._acknowledge()
        except LinkError:
            pass  # the machine keeps them for the next controller
        self._transport.close()
        self._on_lost("closed")

    async def _ask(self, name: str, message: Message) -> link_pb2.Answer:
        """One request until it is answered. The same id every time, so it is done once."""
        body = self.engine.request(name, message)
        answer = self._answer = asyncio.get_running_loop().create_future()
        try:
            for _ in range(self._tries):
                if self.lost is not None:
                    raise self.lost
                self._transport.write(self.engine.frame(body))
                await asyncio.wait([answer], timeout=self._timeout_s)
                if answer.done():
                    return answer.result()
        finally:
            self._answer = None
        raise LinkError(f"{name}: no answer to {self._tries} tries of {self._timeout_s:g} s")

    async def _ask_heard(self, name: str, message: Message) -> link_pb2.Answer:
        """The same; if the machine wants its events acknowledged first, that first."""
        answer = await self._ask(name, message)
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
        if answer.outcome != link_pb2.DONE:
            raise Refused("hello", answer)
        if answer.identity.version != VERSION:
            raise LinkError(f"hello: the machine speaks version {answer.identity.version}")
        return answer.identity

    async def _greet_again(self) -> None:
        await self._hello()
        await self._replay()

    async def _replay(self) -> None:
        await self._ask("replay", link_pb2.Replay(number=self.engine.next_event or 0))

    async def _acknowledge(self) -> None:
        number = (self.engine.next_event or 1) - 1
        if number not in (0, self._acknowledged):
            await self._ask("acknowledge", link_pb2.Acknowledge(number=number))
            self._acknowledged = number

    async def _keep(self) -> None:
        """Chores: hello after a restart, replay of what is missing, acknowledgements."""
        while True:
            await self._chores.wait()
            await asyncio.sleep(ACKNOWLEDGE_AFTER_S)
            self._chores.clear()
            try:
                async with self._one_at_a_time:
                    if self.engine.restarted:
                        await self._greet_again()
                    elif self.engine.gap:
                        await self._replay()
                    await self._acknowledge()
            except (LinkError, Refused):
                if self.lost is not None:
                    return
                self._chores.set()  # the machine does not answer now; try again

    def _on_bytes(self, data: bytes) -> None:
        for item in self.engine.receive(data):
            if isinstance(item, link_pb2.Event):
                for call in self.on_event:
                    call(item)
                self._chores.set()
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

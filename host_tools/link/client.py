"""The table controller's client: one coroutine a request, events in order and once.

Uses nothing but the running loop and its time, so it runs on a virtual clock as on a real one.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable

from google.protobuf.message import Message

from host_tools.link import link_pb2
from host_tools.link.engine import NONCE, VERSION, Engine
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.link.transport import Transport

ACKNOWLEDGE_AFTER_S = 0.1
MAX_WAITING = 10_000  # events that nobody waits for

Waiting = asyncio.Queue[link_pb2.Event | LinkError]


def kind_of(event: link_pb2.Event) -> str:
    """Which event it is: "ready", "stack", "fault" and so on."""
    return event.WhichOneof("body") or ""


class Client:
    """A controller on one line. Say hello() first; close() at the end."""

    def __init__(
        self,
        transport: Transport,
        *,
        nonce: bytes | None = None,
        timeout_s: float = 0.5,
        tries: int = 5,
    ) -> None:
        self.on_event: list[Callable[[link_pb2.Event], None]] = []  # called with every event
        self.engine = Engine(os.urandom(NONCE) if nonce is None else nonce)
        self._transport = transport
        self._timeout_s = timeout_s
        self._tries = tries
        self._one_at_a_time = asyncio.Lock()
        self._pending: asyncio.Future[link_pb2.Answer] | None = None
        self._inbox: Waiting = asyncio.Queue()
        self._readers: list[Waiting] = []
        self._chores = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._acknowledged = 0
        self._lost: LinkError | None = None
        transport.on_bytes = self._on_bytes
        transport.on_lost = self._on_lost

    # ---- requests; each raises Refused or LinkError

    async def hello(self, old_events: bool = True) -> link_pb2.Identity:
        """Begin. Events kept from before come too, or are acknowledged unread."""
        async with self._one_at_a_time:
            identity = await self._hello(old_events)
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        return identity

    async def status(self) -> link_pb2.Status:
        """How the machine stands."""
        return (await self.request("status", link_pb2.GetStatus())).status

    async def load(self, back: link_pb2.Back, new_deck: bool = False) -> None:
        """A deck of this back lies in the infeed."""
        await self.request("load", link_pb2.Load(back=back, new_deck=new_deck))

    async def shuffle(self, back: link_pb2.Back) -> None:
        """Begin to shuffle; "shuffle_done" and "ready" tell the end."""
        await self.request("shuffle", link_pb2.Shuffle(back=back))

    async def open_round(self, round: int, players: int) -> None:
        """A round with the deck in the shoe."""
        await self.request("open_round", link_pb2.OpenRound(round=round, players=players))

    async def no_more_bets(self, round: int) -> None:
        """Now stacks may be dealt."""
        await self.request("no_more_bets", link_pb2.NoMoreBets(round=round))

    async def deal(self, round: int, position: int, cards: int = 0) -> None:
        """One stack, of the profile's size if cards is 0; "stack" tells what was delivered."""
        await self.request("deal", link_pb2.Deal(round=round, position=position, cards=cards))

    async def remainder(self, round: int) -> None:
        """All the rest in one release; event "remainder" tells its count."""
        await self.request("remainder", link_pb2.Remainder(round=round))

    async def close_round(self, round: int) -> None:
        """The round is over."""
        await self.request("close_round", link_pb2.CloseRound(round=round))

    async def remove_deck(self, back: link_pb2.Back) -> None:
        """This deck is off the table for good."""
        await self.request("remove_deck", link_pb2.RemoveDeck(back=back))

    async def cleared(self) -> None:
        """The operator has taken every card out of the machine."""
        await self.request("cleared", link_pb2.Cleared())

    async def request(self, name: str, message: Message) -> link_pb2.Answer:
        """Any request by its name in Request; returns when the machine says DONE."""
        async with self._one_at_a_time:
            if self.engine.restarted:
                await self._hello()
            answer = await self._ask(name, message)
            if answer.outcome == link_pb2.NO_SESSION and self.engine.boots is not None:
                await self._hello()
                raise LinkError(
                    f"{name}: the machine has restarted; read the status to know what was done"
                )
        if answer.outcome != link_pb2.DONE:
            raise Refused(name, answer)
        return answer

    # ---- events

    async def wait_for(self, *kinds: str, timeout_s: float) -> link_pb2.Event:
        """The next event of these kinds. Others are passed over, but a fault raises Faulted."""
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    event = await self._take(self._inbox)
                    if kind_of(event) in kinds:
                        return event
                    if kind_of(event) == "fault":
                        raise Faulted(event)
        except TimeoutError:
            raise LinkError(f"no event {' or '.join(kinds)} within {timeout_s:g} s") from None

    def events(self) -> AsyncIterator[link_pb2.Event]:
        """Every event from this call on; independent of wait_for()."""
        mine: Waiting = asyncio.Queue()
        self._readers.append(mine)
        return self._each(mine)

    async def close(self) -> None:
        """Acknowledge what was handed on, and let the line go."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None
        if self._lost is None:
            try:
                async with self._one_at_a_time:
                    await self._acknowledge()
            except LinkError:
                pass  # the machine keeps them for the next controller
        self._transport.close()
        self._on_lost("closed")

    # ---- inside

    async def _take(self, queue: Waiting) -> link_pb2.Event:
        if self._lost is not None and queue.empty():
            raise self._lost
        event = await queue.get()
        if isinstance(event, LinkError):
            raise event
        return event

    async def _each(self, queue: Waiting) -> AsyncIterator[link_pb2.Event]:
        try:
            while True:
                yield await self._take(queue)
        finally:
            self._readers.remove(queue)

    async def _ask(self, name: str, message: Message) -> link_pb2.Answer:
        """One request until it is answered. The same id every time, so it is done once."""
        body = self.engine.request(name, message)
        future: asyncio.Future[link_pb2.Answer] = asyncio.get_running_loop().create_future()
        self._pending = future
        try:
            for _ in range(self._tries):
                if self._lost is not None:
                    raise self._lost
                self._transport.write(self.engine.frame(body))
                await asyncio.wait([future], timeout=self._timeout_s)
                if future.done():
                    return future.result()
        finally:
            self._pending = None
        raise LinkError(f"{name}: no answer to {self._tries} tries of {self._timeout_s:g} s")

    async def _hello(self, old_events: bool = True) -> link_pb2.Identity:
        answer = await self._ask("hello", self.engine.hello())
        if answer.outcome != link_pb2.DONE:
            raise Refused("hello", answer)
        if answer.identity.version != VERSION:
            raise LinkError(f"hello: the machine speaks version {answer.identity.version}")
        if not old_events:
            status = (await self._ask("status", link_pb2.GetStatus())).status
            self.engine.next_event = status.next_event
        await self._replay()
        return answer.identity

    async def _replay(self) -> None:
        number = self.engine.next_event or 0
        await self._ask("replay", link_pb2.Replay(number=number))

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
                        await self._hello()
                    elif self.engine.gap:
                        await self._replay()
                    await self._acknowledge()
            except (LinkError, Refused):
                if self._lost is not None:
                    return
                self._chores.set()  # the machine does not answer now; try again

    def _on_bytes(self, data: bytes) -> None:
        for item in self.engine.receive(data):
            if isinstance(item, link_pb2.Answer):
                if self._pending and not self._pending.done():
                    self._pending.set_result(item)
                continue
            for call in self.on_event:
                call(item)
            self._hand_on(item)
            self._chores.set()
        if self.engine.gap or self.engine.restarted:
            self._chores.set()

    def _hand_on(self, item: link_pb2.Event | LinkError) -> None:
        for queue in (self._inbox, *self._readers):
            if queue.qsize() >= MAX_WAITING:
                queue.get_nowait()
            queue.put_nowait(item)

    def _on_lost(self, why: str) -> None:
        if self._lost is None:
            self._lost = LinkError(f"the line is gone: {why}")
            self._hand_on(self._lost)
            if self._pending and not self._pending.done():
                self._pending.set_exception(self._lost)

"""The table controller's client: one coroutine a request, events in order and once."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from google.protobuf.message import Message

from host_tools.link import link_pb2
from host_tools.link.errors import Faulted, LinkError, Refused
from host_tools.link.keys import Keys
from host_tools.link.session import Session
from host_tools.link.transport import Transport

MAX_WAITING = 10_000  # events that nobody waits for

Waiting = asyncio.Queue[link_pb2.Event | LinkError]


def kind_of(event: link_pb2.Event) -> str:
    """Which event it is: "ready", "stack", "fault" and so on."""
    return event.WhichOneof("body") or ""


class Client:
    """A controller on one line. Say hello() first; close() at the end.

    keys: of the machine; without them there is no session, only identity, status and provisioning.
    provision: give the keys to a machine that has none.
    bench: speak to any image. Without it a session with, and keys for, a machine whose image is not
    a production image raise BenchImage: a bench image shows its keys at its prompt.
    nonce: what the nonces of its hellos are made from; only where runs must repeat it is given.
    Each request raises Refused when the machine says no, LinkError when it is not heard.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        keys: Keys | None = None,
        role: link_pb2.Role = link_pb2.ROLE_TABLE,
        provision: bool = False,
        bench: bool = False,
        nonce: bytes | None = None,
        timeout_s: float = 0.5,
        tries: int = 5,
    ) -> None:
        self._session = Session(transport, keys, role, nonce, timeout_s, tries, bench)
        self._session.on_event.append(self._hand_on)
        self._session.on_lost.append(self._hand_on)
        self._keys = keys if provision else None
        self._inbox: Waiting = asyncio.Queue()
        self._readers: list[Waiting] = []

    # ---- requests

    async def hello(self, old_events: bool = True) -> link_pb2.Identity:
        """Begin. Events kept from before come too, or are acknowledged unread."""
        try:
            return await self._session.begin(old_events)
        except Refused as no:
            if self._keys is None or no.rule != "KEYS":
                raise
        await self.provision(self._keys)
        return await self._session.begin(old_events)

    @property
    def role(self) -> link_pb2.Role:
        """Whose session this is, or will be."""
        return self._session.role

    @asynccontextmanager
    async def acting_as(self, role: link_pb2.Role) -> AsyncGenerator[None]:
        """Speak in a session of another role, then again in one of the role that it had."""
        before = self._session.role
        await self.become(role)
        try:
            yield
        finally:
            await self.become(before)

    async def become(self, role: link_pb2.Role) -> None:
        """Take the line over in a session of another role."""
        await self._session.change_role(role)

    async def status(self) -> link_pb2.Status:
        """Return how the machine stands."""
        return (await self.request("status", link_pb2.GetStatus())).status

    @property
    def key(self) -> bytes:
        """Of the session; it is secret."""
        return self._session.engine.key

    @property
    def state(self) -> link_pb2.Status | None:
        """The last status that was seen; the heartbeat keeps it fresh."""
        return self._session.status

    @property
    def lost(self) -> LinkError | None:
        """Why the line is gone for good, if it is."""
        return self._session.lost

    async def provision(self, keys: Keys) -> None:
        """Give these keys to a machine that has none, unless its image may show them."""
        await self._session.refuse_bench()
        message = link_pb2.Provision(
            table_key=keys.table,
            service_key=keys.service,
            audit_key=keys.audit,
            supervisor_key=keys.supervisor,
        )
        await self.request("provision", message)

    async def set_baud(self, baud: int) -> None:
        """Another rate for this session."""
        await self._session.set_baud(baud)

    async def load(
        self,
        back: link_pb2.Back,
        new_deck: bool = False,
        shuffled: bool = False,
        in_order: bool = False,
    ) -> None:
        """Declare the deck of this back that lies in the infeed.

        new_deck, shuffled: a supervisor says so. in_order: it was put in suit and sequence.
        """
        message = link_pb2.Load(back=back, new_deck=new_deck, shuffled=shuffled, sorted=in_order)
        await self.request("load", message)

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

    async def empty_out(self) -> None:
        """What lies in shoe or wheel of a stopped machine comes out; event "emptied"."""
        await self.request("empty_out", link_pb2.EmptyOut())

    async def draw_start(self, round: int) -> None:
        """Chance draws the starting position; event "start_drawn" tells it."""
        await self.request("draw_start", link_pb2.DrawStart(round=round))

    async def face_up(self, round: int, position: int) -> None:
        """A card of this position lay face up: one replaces it, a second voids the round."""
        await self.request("face_up", link_pb2.FaceUp(round=round, position=position))

    async def give_back(self) -> None:
        """The unplayed deck in the shoe comes out; event "remainder" of round 0."""
        await self.request("give_back", link_pb2.GiveBack())

    async def deliver(self) -> None:
        """The deck comes out as a single stack; event "whole_deck"."""
        await self.request("deliver", link_pb2.Deliver())

    async def void_round(
        self, round: int, reason: link_pb2.VoidReason = link_pb2.BY_DEALER
    ) -> None:
        """Declare all hands void; the remainder is still to be released."""
        await self.request("void_round", link_pb2.VoidRound(round=round, reason=reason))

    async def idle(self) -> None:
        """Say that nobody has played for a while: what is shuffled is shuffled again."""
        await self.request("idle", link_pb2.Idle())

    async def stub_counted(self, back: link_pb2.Back, cards: int) -> None:
        """The dealer has counted this deck by hand."""
        await self.request("stub_counted", link_pb2.StubCounted(back=back, cards=cards))

    async def out_of_service(self) -> None:
        """Nothing more is shuffled or dealt."""
        await self.request("out_of_service", link_pb2.OutOfService())

    async def in_service(self) -> None:
        """The machine looks whether it is empty; event "cleared" when it is."""
        await self.request("in_service", link_pb2.InService())

    async def request(self, name: str, message: Message) -> link_pb2.Answer:
        """Any request by its name in Request; returns when the machine says DONE."""
        return await self._session.request(name, message)

    async def read_ahead(self, name: str, messages: Sequence[Message]) -> list[link_pb2.Answer]:
        """Requests of one kind that order nothing, without a pause between them."""
        return await self._session.read_ahead(name, messages)

    async def recall(self, after: int) -> list[link_pb2.Event]:
        """What events have told since that record of the journal, also before a power cut."""
        events: list[link_pb2.Event] = []
        while True:
            said = (await self.request("recall", link_pb2.Recall(after=after))).recalled
            if said.HasField("event"):
                events.append(said.event)
            if said.last == said.newest:
                return events
            after = said.last

    # ---- events

    @property
    def on_event(self) -> list[Callable[[link_pb2.Event], None]]:
        """Functions to call with every event, as it comes."""
        return self._session.on_event

    @property
    def lost_events(self) -> list[tuple[int, int]]:
        """First and last numbers of events that the machine had no room to keep."""
        return self._session.engine.lost

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
        await self._session.end()

    async def leave(self) -> None:
        """The same, but the line stays open for another controller."""
        await self._session.end(close=False)

    async def _each(self, queue: Waiting) -> AsyncIterator[link_pb2.Event]:
        try:
            while True:
                yield await self._take(queue)
        finally:
            self._readers.remove(queue)

    async def _take(self, queue: Waiting) -> link_pb2.Event:
        if self._session.lost is not None and queue.empty():
            raise self._session.lost
        item = await queue.get()
        if isinstance(item, LinkError):
            raise item
        return item

    def _hand_on(self, item: link_pb2.Event | LinkError) -> None:
        for queue in (self._inbox, *self._readers):
            if queue.qsize() >= MAX_WAITING:
                queue.get_nowait()
            queue.put_nowait(item)


bench_client = partial(Client, bench=True)  # for rigs, measurements and tests: it takes any image

"""A flood: all that holders of every key can ask of a machine, to fill its journal without play.

Requests come from the schema, with fields that make sense just then: the round that is open or the
next one, either deck, a right number and a wrong one, the time and another. Beside them go wrong
tags. Nobody touches a card, a door or the power meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from random import Random

from google.protobuf.message import Message

from hil_tests.request_table import REQUESTS
from host_tools.journal.segments import Journal, find
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError, Refused
from host_tools.link.keys import ROLES, Keys
from host_tools.link.transport import Transport
from host_tools.rules.device import make_profile

NOON = 1_800_000_000
TAKES_OVER = 0.15  # one step in so many is a new session
PAIRED = 12  # a pair of requests is repeated so often, to find what goes round in a circle
BACKS = (link_pb2.RED, link_pb2.BLUE)
# No part of a session: hello is said by every change of role; provision is asked with the keys
# that the machine has, and with others.
UNTAGGED = ("hello", "provision")
READING = (  # these order nothing, as docs/protocol.md has it
    "status",
    "heartbeat",
    "set_baud",
    "acknowledge",
    "replay",
    "read_journal",
    "meters",
    "recall",
    "verify",
    "calibration",
    "read_sensors",
)
ASKED = tuple(
    field.name
    for field in link_pb2.Request.DESCRIPTOR.oneofs[0].fields
    if field.name not in UNTAGGED
)


def records(cells: bytes | bytearray) -> Counter[str]:
    """Return how many records of each kind lie on a flash."""
    return Counter(record.kind for record in Journal.of(find(bytes(cells))).records())


class Flood:
    """Somebody who holds every key of a machine, and a line to it."""

    def __init__(
        self, client: Client, line: Transport, keys: Keys, seed: int, without: Collection[str] = ()
    ) -> None:
        """without: requests that are not asked, for they would end the play that is flooded."""
        self.client, self.line, self.keys = client, line, keys
        self.random = Random(seed)
        self.names = [name for name in ASKED if name not in without]
        self.done: Counter[str] = Counter()  # by request
        self.times = 0
        self.last = 0  # the round that was opened last, as far as it is known

    # -- what is said ----------------------------------------------------------------------------

    def fields(self, name: str) -> Message:
        """Return a message of this request whose fields make sense now."""
        random, status = self.random, self.client.state or link_pb2.Status()
        back = random.choice(BACKS)
        number = self.last = max(self.last, status.last_round)
        self.times += 1
        makers: Mapping[str, Callable[[], Message]] = {
            "load": lambda: link_pb2.Load(
                back=back,
                new_deck=random.random() < 0.5,
                shuffled=random.random() < 0.2,
                sorted=random.random() < 0.2,
            ),
            "shuffle": lambda: link_pb2.Shuffle(back=back),
            "open_round": lambda: link_pb2.OpenRound(
                round=number + 1, players=random.choice((1, 2, 5))
            ),
            "no_more_bets": lambda: link_pb2.NoMoreBets(round=number),
            "deal": lambda: link_pb2.Deal(round=number, position=status.stacks + 1),
            "remainder": lambda: link_pb2.Remainder(round=number),
            "close_round": lambda: link_pb2.CloseRound(round=number),
            "draw_start": lambda: link_pb2.DrawStart(round=number),
            "face_up": lambda: link_pb2.FaceUp(round=number, position=1),
            "void_round": lambda: link_pb2.VoidRound(
                round=number, reason=random.choice((link_pb2.BY_DEALER, link_pb2.EXPOSED))
            ),
            "remove_deck": lambda: link_pb2.RemoveDeck(back=back),
            "stub_counted": lambda: link_pb2.StubCounted(back=back, cards=random.choice((52, 51))),
            "set_clock": lambda: link_pb2.SetClock(
                time=NOON + random.choice((0, 5000, self.times * 60))
            ),
            "acknowledge": lambda: link_pb2.Acknowledge(number=max(status.next_event - 1, 0)),
            "configure": lambda: link_pb2.Configure(
                profile=make_profile(self.keys.service, random.choice(("let_it_ride", "boston_5")))
            ),
            "jog": lambda: link_pb2.Jog(axis=random.choice(("pick", "wheel", "deal")), steps=5),
            "self_test": lambda: link_pb2.SelfTest(card=random.random() < 0.3),
        }
        maker = makers.get(name)
        return maker() if maker else REQUESTS[name]

    async def ask(self, name: str) -> None:
        """Ask it, whatever is answered; a session that has ended is begun again."""
        with suppress(Refused, LinkError):
            message = self.fields(name)
            await self.client.request(name, message)
            self.done[name] += 1
            if isinstance(message, link_pb2.OpenRound):
                self.last = message.round

    async def wrong_tags(self) -> None:
        """Say three orders with a tag of nobody."""
        body = link_pb2.Request(id=1, cleared=link_pb2.Cleared()).SerializeToString()
        for counter in range(3):
            self.line.write(frame.encode(frame.REQUEST, 1_000_000 + counter, body, bytes(32)))
        await asyncio.sleep(0.05)

    async def provide(self) -> None:
        """Offer the keys that the machine has, and others."""
        for keys in (self.keys, Keys(*(bytes([i + 1]) * 32 for i in range(len(ROLES))))):
            with suppress(Refused, LinkError):
                await self.client.provision(keys)

    async def become(self, role: link_pb2.Role) -> bool:
        """Take the line over in another role; say whether that was granted."""
        try:
            await self.client.become(role)
        except (Refused, LinkError):
            return False
        return True

    # -- for how long ----------------------------------------------------------------------------

    async def step(self) -> None:
        """Do one thing, or a pair of things over and over."""
        random = self.random
        if random.random() < TAKES_OVER:
            await self.become(random.choice(list(ROLES.values())))
            return
        if random.random() < 0.03:
            await self.wrong_tags()
            await self.provide()
            return
        orders = [name for name in self.done if name not in READING] or self.names
        among = random.choice((self.names, orders))  # what was done before is done again
        names = [random.choice(among) for _ in range(random.choice((1, 2, 3)))]
        for _ in range(PAIRED if len(names) > 1 else 1):
            for name in names:
                await self.ask(name)

    async def steps(self, count: int) -> None:
        """Do so many."""
        for _ in range(count):
            await self.step()

    async def on(self, until_s: float) -> None:
        """Go on as fast as the line allows."""
        loop = asyncio.get_running_loop()
        while loop.time() < until_s:
            await self.step()

"""Every request in every state of the machine: what is answered.

`python -m hil_tests.request_table` prints the two tables of docs/protocol.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from google.protobuf.message import Message

from hil_tests.bench import said
from host_tools import rigs
from host_tools.build.tell import ROOT
from host_tools.heard import Heard
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client, bench_client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from host_tools.link.transport import Transport
from host_tools.rules.device import make_profile
from sim.emulated.noise import stuck

PAGE = ROOT / "docs" / "protocol.md"
ROUND = 7
SEED = 3
LIMIT_S = 60.0
STACKS = 6  # five players and the dealer
GREETING = 1_000_000  # an id that no other request has
NONCE = b"another stranger"
OTHER_KEYS = link_pb2.Provision(
    table_key=b"x" * 32, service_key=b"y" * 32, audit_key=b"z" * 32, supervisor_key=b"w" * 32
)

# What is asked: sensible fields, for a round 7 that is open or not. The first word is the request.
REQUESTS: dict[str, Message] = {
    "hello": link_pb2.Hello(version=1, nonce=NONCE),
    "hello table": link_pb2.Hello(version=1, nonce=NONCE, role=link_pb2.ROLE_TABLE),
    "hello service": link_pb2.Hello(version=1, nonce=NONCE, role=link_pb2.ROLE_SERVICE),
    "hello audit": link_pb2.Hello(version=1, nonce=NONCE, role=link_pb2.ROLE_AUDIT),
    "hello supervisor": link_pb2.Hello(version=1, nonce=NONCE, role=link_pb2.ROLE_SUPERVISOR),
    "status": link_pb2.GetStatus(),
    "load": link_pb2.Load(back=link_pb2.RED),
    "shuffle": link_pb2.Shuffle(back=link_pb2.RED),
    "open_round": link_pb2.OpenRound(round=ROUND, players=5),
    "no_more_bets": link_pb2.NoMoreBets(round=ROUND),
    "deal": link_pb2.Deal(round=ROUND, position=2),
    "remainder": link_pb2.Remainder(round=ROUND),
    "close_round": link_pb2.CloseRound(round=ROUND),
    "acknowledge": link_pb2.Acknowledge(number=0),
    "replay": link_pb2.Replay(number=0),
    "remove_deck": link_pb2.RemoveDeck(back=link_pb2.RED),
    "cleared": link_pb2.Cleared(),
    "provision": OTHER_KEYS,
    "heartbeat": link_pb2.Heartbeat(digest=0),
    "set_baud": link_pb2.SetBaud(baud=115_200),
    "verify": link_pb2.Verify(challenge=bytes(32)),
    "read_journal": link_pb2.ReadJournal(),
    "meters": link_pb2.GetMeters(),
    "recall": link_pb2.Recall(),
    "set_clock": link_pb2.SetClock(time=1_800_000_000),
    "draw_start": link_pb2.DrawStart(round=ROUND),
    "face_up": link_pb2.FaceUp(round=ROUND, position=1),
    "give_back": link_pb2.GiveBack(),
    "deliver": link_pb2.Deliver(),
    "void_round": link_pb2.VoidRound(round=ROUND),
    "stub_counted": link_pb2.StubCounted(back=link_pb2.RED, cards=52),
    "out_of_service": link_pb2.OutOfService(),
    "in_service": link_pb2.InService(),
    "idle": link_pb2.Idle(),
    "empty_out": link_pb2.EmptyOut(),
    "self_test": link_pb2.SelfTest(),
    "jog": link_pb2.Jog(axis="wheel", steps=100),
    "calibrate": link_pb2.Calibrate(),
    "calibration": link_pb2.GetCalibration(),
    "read_sensors": link_pb2.ReadSensors(),
    "configure": link_pb2.Configure(profile=make_profile(of_seed(SEED).service, "boston_5")),
}
# These change nothing, so the next request finds the same state.
HARMLESS = (
    "hello",
    "hello table",
    "hello service",
    "hello audit",
    "hello supervisor",
    "status",
    "acknowledge",
    "replay",
    "heartbeat",
    "verify",
    "read_journal",
    "meters",
    "recall",
    "calibration",
    "read_sensors",
)


@dataclass
class Setting:
    """A machine and its controller, on the way into a state."""

    rig: rigs.Rig
    client: Client
    heard: Heard

    async def load(self) -> None:
        """A deck in the infeed, declared."""
        assert self.rig.dealer is not None
        await self.rig.dealer.load("red")
        await self.client.load(link_pb2.RED)

    async def ready(self) -> None:
        """A deck in the shoe."""
        await self.load()
        await self.client.shuffle(link_pb2.RED)
        await self.heard.wait("ready", 0, LIMIT_S)

    async def open(self) -> None:
        """Round 7."""
        await self.ready()
        await self.client.open_round(ROUND, 5)

    async def taken(self, positions: int) -> None:
        """So many stacks, each taken out of the tray."""
        assert self.rig.dealer is not None
        for position in range(1, positions + 1):
            await self.client.deal(ROUND, position)
            await self.heard.wait("stack", 0, LIMIT_S, position=position)
            await self.rig.dealer.take()
            await self.heard.wait("taken", 0, LIMIT_S, position=position)

    async def bet(self) -> None:
        """No more bets in round 7."""
        await self.open()
        await self.client.no_more_bets(ROUND)


async def _empty(s: Setting) -> None:
    assert s.rig.dealer is not None
    await s.rig.dealer.load("red")


async def _working(s: Setting) -> None:
    await s.load()
    await s.client.shuffle(link_pb2.RED)
    await asyncio.sleep(2.0)


async def _dealing(s: Setting) -> None:
    await s.bet()
    await s.client.deal(ROUND, 1)


async def _tray(s: Setting) -> None:
    await _dealing(s)
    await s.heard.wait("stack", 0, LIMIT_S)


async def _between(s: Setting) -> None:
    await s.bet()
    await s.taken(1)


async def _dealt(s: Setting) -> None:
    await s.bet()
    await s.taken(STACKS)


async def _released(s: Setting) -> None:
    await _dealt(s)
    await s.client.remainder(ROUND)
    await s.heard.wait("remainder", 0, LIMIT_S)
    assert s.rig.dealer is not None
    await s.rig.dealer.take()


async def _void(s: Setting) -> None:
    await _between(s)
    await s.client.void_round(ROUND)


async def _second_call(s: Setting) -> None:
    await s.bet()
    await s.taken(STACKS - 1)  # this game's dealer has none
    await s.client.no_more_bets(ROUND)


async def _third_call(s: Setting) -> None:
    await _second_call(s)
    await s.client.no_more_bets(ROUND)


async def _stopped(s: Setting) -> None:
    await s.bet()
    assert s.rig.hands is not None
    await s.rig.hands.switch("lid", False)
    await s.heard.wait("round_void", 0, LIMIT_S)
    await s.rig.hands.switch("lid", True)
    await asyncio.sleep(1.0)


async def _unavailable(s: Setting) -> None:
    assert s.rig.spoil is not None
    s.rig.spoil(stuck(1))
    await s.load()
    await s.client.shuffle(link_pb2.RED)
    await asyncio.sleep(5.0)


async def _out(s: Setting) -> None:
    await s.client.out_of_service()


async def _unheard(s: Setting) -> None:
    """Each move of an axis makes an event, and none of them is acknowledged any more."""
    s.client._session._acknowledge = _nothing  # pyright: ignore[reportPrivateUsage]
    async with s.client.acting_as(link_pb2.ROLE_SERVICE):
        with suppress(Refused):  # by UNHEARD, in the end
            while True:
                since = len(s.heard.events)
                await s.client.request("jog", link_pb2.Jog(axis="wheel", steps=5))
                await s.heard.wait("jogged", since, LIMIT_S)
    await _empty(s)


async def _nothing() -> None:
    """In place of an acknowledgement."""


async def _bench(s: Setting) -> None:
    """The wheel turns for 19 s."""
    await s.client.request("jog", link_pb2.Jog(axis="wheel", steps=1000, slow_us=19_000))


async def _as_it_is(s: Setting) -> None:
    """Nothing is done."""


@dataclass(frozen=True)
class Column:
    """A state: how to come there, and what the status says then."""

    reach: Callable[[Setting], Awaitable[None]]
    state: link_pb2.State
    phase: link_pb2.Phase = link_pb2.PHASE_CLOSED
    stacks: int = 0
    role: link_pb2.Role = link_pb2.ROLE_TABLE
    keys: bool = True
    game: str = "let_it_ride"
    asks: Mapping[str, Message] = field(default_factory=dict[str, Message])  # other fields here


DRAW: Mapping[str, Message] = {"deal": link_pb2.Deal(round=ROUND, position=2, cards=1)}
NO_ROUND: dict[str, Column] = {
    "no keys": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_NONE, keys=False),
    "no session": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_NONE),
    "idle": Column(_empty, link_pb2.IDLE),
    "unheard": Column(_unheard, link_pb2.IDLE),
    "working": Column(_working, link_pb2.WORKING),
    "ready": Column(Setting.ready, link_pb2.READY),
    "stopped": Column(_stopped, link_pb2.STOPPED, link_pb2.PHASE_VOID),
    "unavailable": Column(_unavailable, link_pb2.UNAVAILABLE),
    "out": Column(_out, link_pb2.OUT_OF_SERVICE),
    "service": Column(_as_it_is, link_pb2.SERVICE, role=link_pb2.ROLE_SERVICE),
    "trial": Column(Setting.ready, link_pb2.SERVICE, role=link_pb2.ROLE_SERVICE),
    "bench": Column(_bench, link_pb2.SERVICE, role=link_pb2.ROLE_SERVICE),
    "audit": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_AUDIT),
    "supervisor": Column(_empty, link_pb2.IDLE, role=link_pb2.ROLE_SUPERVISOR),
}
A_ROUND: dict[str, Column] = {
    "bets": Column(Setting.open, link_pb2.DEALING, link_pb2.PHASE_BETS),
    "no more": Column(Setting.bet, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "dealing": Column(_dealing, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "tray": Column(_tray, link_pb2.DEALING, link_pb2.PHASE_STACKS, 1),
    "between": Column(_between, link_pb2.DEALING, link_pb2.PHASE_STACKS, 1),
    "dealt": Column(_dealt, link_pb2.DEALING, link_pb2.PHASE_STACKS, STACKS),
    "second call": Column(
        _second_call, link_pb2.DEALING, link_pb2.PHASE_SECOND_CALL, 5, game="double_draw", asks=DRAW
    ),
    "third call": Column(
        _third_call, link_pb2.DEALING, link_pb2.PHASE_THIRD_CALL, 5, game="double_draw", asks=DRAW
    ),
    "released": Column(_released, link_pb2.IDLE, link_pb2.PHASE_RELEASED, STACKS),
    "void": Column(_void, link_pb2.DEALING, link_pb2.PHASE_VOID, 1),
}
COLUMNS: dict[str, Column] = NO_ROUND | A_ROUND


async def greet(line: Transport, hello: link_pb2.Hello) -> link_pb2.Answer:
    """What somebody else hears who says hello on this line, and then no more."""
    came: asyncio.Future[link_pb2.Answer] = asyncio.get_running_loop().create_future()
    receiver, hear = frame.Receiver(frame.REPORT), line.on_bytes

    def both(data: bytes) -> None:
        hear(data)
        for found in receiver.feed(data):
            answer = link_pb2.Report.FromString(found.body).answer
            if answer.id == GREETING and not came.done():
                came.set_result(answer)

    line.on_bytes = both
    request = link_pb2.Request(id=GREETING, hello=hello)
    line.write(frame.encode(frame.REQUEST, 1, request.SerializeToString()))
    async with asyncio.timeout(LIMIT_S):
        answer = await came
    line.on_bytes = hear
    if answer.outcome != link_pb2.DONE:
        raise Refused("hello", answer)
    return answer


def answers(column: Column, asked: list[str]) -> dict[str, str]:
    """What these requests get in this state, up to the first that may have changed it."""

    async def body(rig: rigs.Rig) -> dict[str, str]:
        if column.keys and not column.role:  # somebody gives it keys, and leaves
            first = rig.client(nonce=bytes(16))
            await first.hello()
            await first.leave()
            await asyncio.sleep(6.0)
        keys = rig.keys if column.role else None
        role = column.role or link_pb2.ROLE_TABLE
        if column.role not in (link_pb2.ROLE_NONE, link_pb2.ROLE_TABLE):
            giver = rig.client(nonce=bytes(16))
            await giver.hello()
            await giver.leave()
            await asyncio.sleep(6.0)
        client = bench_client(rig.transport, keys=keys, role=role, provision=True, nonce=b"x" * 16)
        heard = Heard(client)
        if column.role:
            await client.hello()
        await column.reach(Setting(rig, client, heard))
        found: dict[str, str] = {}
        there = (column.state, column.phase, column.stacks)
        if column.keys:
            status = await client.status()
            assert (status.state, status.phase, status.stacks) == there
            assert status.last_round == (0 if column.phase == link_pb2.PHASE_CLOSED else ROUND)
        for name in asked:
            message = column.asks.get(name, REQUESTS[name])
            try:
                if isinstance(message, link_pb2.Hello):
                    await greet(rig.transport, message)
                else:
                    await client.request(name, message)
                found[name] = "DONE"
            except Refused as no:
                found[name] = said(no)
            if found[name] == "DONE" and name not in HARMLESS:
                break
        else:
            if column.keys:
                status = await client.status()  # what passes by itself has not passed meanwhile
                assert (status.state, status.phase, status.stacks) == there
        await heard.close()
        await client.close()
        return found

    return rigs.in_process(rigs.Wanted(seed=SEED, setup=rigs.Setup(column.game)), body)


def all_of(column: Column, asked: list[str]) -> dict[str, str]:
    """What each of these gets in this state."""
    found: dict[str, str] = {}
    while len(found) < len(asked):
        found |= answers(column, [request for request in asked if request not in found])
    return found


def column(name: str) -> dict[str, str]:
    """Every request's answer in one state."""
    return all_of(COLUMNS[name], list(REQUESTS))


def table(names: Mapping[str, Column]) -> str:
    """These columns, as docs/protocol.md has them."""
    columns = {name: column(name) for name in names}
    head = f"| | {' | '.join(names)} |\n|{' --- |' * (len(names) + 1)}\n"
    rows = [
        f"| {label(request)} | {' | '.join(columns[name][request] for name in names)} |"
        for request in REQUESTS
    ]
    return head + "\n".join(rows) + "\n"


def on_the_page() -> dict[str, dict[str, str]]:
    """Read both tables of the page: by state, what each request is answered."""
    page = PAGE.read_text(encoding="utf-8").split("**In every state.**", 1)[1]
    found: dict[str, dict[str, str]] = {}
    for part in page.split("\n\n| | ")[1:]:
        found |= by_state(part.split("\n\n", 1)[0])
    return found


def by_state(table: str) -> dict[str, dict[str, str]]:
    """Read one table of the page."""
    head, _, *lines = table.splitlines()
    names = [name.strip() for name in head.strip(" |").split("|")]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    requests = {label(request): request for request in REQUESTS}
    return {name: {requests[row[0]]: row[1 + at] for row in found} for at, name in enumerate(names)}


def label(request: str) -> str:
    """A row's head: the request, and the role that it asks for."""
    name, _, role = request.partition(" ")
    return f"`{name}` {role}".rstrip()


if __name__ == "__main__":
    print(table(NO_ROUND), table(A_ROUND), sep="\n", end="")

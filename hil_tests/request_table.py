"""Every request in every state of the machine: what is answered.

`python -m hil_tests.request_table` prints the table of docs/protocol.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from google.protobuf.message import Message

from host_tools import rigs
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.link.keys import of_seed
from host_tools.rules.device import make_profile
from sim.emulated.noise import stuck

ROUND = 7
SEED = 3
LIMIT_S = 60.0
OTHER_KEYS = link_pb2.Provision(table_key=b"x" * 32, service_key=b"y" * 32, audit_key=b"z" * 32)

# What is asked: sensible fields, for a round 7 that is open or not.
REQUESTS: dict[str, Message] = {
    "hello": link_pb2.Hello(version=1, nonce=bytes(16)),
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
    await _tray(s)
    assert s.rig.dealer is not None
    await s.rig.dealer.take()
    await s.heard.wait("taken", 0, LIMIT_S)


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


async def _as_it_is(s: Setting) -> None:
    """Nothing is done."""


@dataclass(frozen=True)
class Column:
    """A state: how to come there, and what the status says then."""

    reach: Callable[[Setting], Awaitable[None]]
    state: link_pb2.State
    phase: link_pb2.Phase = link_pb2.PHASE_CLOSED
    role: link_pb2.Role = link_pb2.ROLE_TABLE
    keys: bool = True


COLUMNS: dict[str, Column] = {
    "no keys": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_NONE, keys=False),
    "no session": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_NONE),
    "idle": Column(_empty, link_pb2.IDLE),
    "working": Column(_working, link_pb2.WORKING),
    "ready": Column(Setting.ready, link_pb2.READY),
    "bets": Column(Setting.open, link_pb2.DEALING, link_pb2.PHASE_BETS),
    "no more": Column(Setting.bet, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "dealing": Column(_dealing, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "tray": Column(_tray, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "between": Column(_between, link_pb2.DEALING, link_pb2.PHASE_STACKS),
    "stopped": Column(_stopped, link_pb2.STOPPED, link_pb2.PHASE_VOID),
    "unavailable": Column(_unavailable, link_pb2.UNAVAILABLE),
    "out": Column(_out, link_pb2.OUT_OF_SERVICE),
    "service": Column(_as_it_is, link_pb2.SERVICE, role=link_pb2.ROLE_SERVICE),
    "trial": Column(Setting.ready, link_pb2.SERVICE, role=link_pb2.ROLE_SERVICE),
    "audit": Column(_as_it_is, link_pb2.IDLE, role=link_pb2.ROLE_AUDIT),
}


def said(no: Refused) -> str:
    """A refusal as the table has it."""
    return no.rule or link_pb2.Outcome.Name(no.outcome)


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
        if column.role in (link_pb2.ROLE_SERVICE, link_pb2.ROLE_AUDIT):
            giver = rig.client(nonce=bytes(16))
            await giver.hello()
            await giver.leave()
            await asyncio.sleep(6.0)
        client = Client(rig.transport, keys=keys, role=role, provision=True, nonce=b"x" * 16)
        heard = Heard(client)
        if column.role:
            await client.hello()
        await column.reach(Setting(rig, client, heard))
        found: dict[str, str] = {}
        if column.keys:
            status = await client.status()
            assert (status.state, status.phase) == (column.state, column.phase)
            assert status.last_round == (0 if column.phase == link_pb2.PHASE_CLOSED else ROUND)
        for name in asked:
            try:
                await client.request(name, REQUESTS[name])
                found[name] = "DONE"
            except Refused as no:
                found[name] = said(no)
            if found[name] == "DONE" and name not in HARMLESS:
                break
        await heard.close()
        await client.close()
        return found

    return rigs.in_process(rigs.Wanted(seed=SEED), body)


def column(name: str) -> dict[str, str]:
    """Every request's answer in one state."""
    found: dict[str, str] = {}
    while len(found) < len(REQUESTS):
        rest = [request for request in REQUESTS if request not in found]
        found |= answers(COLUMNS[name], rest)
    return found


def table() -> str:
    """All of it, as docs/protocol.md has it."""
    columns = {name: column(name) for name in COLUMNS}
    head = f"| | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 1)}\n"
    rows = [
        f"| `{request}` | {' | '.join(columns[name][request] for name in COLUMNS)} |"
        for request in REQUESTS
    ]
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(table(), end="")

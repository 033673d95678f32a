"""How soon requests of every kind are answered while decks are shuffled and dealt: emulated board.

In an authenticated session at 115,200 baud, in the board's own time. Nothing here judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from google.protobuf.message import DecodeError, Message

from hil_tests.step_trace import Trace
from host_tools.heard import Heard
from host_tools.link import frame, link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import Refused
from host_tools.link.transport import BAUD
from host_tools.measure_motion import PLAYERS, Rig, shuffle, stack
from sim.emulated.board import EmulatedBoard
from sim.line import wire_ns

PAUSE_S = 0.02  # at most, between an answer and the next request
SEED = 5
APART_S = 0.03  # what somebody else is answered has left by then
NO_ROUND = 0xFFFFFFFF
RIVAL = 1_000_000_000  # ids of what somebody else says
CLOCK_S = 1_800_000_000

# What is asked at any time of play without changing what is played: read, refused or done twice.
ALWAYS: list[tuple[str, Message]] = [
    ("status", link_pb2.GetStatus()),
    ("heartbeat", link_pb2.Heartbeat(digest=1)),
    ("acknowledge", link_pb2.Acknowledge(number=1)),
    ("acknowledge", link_pb2.Acknowledge(number=NO_ROUND)),
    ("replay", link_pb2.Replay(number=NO_ROUND)),
    ("hello", link_pb2.Hello(version=1, nonce=bytes(16))),
    ("provision", link_pb2.Provision(table_key=b"x" * 32)),
    ("set_baud", link_pb2.SetBaud(baud=BAUD)),
    ("set_baud", link_pb2.SetBaud(baud=1)),
    ("load", link_pb2.Load(back=link_pb2.RED)),
    ("shuffle", link_pb2.Shuffle(back=link_pb2.RED)),
    ("open_round", link_pb2.OpenRound(round=1, players=99)),
    ("no_more_bets", link_pb2.NoMoreBets(round=NO_ROUND)),
    ("deal", link_pb2.Deal(round=NO_ROUND, position=NO_ROUND, cards=NO_ROUND)),
    ("remainder", link_pb2.Remainder(round=NO_ROUND)),
    ("close_round", link_pb2.CloseRound(round=NO_ROUND)),
    ("draw_start", link_pb2.DrawStart(round=NO_ROUND)),
    ("face_up", link_pb2.FaceUp(round=NO_ROUND)),
    ("deliver", link_pb2.Deliver()),
    ("void_round", link_pb2.VoidRound(round=NO_ROUND)),
    ("stub_counted", link_pb2.StubCounted(back=link_pb2.BACK_NONE)),
    ("remove_deck", link_pb2.RemoveDeck(back=link_pb2.RED)),
    ("cleared", link_pb2.Cleared()),
    ("in_service", link_pb2.InService()),
    ("empty_out", link_pb2.EmptyOut()),
    ("set_clock", link_pb2.SetClock(time=1)),
    ("verify", link_pb2.Verify(challenge=bytes(32))),
    ("read_journal", link_pb2.ReadJournal()),
    ("recall", link_pb2.Recall()),
    ("meters", link_pb2.GetMeters()),
    ("self_test", link_pb2.SelfTest()),
    ("jog", link_pb2.Jog(axis="wheel", steps=100)),
    ("calibrate", link_pb2.Calibrate()),
    ("calibration", link_pb2.GetCalibration()),
    ("read_sensors", link_pb2.ReadSensors()),
    ("configure", link_pb2.Configure(profile=bytes(100))),
]
# What the journal is told, when it is done.
RECORDED = ("load", "open_round", "no_more_bets", "close_round", "set_clock", "stub_counted")
# These would be done at another time.
WHILE_SHUFFLED: list[tuple[str, Message]] = [
    ("give_back", link_pb2.GiveBack()),
    ("out_of_service", link_pb2.OutOfService()),
]
WHILE_DEALT: list[tuple[str, Message]] = [
    ("give_back", link_pb2.GiveBack()),
    ("stub_counted", link_pb2.StubCounted(back=link_pb2.RED, cards=52)),
    ("open_round", link_pb2.OpenRound(round=2, players=PLAYERS)),
]


@dataclass
class Sent:
    """A request on its way."""

    name: str
    arrived_ns: int  # its last byte, at the machine


@dataclass
class Took:
    """From a request's last byte to its answer's last, less the answer's own time on the wire."""

    name: str
    ms: float
    line_ms: float  # of that, the wire carried other frames of the machine
    outcome: int

    @property
    def beyond_ms(self) -> float:
        """Beside the time on the wire."""
        return self.ms - self.line_ms

    @property
    def recorded(self) -> bool:
        """Whether it was told when its record was on flash; none is written while a card moves."""
        return self.outcome == link_pb2.DONE and self.name in RECORDED


class Watch:
    """The line as a transport, which notes of every request when it was answered."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.took: list[Took] = []
        self.on_bytes: Callable[[bytes], None] = lambda data: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._line = board.line
        self._now_ns = board.now_ns
        self._line.on_bytes = self._heard
        self._free_ns = 0  # when all that was written has arrived
        self._sent: dict[int, Sent] = {}
        self._heard_at: list[int] = []  # every byte since the last frame began
        self._said = frame.Receiver(frame.REQUEST)
        self._told = frame.Receiver(frame.REPORT)
        self._bytes = 0  # of the machine, since it was asked

    def write(self, data: bytes) -> None:
        """The controller's, and whoever else writes."""
        self._free_ns = max(self._now_ns(), self._free_ns) + wire_ns(len(data), BAUD)
        for found in self._said.feed(data):
            with suppress(DecodeError):
                request = link_pb2.Request.FromString(found.body)
                name = request.WhichOneof("body")
                if name:
                    self._sent.setdefault(request.id, Sent(name, self._free_ns))
                    self._bytes = 0
        self._line.write(data)

    def set_baud(self, baud: int) -> None:
        """The controller's."""
        self._line.set_baud(baud)

    def close(self) -> None:
        """The controller's."""
        self._line.close()

    def _heard(self, data: bytes) -> None:
        self._bytes += len(data)
        for found in self._told.feed(data):
            report = link_pb2.Report.FromString(found.body)
            sent = self._sent.pop(report.answer.id, None) if report.HasField("answer") else None
            if sent is not None:
                own = len(frame.encode(frame.REPORT, found.counter, found.body)) + len(found.tag)
                ns = self._now_ns() - sent.arrived_ns - wire_ns(own, BAUD)
                other = wire_ns(max(self._bytes - own, 0), BAUD)
                self.took.append(Took(sent.name, ns / 1e6, other / 1e6, report.answer.outcome))
        self.on_bytes(data)


@dataclass
class Played:
    """What came of a shuffle, and of a deal beside the other deck's shuffle."""

    shuffled: list[Took] = field(default_factory=list[Took])
    dealt: list[Took] = field(default_factory=list[Took])
    late: int = 0
    moves: int = 0
    # Of each part: the axes whose step pins had no pulse meanwhile.
    still_in_shuffle: list[str] = field(default_factory=list[str])
    still_in_deal: list[str] = field(default_factory=list[str])


class Mix:
    """Somebody who asks everything, in any order; others may spoil the line meanwhile."""

    def __init__(self, client: Client, watch: Watch, spoilt: bool) -> None:
        self._client = client
        self._watch = watch
        self._spoilt = spoilt
        self._random = Random(SEED)
        self._rival = RIVAL

    async def ask(self, kinds: list[tuple[str, Message]]) -> None:
        """For ever."""
        random = self._random
        while True:
            order = list(kinds)
            random.shuffle(order)
            for name, message in order:
                way = random.randrange(4) if self._spoilt else -1
                if way == 0:
                    self._noise()
                elif way == 1:
                    self._strange()
                    await asyncio.sleep(random.uniform(APART_S, APART_S + PAUSE_S))
                with suppress(Refused):
                    await self._client.request(name, message)
                await asyncio.sleep(random.uniform(0, PAUSE_S))

    def _noise(self) -> None:
        """Bytes that are no frame, or a bent one."""
        bad = self._random.randbytes(self._random.randrange(60))
        bent = bytearray(frame.encode(frame.REQUEST, 1, bad))
        bent[self._random.randrange(1, len(bent) - 1)] ^= 1
        self._watch.write(self._random.choice((bad + b"\0", bytes(bent))))

    def _strange(self) -> None:
        """What is no request; somebody without a session; somebody who asks for one."""
        self._rival += 1
        nonce = self._random.randbytes(16)
        hello = link_pb2.Hello(version=1, nonce=nonce, role=link_pb2.ROLE_TABLE)
        deal = link_pb2.Deal(round=1, position=1)
        body = self._random.choice(
            (
                self._random.randbytes(20),
                link_pb2.Request(id=self._rival, deal=deal).SerializeToString(),
                link_pb2.Request(id=self._rival, hello=hello).SerializeToString(),
            )
        )
        self._watch.write(frame.encode(frame.REQUEST, 1, body))


async def _beside(work: Any, mix: Any) -> None:
    """The mix is asked as long as the work takes."""
    asked = asyncio.create_task(mix)
    try:
        await work
    finally:
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)


def still(trace: Trace) -> list[str]:
    """The axes that have made no step."""
    return [name for name, at in trace.at.items() if not at]


def play(seed: int = 1, spoilt: bool = False) -> Played:
    """One deck is shuffled, then dealt to five players while the other is shuffled.

    spoilt: strangers say something on the same line, and noise comes in between.
    """
    rig = Rig(seed=seed)
    found = Played()
    watch = Watch(rig.board)
    rig.rig.transport = watch

    async def story(client: Client, heard: Heard) -> None:
        mix = Mix(client, watch, spoilt)
        watch.took.clear()
        rig.trace.clear()
        rig.hands.load("red")
        await client.load(link_pb2.RED)
        await client.shuffle(link_pb2.RED)
        await _beside(heard.wait("shuffle_done", 0, 60), mix.ask(ALWAYS + WHILE_SHUFFLED))
        await _beside(heard.wait("ready", 0, 60), mix.ask(ALWAYS))
        found.shuffled = list(watch.took)
        found.still_in_shuffle = still(rig.trace)
        watch.took.clear()
        rig.trace.clear()  # no search for the wheel's home from here on
        await client.open_round(1, PLAYERS)
        await client.no_more_bets(1)
        other = asyncio.create_task(
            shuffle(rig, client, heard, link_pb2.BLUE, until="shuffle_done")
        )

        async def deal() -> None:
            for n in range(1, PLAYERS + 2):
                await stack(rig, client, heard, 1, n)
            await other

        await _beside(deal(), mix.ask(ALWAYS + WHILE_DEALT))
        found.dealt = list(watch.took)
        found.still_in_deal = still(rig.trace)
        since = len(heard.events)
        await client.remainder(1)
        await heard.wait("ready", since, 60)  # the other deck, in the shoe that is free then

    rig.live(story)
    found.late, found.moves = rig.trace.late()
    return found

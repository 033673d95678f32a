"""Measurements of the machine at work on the emulated board. Nothing here judges."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import cast

from boards import mechanics
from boards.shuffler_rp2040 import board as pins
from hil_tests.step_trace import Trace
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.heard import Heard
from host_tools.link import link_pb2
from host_tools.link.client import Client
from host_tools.link.errors import LinkError
from sim import bound
from sim import hands as machine_hands
from sim.emulated.board import EmulatedBoard
from sim.emulated.heap import Heap
from sim.emulated.raw import RawPrompt
from sim.emulated.wiring import Board
from sim.loop import run
from sim.machine import Machine

CARDS = 52
ROLLERS = ("pick", "feed", "eject", "deal")
LINE_BYTES = 256  # so many bytes wait to be sent: the line is never idle
PLAYERS = 5
HAND_S = 0.5  # a person's
FIRST_S = (0.04, 0.06, 0.09, 0.12)  # after the order: the first card comes and noise is read


class Rig:
    """A powered board with a machine, hands, a controller, and a trace of the step pins."""

    def __init__(self, variant: str = "production", seed: int = 1) -> None:
        self.board = EmulatedBoard(rigs.image_path(variant), cast(Board, pins), seed)
        self.machine = Machine(self.board, seed)
        self.board.wire(self.machine)
        self.hands = machine_hands.Hands(self.machine, ("red", "blue"), CARDS)
        dealer = SimulatedHands(self.hands, seed)
        line = self.board.line
        self.rig = rigs.Rig("emulated", line, dealer, dealer, self.machine, self.board.now_ns)
        self.trace = Trace(self.board)
        self.heap = Heap(self.board)

    def live(self, story: Callable[[Client, Heard], Awaitable[None]]) -> None:
        """Power on, and play this."""

        async def body() -> None:
            client = self.rig.client(nonce=bytes(16))
            heard = Heard(client)
            for _ in range(20):
                with suppress(LinkError):
                    await client.hello()
                    break
            try:
                await story(client, heard)
            finally:
                await heard.close()
                await client.close()

        self.board.power_on()
        run(self.board, body())

    def now_ms(self) -> float:
        """The machine's time."""
        return self.board.now_ns() / 1e6


@dataclass
class Shuffled:
    """One shuffle, from the order until the controller has heard that the deck is ready."""

    took_s: float
    bound_s: float
    slots: list[int]

    @property
    def ratio(self) -> float:
        """How much longer than the mechanics alone would take."""
        return self.took_s / self.bound_s


async def shuffle(
    rig: Rig, client: Client, heard: Heard, back: link_pb2.Back, until: str = "ready"
) -> Shuffled:
    """Load and order it, the wheel standing where it stands."""
    since = len(heard.events)
    rig.hands.load("red" if back == link_pb2.RED else "blue")
    await client.load(back)
    wheel = rig.machine.wheel
    wheel.seated.clear()
    start = round(wheel.angle() / mechanics.SLOT_STEPS) % mechanics.SLOTS
    began = rig.now_ms()
    await client.shuffle(back)
    await heard.wait(until, since, 60)
    took = (rig.now_ms() - began) / 1000
    return Shuffled(took, bound.shuffle_s(start, wheel.seated), list(wheel.seated))


async def stack(rig: Rig, client: Client, heard: Heard, number: int, position: int) -> float:
    """From the order to "ready to take", in ms; then it is taken."""
    since = len(heard.events)
    began = rig.now_ms()
    await client.deal(number, position)
    await heard.wait("stack", since, 30, position=position)
    took = rig.now_ms() - began
    await asyncio.sleep(HAND_S)
    rig.hands.take()
    await heard.wait("taken", since, 30, position=position)
    return took


async def load_of_the_line(rig: Rig, client: Client, seen: list[int]) -> None:
    """For ever: the line is full, and every answer tells the free heap."""
    random = Random(1)
    line = rig.board.line
    while True:
        await asyncio.sleep(0.001)
        while line.waiting() < LINE_BYTES:
            line.write(random.randbytes(40).replace(b"\0", b"\1") + b"\0")
        with suppress(LinkError):
            seen.append((await client.status()).free_heap)


def quiet(seed: int) -> tuple[Shuffled, Shuffled, float]:
    """The first shuffle after power-on, the second, and the slowest stack of three between them."""
    rig = Rig(seed=seed)
    shuffles: list[Shuffled] = []
    stacks: list[float] = []

    async def story(client: Client, heard: Heard) -> None:
        shuffles.append(await shuffle(rig, client, heard, link_pb2.RED))
        await client.open_round(1, 2)
        await client.no_more_bets(1)
        stacks.extend([await stack(rig, client, heard, 1, n) for n in (1, 2, 3)])
        since = len(heard.events)
        await client.remainder(1)
        await heard.wait("remainder", since, 60)
        await asyncio.sleep(HAND_S)
        rig.hands.take()
        await client.close_round(1)
        shuffles.append(await shuffle(rig, client, heard, link_pb2.BLUE))

    rig.live(story)
    return shuffles[0], shuffles[1], max(stacks)


@dataclass
class Busy:
    """What was seen while the line was full, both lanes worked and the journal was written.

    heap: the least from power-on to the end, also just before a collection.
    """

    late: int
    moves: int
    heap: int
    stack_ms: float
    deck_s: float


def busy() -> Busy:
    """One deck is shuffled while the other is dealt, the link and the journal at their worst."""
    rig = Rig()
    asked: list[int] = []
    stacks: list[float] = []
    took: list[float] = []

    async def story(client: Client, heard: Heard) -> None:
        await shuffle(rig, client, heard, link_pb2.RED)
        await client.open_round(1, PLAYERS)
        await client.no_more_bets(1)
        rig.trace.clear()
        load = asyncio.create_task(load_of_the_line(rig, client, asked))
        other = asyncio.create_task(
            shuffle(rig, client, heard, link_pb2.BLUE, until="shuffle_done")
        )
        try:
            await asyncio.sleep(1.0)
            for n in range(1, PLAYERS + 2):  # and the dealer; each stack writes two records
                stacks.append(await stack(rig, client, heard, 1, n))
            took.append((await other).took_s)
        finally:
            load.cancel()
            await asyncio.gather(load, return_exceptions=True)

    rig.live(story)
    late, moves = rig.trace.late()
    return Busy(late, moves, min(rig.heap.least, *asked), max(stacks), took[0])


def lid_ms() -> tuple[float, float, float, float]:
    """From a lid that opens to the last pulse: rollers, wheel; the worst of moments at speed.

    Then the same while noise is read, the wheel looks for its home and the first card comes.
    """
    rig = Rig()
    rollers: list[float] = []
    wheel: list[float] = []

    def fast(name: str) -> bool:
        at, board = rig.trace.at[name], rig.board
        period_us = 1_000_000 / mechanics.AXES[name][0]
        return len(at) > 1 and (
            at[-1] - at[-2] < 1.05 * period_us * 16_000
            and board.now_ns() - at[-1] // 16 < 10 * period_us * 1000
        )

    async def open_at(client: Client, heard: Heard, name: str) -> None:
        """The lid opens when this axis is at full speed; then all is cleared."""
        while not fast(name):
            await asyncio.sleep(0.001)
        await open_now(client, heard)

    async def open_now(client: Client, heard: Heard) -> None:
        opened = rig.board.now_ns()
        rig.hands.switch("lid", False)
        await asyncio.sleep(1.0)
        rollers.append(max(rig.trace.last_ns(axis) - opened for axis in ROLLERS) / 1e6)
        wheel.append((rig.trace.last_ns("wheel") - opened) / 1e6)
        rig.hands.clear()
        rig.hands.switch("lid", True)
        since = len(heard.events)
        await client.cleared()
        await heard.wait("cleared", since, 60)

    async def story(client: Client, heard: Heard) -> None:
        for name in ("feed", "wheel", "pick"):
            rig.hands.load("red")
            await client.load(link_pb2.RED)
            await client.shuffle(link_pb2.RED)
            await asyncio.sleep(2.0)
            await open_at(client, heard, name)
        await shuffle(rig, client, heard, link_pb2.RED, until="shuffle_done")
        await open_at(client, heard, "eject")
        for wait_s in FIRST_S:
            rig.hands.load("red")
            await client.load(link_pb2.RED)
            await client.shuffle(link_pb2.RED)
            await asyncio.sleep(wait_s)
            await open_now(client, heard)

    rig.live(story)
    at_speed = len(rollers) - len(FIRST_S)
    return (
        max(rollers[:at_speed]),
        max(wheel[:at_speed]),
        max(rollers[at_speed:]),
        max(wheel[at_speed:]),
    )


STOP_AND_GO = """
import asyncio, time, board, mechanics as m
from dovetail.hal.rp2 import Hal
from dovetail.sensors import Sensors
from dovetail.stations.feeder import Feeder
from dovetail.stations.wheel import Wheel
from dovetail.stations.ejector import Ejector
hal = Hal(board, m)
feeder, wheel, ejector = Feeder(hal, Sensors(hal)), Wheel(hal), Ejector(hal)
steps = feeder.windows.steps(m.SEATED_UM + 4000)
async def play():
    began = time.ticks_ms()
    hal.enable(1)
    await wheel.home()
    for slot in {slots}:
        await wheel.turn_to(slot)
        feeder.count.reset()
        feeder.pick.go(feeder.pick_steps)
        feeder.feed.go(steps)
        await feeder.rest()
        assert feeder.count.n == 2
    for slot in range({cards}):
        await wheel.turn_to((slot - m.EXIT_SLOTS) % m.SLOTS)
        await ejector.out_card()
    print(time.ticks_diff(time.ticks_ms(), began))
asyncio.run(play())
"""


def stop_and_go_s(slots: list[int]) -> float:
    """The same cards to the same slots, one move after the other, on the same machine."""
    rig = Rig("bench")
    rig.board.power_on()
    prompt = RawPrompt(rig.board)
    rig.hands.load("red")
    source = STOP_AND_GO.format(slots=slots, cards=len(slots))
    took = int(prompt.run(source, limit_ns=60_000_000_000).splitlines()[-1]) / 1000
    assert len(rig.machine.cards()["shoe"]) == len(slots)
    return took

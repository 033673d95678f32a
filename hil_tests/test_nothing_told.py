"""EL-1: two runs that differ in nothing but their noise look the same from outside, times apart."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dovetail.motion.axis import Axis  # pyright: ignore[reportUnknownVariableType]
from google.protobuf.message import Message

from boards import mechanics as M
from hil_tests.bench import Bench
from host_tools import rigs
from host_tools.hands import SimulatedHands
from host_tools.link import frame, link_pb2
from sim.emulated.noise import good
from sim.inprocess import InProcess
from sim.loop import run

TIMES = {"uptime_ms", "took_ms"}  # how far the wheel had to turn takes time
LOOK_S = 0.01
HEARD_US = 1000  # 48 samples of any recording


@dataclass
class Seen:
    """All that leaves a machine, and the order of its cards."""

    said: list[str] = field(default_factory=list[str])
    lamps: list[dict[str, bool]] = field(default_factory=list[dict[str, bool]])
    order: list[int] = field(default_factory=list[int])


def without_times(message: Message) -> Message:
    """The same message with every time set to zero."""
    for part, value in message.ListFields():
        if part.name in TIMES:
            message.ClearField(part.name)
        elif part.type == part.TYPE_MESSAGE:
            for one in value if part.is_repeated else [value]:
                without_times(one)
    return message


def one_round(noise_seed: int) -> Seen:
    """Shuffle, play a round, put the stub away."""
    whole = InProcess(1)
    whole.hal.noise.use(good(noise_seed))
    hands = SimulatedHands(whole.hands, 1)
    line = whole.transport
    rig = rigs.Rig("in-process", line, hands, hands, whole.machine, whole.world.now_ns)
    seen = Seen()
    came = bytearray()

    async def look() -> None:
        while True:
            if not seen.lamps or seen.lamps[-1] != whole.machine.lamps:
                seen.lamps.append(dict(whole.machine.lamps))
            await asyncio.sleep(LOOK_S)

    async def story() -> None:
        bench = Bench(rig)
        hear = line.on_bytes

        def heard(data: bytes) -> None:
            came.extend(data)
            hear(data)

        line.on_bytes = heard
        looking = asyncio.create_task(look())
        await bench.prepare()
        await bench.ready()
        seen.order = [card.face for card in whole.machine.cards()["shoe"]]
        await bench.whole_round()
        looking.cancel()
        await bench.close()

    run(whole.world, rigs.beside(whole.start(), story()))
    for block in filter(None, bytes(came).split(b"\0")):
        found = frame.decode(frame.REPORT, block)
        assert not isinstance(found, str), found
        report = link_pb2.Report.FromString(found.body)
        if report.answer.HasField("beat"):
            continue  # how many there are, and how far a shuffle is then, is a matter of time
        report.answer.id = 0
        seen.said.append(str(without_times(report)))
    return seen


def test_neither_link_nor_lamps_tell_the_noise() -> None:
    """EL-1 I-8: two orders, one story."""
    one, other = one_round(1), one_round(2)
    assert one.order != other.order
    assert len(one.said) > 20
    assert one.said == other.said
    assert len(one.lamps) > 3
    assert one.lamps == other.lamps


def turn_us(slots: int) -> int:
    """How long the wheel is heard when it turns by so many slots."""
    rig = InProcess()

    async def plan() -> int:
        axis: Any = Axis(rig.hal, "wheel")
        axis.go(slots * M.SLOT_STEPS)
        return int(axis.span_us)

    return run(rig.world, plan())


def test_a_card_that_came_alone_could_be_heard_to_its_slot() -> None:
    """EL-1 DS-9: so one that lay face up is not put back into the slot that was kept for it."""
    turns = [turn_us(slots) for slots in range(1, M.SLOTS // 2 + 1)]
    # from home, whose place is known: each length of turn leaves the two slots either side, of 56
    assert min(longer - shorter for shorter, longer in pairwise(turns)) > HEARD_US

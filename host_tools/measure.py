"""Measurements on both simulated depths, one function each. Nothing here judges."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from statistics import median
from typing import cast

from boards import mechanics
from boards.shuffler_rp2040 import board as pins
from hil_tests.hal_bench import AXES, SECOND_NS, Bench, Fresh
from host_tools import rigs
from host_tools.build.tell import BUILD
from host_tools.link.client import bench_client
from host_tools.link.keys import of_seed
from host_tools.play.story import Story
from host_tools.play.table import Plan, Played, Table
from sim.emulated.board import EmulatedBoard
from sim.emulated.raw import RawPrompt
from sim.emulated.wiring import Board
from sim.machine import Machine

BUSY_S = 0.8  # of the machine's time
TIMES = 3
ROUNDS = 40
COLLECT_S = 120  # by then the device has collected its garbage
RAMP = "tables[mechanics.AXES['{name}']][0]"


def full_speed(seconds: float) -> str:
    """Source for the board: all five axes up to full speed, for so long."""
    lines: list[str] = []
    for name in AXES:
        steps = int(mechanics.AXES[name][0] * seconds)
        up = RAMP.format(name=name)
        lines.append(f"axes['{name}'].run(0, len({up}), {steps}, {up}[-1])")
    return "\n".join(lines) + "\nrest()\n"


def emulated_factor() -> float:
    """Times real time with all five axes at full speed and the simulated machine at the pins."""
    factors: list[float] = []
    board = EmulatedBoard(rigs.image_path("bench"), cast(Board, pins), seed=1)
    board.wire(Machine(board, 1))
    board.power_on()
    prompt = Fresh(board)
    prompt.run("hal.enable(1)")
    for _ in range(TIMES):
        prompt.start(full_speed(BUSY_S + 0.4))
        board.advance(board.now_ns() + SECOND_NS // 5)  # up the ramps
        began_ns, began = board.now_ns(), time.perf_counter()
        board.advance(began_ns + int(BUSY_S * SECOND_NS))
        factors.append((board.now_ns() - began_ns) / 1e9 / (time.perf_counter() - began))
        prompt.result()
    return median(factors)


def pulse_timing() -> tuple[float, int]:
    """The worst error of a period in per cent, on all ramps and at full speed, and steps lost."""
    bench = Bench()
    bench.run(full_speed(0.3))
    worst, lost = 0.0, 0
    for name in AXES:
        up, down = (
            bench.ask(f"print(list(tables[mechanics.AXES['{name}']][{i}]))") for i in (0, 1)
        )
        wanted = [*up, *[up[-1]] * int(mechanics.AXES[name][0] * 0.3), *down]
        lost += len(wanted) - len(bench.axes[name].at)
        for got, want in zip(bench.axes[name].periods_us(), wanted, strict=False):
            worst = max(worst, abs(got - want) / want)
    return worst * 100, lost


async def _play(rig: rigs.Rig, rounds: int) -> Played:
    client = rig.client(nonce=bytes(16))
    assert rig.dealer is not None
    table = Table(client, rig.dealer, Story(rig.now_ms), Plan(rounds=rounds))
    try:
        return await table.play()
    finally:
        await table.close()


def in_process_factor() -> float:
    """Times real time of rounds with two decks, in this process."""

    async def body(rig: rigs.Rig) -> float:
        began = time.perf_counter()
        played = await _play(rig, ROUNDS)
        assert played.rounds == ROUNDS
        assert not played.wrong
        machine_s = rig.now_s()
        assert machine_s is not None
        return machine_s / (time.perf_counter() - began)

    return median(rigs.in_process(rigs.Wanted(seed=n), body) for n in range(TIMES))


def link_ready_ms_and_free_heap() -> tuple[int, int]:
    """Device time from power-on to the answer to hello, and the heap that is free at rest.

    What the device says of its heap counts garbage as used: so it is asked until a collection.
    """

    async def body(rig: rigs.Rig) -> tuple[int, int]:
        client = bench_client(rig.transport, nonce=bytes(16), timeout_s=0.05, tries=100)
        await client.hello()
        ready_ms = rig.now_ms()
        assert ready_ms is not None
        await client.leave()
        client = bench_client(rig.transport, keys=of_seed(1), provision=True, nonce=b"heap" * 4)
        await client.hello()  # without keys it tells no status
        free = before = (await client.status()).free_heap
        for _ in range(COLLECT_S):
            await asyncio.sleep(1.0)
            free = (await client.status()).free_heap
            if free > before:
                break
            before = free
        await client.close()
        return ready_ms, free

    return rigs.emulated(rigs.Wanted(seed=1), body)


LASTING = """
import asyncio, board, heap, mechanics
from dovetail import start
from dovetail.hal.rp2 import Hal
async def look():
    await asyncio.sleep(2)
    print(list(heap.room()))
    raise SystemExit
async def main():
    image = {"board": "bench", "variant": "bench", "image": "bench"}
    await asyncio.gather(start.serve(Hal(board, mechanics), image), look())
try:
    asyncio.run(main())
except SystemExit:
    pass
"""


def room_beside_the_heap() -> tuple[int, int, int]:
    """What the image's own machine takes of it, all of it, and bytes that it had no place for."""
    board = EmulatedBoard(rigs.image_path("bench"), cast(Board, pins), seed=1)
    board.wire(Machine(board, 1))
    board.power_on()
    prompt = RawPrompt(board)
    prompt.start(LASTING)
    taken, size, refused = json.loads(prompt.result().splitlines()[-1])
    return taken, size, refused


def images() -> dict[str, dict[str, object]]:
    """Size and hash of every image that lies in build/."""
    found: dict[str, dict[str, object]] = {}
    for path in sorted(BUILD.glob("shuffler_*/dovetail.uf2")):
        size = path.with_name("size.json")
        row: dict[str, object] = json.loads(size.read_text()) if size.exists() else {}
        row["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        found[path.parent.name] = row
    return found

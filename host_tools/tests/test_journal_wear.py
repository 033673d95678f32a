"""The wear budget: its arithmetic, what a round really writes, and a year in fast motion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dovetail.journal import mount  # pyright: ignore[reportUnknownVariableType]
from dovetail.journal.journal import Journal as Device  # pyright: ignore[reportUnknownVariableType]

from boards.shuffler_rp2040 import board
from host_tools.build.told import Tell
from host_tools.journal.segments import PLACES, RECORD, SECTOR, Journal, find
from host_tools.journal.wear import A_ROUND, Day, Life, table
from sim.block import Block

ROOT = Path(__file__).parents[2]
SMALL = 768 * 1024  # what a chip of 2 MB has, hal/rp2_store.py
SIZES = {"2 MB": SMALL, "16 MB": board.JOURNAL_BYTES}
YEAR = 365


def test_the_arithmetic() -> None:
    day = Day(rounds=100, players=5, starts=0)
    life = Life(12 * SECTOR, day)
    assert day.records == 1400  # 8, five players, the dealer
    assert (life.segments, life.kept) == (10, 448)
    assert life.erases_a_day == 2.5  # 25 segments a day over 10 sectors
    assert round(life.years * 365) == 40_000
    assert life.kept_days == pytest.approx(0.32)


def test_a_machine_that_restarts_without_end() -> None:
    assert 8 < Life(SMALL, Day(rounds=0, starts=24 * 3600 // 3)).years < 9


def test_the_reference_board_keeps_what_is_asked() -> None:
    assert Life(board.JOURNAL_BYTES).kept >= 50_000


def test_the_page_shows_these_figures() -> None:
    page = (ROOT / "docs" / "memory.md").read_text(encoding="utf-8")
    for line in table(SIZES):
        assert line in page, line


def test_a_round_writes_what_the_budget_says() -> None:
    from hil_tests.bench import Bench
    from host_tools.hands import SimulatedHands
    from host_tools.rigs import Rig, beside
    from sim.inprocess import InProcess
    from sim.loop import run

    whole = InProcess(3)
    hands = SimulatedHands(whole.hands, 3)
    counts: list[int] = []

    async def play() -> None:
        rig = Rig("", whole.transport, hands, hands, whole.machine, whole.world.now_ns)
        bench = Bench(rig)
        await bench.prepare()
        for _ in range(3):
            await bench.ready()
            await bench.whole_round()
            counts.append(sum(1 for _ in Journal.of(find(bytes(whole.store.cells))).records()))
        await bench.close()
        assert counts[2] - counts[1] == A_ROUND + bench.table.stacks

    run(whole.world, beside(whole.start(), play()))


def a_day(device: Any, block: Block, day: Day) -> Any:
    """Of each segment the first record is written and the others pass; starts come in between."""
    for _ in range(day.starts):
        for _ in range(round(day.records / PLACES / day.starts)):
            device.prepare()
            device.put("alive", {"free": 0}, 0)
            device.flush()
            device.next += (SECTOR - device.at) // RECORD
            device.at = SECTOR
        device.prepare()
        device.put("alive", {"free": 0}, 0)
        device.flush()
        device = Device(block, b"simulate")
        assert device.status == mount.MOUNTED
    return device


def test_a_year(tell: Tell) -> None:
    """Every segment of a year is erased, marked, opened and left by the firmware's own code."""
    block = Block(SMALL)
    device: Any = Device(block, b"simulate")
    day = Day()
    for _ in range(YEAR):
        device = a_day(device, block, day)
    wear = block.erases[2:]
    mean = sum(wear) / len(wear)
    expected = Life(SMALL, day).erases_a_day * YEAR
    tell(
        f"wear: a year of {day.records:,} records a day on 2 MB: a sector erased {mean:.0f} times, "
        f"the most worn {max(wear)}: {max(wear) / mean:.3f} times the mean; "
        f"settings {max(block.erases[:2])}"
    )
    assert expected * 0.98 <= mean <= expected * 1.05
    assert max(wear) <= 1.3 * mean
    ring = device.ring
    assert max(wear) == max(ring.erases(n) for n in range(ring.oldest, device.segment + 1))

"""Measurements of the journal on the emulated board's bench image.

Its flash itself takes no time: what a chip adds is PAGE_MS a page.
"""

from __future__ import annotations

from typing import Any

from dovetail.journal.journal import Journal  # pyright: ignore[reportUnknownVariableType]

from boards.shuffler_rp2040 import board as pins
from hil_tests.hal_bench import Bench
from host_tools.journal.segments import HEADER, PLACES, RECORD, find
from host_tools.journal.segments import Journal as Read
from sim.block import Block
from sim.emulated.board import STORAGE_AT

PAGE_MS, ERASE_MS = 0.4, 45  # typical, W25Q family
DAMAGES = 7  # of spoilt()
TIMES = 500
FILE_TIMES = 100

MOUNT = """
gc.collect()
free = gc.mem_free()
from dovetail.journal.journal import Journal
gc.collect()
began = time.ticks_us()
j = Journal(hal.store, hal.unique_id)
took = time.ticks_diff(time.ticks_us(), began)
j.prepare()
fields = {"round": 1, "position": 2, "ordered": 3, "delivered": 3, "from_table": 0, "verdict": 0}
fields["ejected"] = 0
j.put("stack", fields, 1)
j.flush()
gc.collect()
print([took, free - gc.mem_free(), j.next])
"""

REPAIR = """
gc.collect()
from dovetail.journal.journal import Journal
began = time.ticks_us()
j = Journal(hal.store, hal.unique_id)
print([time.ticks_diff(time.ticks_us(), began), j.status, len(j.damage)])
"""

APPEND = """
total = worst = 0
for n in range({times}):
    if not j.room():
        j.prepare()
    began = time.ticks_us()
    j.put("stack", fields, n)
    j.flush()
    took = time.ticks_diff(time.ticks_us(), began)
    total += took
    worst = max(worst, took)
print([total // {times}, worst])
"""

# The same bytes to a file of a file system on the same flash, as MicroPython has it
LITTLEFS = """
import board, os, rp2, vfs
from dovetail.hal.rp2_store import journal_bytes
class Counting:
    programs = erases = 0
    def __init__(self): self.flash = rp2.Flash(start=journal_bytes(board), len=1048576)
    def readblocks(self, *given): return self.flash.readblocks(*given)
    def writeblocks(self, n, buf, offset=0):
        Counting.programs += len(buf) // 256
        return self.flash.writeblocks(n, buf, offset)
    def ioctl(self, op, n):
        if op == 6: Counting.erases += 1
        return self.flash.ioctl(op, n)
device = Counting()
vfs.VfsLfs2.mkfs(device, progsize=256)
vfs.mount(vfs.VfsLfs2(device, progsize=256), "/log")
Counting.programs = Counting.erases = 0
record = bytes(range(64))
began = time.ticks_us()
with open("/log/journal", "ab") as log:
    for n in range({times}):
        log.write(record)
        log.flush()
took = time.ticks_diff(time.ticks_us(), began)
print([took // {times}, Counting.programs * 100 // {times}, Counting.erases * 100 // {times}])
"""


def full(unique_id: bytes) -> bytes:
    """Flash of a machine whose ring has gone round, its newest segment all but full."""
    block = Block(pins.JOURNAL_BYTES)
    journal: Any = Journal(block, unique_id)
    for n in range((pins.JOURNAL_BYTES // Block.SECTOR + 10) * PLACES - 6):
        if not journal.room():
            journal.prepare()
        journal.put("alive", {"free": n}, n)
        journal.flush()
    journal.prepare()
    return bytes(block.cells)


def mounted() -> tuple[Bench, int, float, int]:
    """A bench with a full journal mounted: its records, ms that it took, bytes of heap."""
    bench = Bench()
    unique_id = bytes(bench.ask("print(list(hal.unique_id))"))
    cells = full(unique_id)
    kept = sum(1 for _ in Read.of(find(cells)).records())
    bench.board.chip.flash()[STORAGE_AT : STORAGE_AT + pins.JOURNAL_BYTES] = cells
    took_us, heap, after = bench.ask(MOUNT)
    assert after > pins.JOURNAL_BYTES // Block.SECTOR * PLACES
    return bench, kept, took_us / 1000, heap


def spoilt(cells: bytes) -> bytes:
    """Four flipped bits, a torn end, a damaged header and a damaged slot of settings."""
    bad = bytearray(cells)
    raw = find(cells)
    newest = max(raw)
    at = bytes(cells).index(raw[newest])
    used = [i for i in range(HEADER, Block.SECTOR, RECORD) if raw[newest][i] != 0xFF]
    for offset in used[-10:-2:2]:
        bad[at + offset + RECORD - 1] ^= 0x80  # tried last
    bad[at + used[-1] + RECORD // 2] &= 0x00
    bad[at + 100] ^= 1
    bad[Block.SECTOR + 20] ^= 1
    return bytes(bad)


def repaired_ms() -> float:
    """A full journal that is damaged is mounted; with a chip's time for the erase."""
    bench = Bench()
    unique_id = bytes(bench.ask("print(list(hal.unique_id))"))
    cells = spoilt(full(unique_id))
    bench.board.chip.flash()[STORAGE_AT : STORAGE_AT + pins.JOURNAL_BYTES] = cells
    took_us, status, found = bench.ask(REPAIR)
    assert status == 1, "the journal was not repaired"
    assert found == DAMAGES, found
    return took_us / 1000 + ERASE_MS


def append_ms(bench: Bench) -> tuple[float, float]:
    """Device time of a record, on average and at worst; an erase apart."""
    mean_us, worst_us = bench.ask(APPEND.replace("{times}", str(TIMES)))
    return mean_us / 1000, worst_us / 1000


def littlefs() -> tuple[float, float, float]:
    """The same to a file of littlefs: ms, pages programmed and sectors erased, each by record."""
    bench = Bench()
    took_us, programs, erases = bench.ask(LITTLEFS.replace("{times}", str(FILE_TIMES)))
    return took_us / 1000, programs / 100, erases / 100

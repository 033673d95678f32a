"""A thousand journals, each spoilt in some way: told, never a crash, the rest is whole."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from dovetail.journal import mount  # pyright: ignore[reportUnknownVariableType]
from dovetail.journal.journal import Journal as Device  # pyright: ignore[reportUnknownVariableType]

from host_tools.journal.segments import HEADER, RECORD, SECTOR, Journal, find
from host_tools.journal.verify import verify
from sim.block import PAGE, Block

ID = b"simulate"
SECTORS = 2 + 8
TIMES = 1000
STARTED: dict[str, int | bytes] = {
    **dict.fromkeys(("cause", "last_fault", "last_state", "self_test", "journal", "damage"), 0),
    "image": b"0123456789ab",
}


def put(device: Any, kind: str, fields: dict[str, Any], n: int = 0) -> None:
    """One record, on flash."""
    if not device.room():
        device.prepare()
    device.put(kind, fields, n)
    device.flush()


def boot(block: Block) -> Any:
    """As the machine does it."""
    device: Any = Device(block, ID)
    if device.status != mount.FAILED:
        device.prepare()
        put(device, "started", {**STARTED, "inside": device.state.inside})
    return device


@pytest.fixture(scope="module")
def past() -> bytes:
    """A machine with a past: both decks locked out, cards inside, a round, out of service."""
    block = Block(SECTORS * SECTOR)
    device = boot(block)
    for n in range(700):
        put(device, "alive", {"free": n}, n)
    put(device, "shuffle_begun", {"back": 1, "deck": 1, "service": 0})
    opened = {"round": 12, "players": 5, "positions": 6, "back": 1, "owes": 0, "pair": 0}
    put(device, "opened", opened)
    put(device, "out_of_service", {"on": 1, "inside": 1})
    for back in (1, 2):
        put(device, "locked_out", {"back": back, "deck": back, "round": 0})
    for n in range(10):
        put(device, "alive", {"free": n}, n)
    return bytes(block.cells)


def spoil(cells: bytearray, random: Random) -> tuple[str, int, int]:
    """One mishap, somewhere that was written: its name, where it begins, where it ends."""
    used = [n for n in range(SECTORS) if cells[n * SECTOR] != 0xFF]
    at = random.choice(used) * SECTOR
    how = random.choice(("flip", "flips", "page", "sector", "garbage", "record"))
    if how in ("flip", "flips"):
        at += random.randrange(SECTOR - 8)
        bits = random.sample(range(64), 1 if how == "flip" else 5)
        for bit in bits:
            cells[at + bit // 8] ^= 1 << bit % 8
        return how, at + min(bits) // 8, at + max(bits) // 8 + 1
    size = {"sector": SECTOR, "garbage": SECTOR, "record": RECORD}.get(how, PAGE)
    at += random.randrange(SECTOR // size) * size
    for i in range(at, at + size):
        if how == "sector":  # flash loses no less than a sector
            cells[i] = 0xFF
        elif how == "page":
            cells[i] &= random.randrange(256)
        else:
            cells[i] = random.randrange(256)
    return how, at, at + size


@pytest.mark.parametrize("part", range(4))
def test_a_thousand_mishaps(past: bytes, part: int) -> None:
    random = Random(f"mishaps {part}")
    told: dict[int, int] = {}
    before = Journal.of(find(past))
    for _ in range(TIMES // 4):
        cells = bytearray(past)
        how, at, end = spoil(cells, random)
        if bytes(cells) == past:
            continue
        block = Block(len(cells), bytes(cells))
        device = boot(block)
        told[device.status] = told.get(device.status, 0) + 1
        where = (how, at, end, device.why)
        while device.look():
            pass
        found = verify(Journal.of(find(bytes(cells))))
        assert device.status != mount.NEW, where
        if device.status != mount.FAILED:
            # what is remembered is not better than the truth
            assert device.state.inside, where
            assert device.state.locks == 6, where
            assert device.state.out, where
            lost = any(one["what"] == mount.GONE for one in device.damage)
            assert device.state.round == 12 or lost, where
            assert device.next > 714, where
        reported = device.status != mount.MOUNTED or device.damage or not found.good or found.notes
        places = {2 + segment.number % (SECTORS - 2) for segment in before.segments}
        if at // SECTOR in places:  # not in settings behind their end, nor in what is erased ahead
            assert reported, where
        # every record that does not lie in the damage is read as it was
        there = {record.number: record.raw for record in Journal.of(find(bytes(cells))).records()}
        for segment in before.segments:
            place = (2 + segment.number % (SECTORS - 2)) * SECTOR
            headless = at < place + HEADER and end > place
            for record in segment.records:
                spot = place + record.offset
                if headless or (at < spot + RECORD and end > spot):
                    continue
                assert there.get(record.number) == record.raw, (where, record)
    assert set(told) == {mount.MOUNTED, mount.REPAIRED, mount.FAILED}

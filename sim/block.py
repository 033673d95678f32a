"""Flash as it is when the power goes: every operation is noted, and can be torn or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from sim.hal import Store

SECTOR, PAGE = Store.SECTOR, Store.PAGE
ERASED = b"\xff" * SECTOR


@dataclass(frozen=True)
class Operation:
    """An erase or a program: what lay there before, and what lies there after it."""

    kind: str
    offset: int
    before: bytes
    after: bytes

    def torn(self, how: str, random: Random) -> bytes:
        """What lies there when the power goes in its middle."""
        size = len(self.after)
        if how == "none":
            return self.before
        if how == "part":
            changed = [i for i in range(size) if self.before[i] != self.after[i]] or [0]
            n = random.randint(changed[0], changed[-1])
            return self.after[:n] + self.before[n:]
        if how == "bits":  # some cells are through, wherever they are
            keep = int.from_bytes(random.randbytes(size), "little")
            before = int.from_bytes(self.before, "little")
            changed = before ^ int.from_bytes(self.after, "little")
            return (before ^ changed & keep).to_bytes(size, "little")
        assert how == "all"
        return self.after


TEARS = ("none", "part", "bits", "all")


class Block(Store):
    """A store for the journal, with a log and with faults."""

    def __init__(self, size: int, cells: bytes | None = None) -> None:
        super().__init__(size)
        if cells is not None:
            self.cells[:] = cells
        self.erases = [0] * (size // SECTOR)
        self.operations = 0
        self.noted: list[Operation] | None = None  # a list, to have operations noted in it
        self.on_operation: Callable[[], None] = lambda: None  # called before each
        self.refuse: Callable[[str, int], bool] = lambda kind, offset: False

    def erase(self, sector: int) -> None:
        """One sector to ones."""
        self.erases[sector] += 1
        self._do("erase", sector * SECTOR, ERASED)

    def program(self, offset: int, buf: bytes) -> None:
        """Ones to zeros, never back."""
        if offset % PAGE or len(buf) % PAGE or not 0 <= offset <= self.size - len(buf):
            raise ValueError("outside the store, or no whole pages")
        for at in range(0, len(buf), PAGE):  # a chip takes one page at a time
            old = int.from_bytes(self.cells[offset + at : offset + at + PAGE], "little")
            new = old & int.from_bytes(buf[at : at + PAGE], "little")
            self._do("program", offset + at, new.to_bytes(PAGE, "little"))

    def _do(self, kind: str, offset: int, after: bytes) -> None:
        end = offset + len(after)
        self.on_operation()
        if self.noted is not None:
            self.noted.append(Operation(kind, offset, bytes(self.cells[offset:end]), after))
        self.operations += 1
        if not self.refuse(kind, offset):
            self.cells[offset:end] = after

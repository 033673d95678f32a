"""How long the flash lasts: from rounds a day to years. `docs/memory.md` shows the table."""

from __future__ import annotations

from dataclasses import dataclass

from host_tools.journal.segments import PLACES, SECTOR

ENDURANCE = 100_000  # erases of a sector that makers of such flash promise
SETTINGS_SECTORS = 2  # from journal/ring.py: _FIRST
BOOT_PLACES = 12  # a start takes at most so many: its records, and the page that it leaves alone
# of a round with its shuffle: declared, begun, done, ready, opened, no more bets, remainder, closed
A_ROUND = 8


@dataclass(frozen=True)
class Day:
    """What a machine does in a day."""

    rounds: int = 1500
    players: int = 5
    starts: int = 3

    @property
    def records(self) -> int:
        """A stack for each player and the dealer's; one record an hour at least is in these."""
        return self.rounds * (A_ROUND + self.players + 1) + self.starts * BOOT_PLACES


@dataclass(frozen=True)
class Life:
    """A journal of so many bytes, in use every day."""

    size: int
    day: Day = Day()

    @property
    def segments(self) -> int:
        """In the ring."""
        return self.size // SECTOR - SETTINGS_SECTORS

    @property
    def kept(self) -> int:
        """Records that are always there: one segment is erased ahead, one has just begun."""
        return (self.segments - 2) * PLACES

    @property
    def kept_days(self) -> float:
        """The same in days."""
        return self.kept / self.day.records

    @property
    def erases_a_day(self) -> float:
        """Of each sector."""
        return self.day.records / PLACES / self.segments

    @property
    def years(self) -> float:
        """Until the promise ends."""
        return ENDURANCE / self.erases_a_day / 365


def table(sizes: dict[str, int]) -> list[str]:
    """Rows for docs/memory.md."""
    lines = [
        "| flash | journal | records kept | days of them | erases of a sector a day | years |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, size in sizes.items():
        life = Life(size)
        lines.append(
            f"| {name} | {size // 1024:,} KB | {life.kept:,} | {life.kept_days:.1f} "
            f"| {life.erases_a_day:.2f} | {life.years:,.0f} |"
        )
    return lines

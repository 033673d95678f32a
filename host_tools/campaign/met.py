"""What came of a trouble."""

from __future__ import annotations

from dataclasses import dataclass, field

from host_tools.campaign.draw import Trouble

REPORT_MS = 250  # I-4: under that


@dataclass
class Met:
    """What came of a trouble."""

    trouble: Trouble
    struck: tuple[str, ...]
    outcome: str  # "recovered", "handed over", "harmless", "not struck"
    fault: int = 0
    station: str = ""
    card: int = 0
    named: bool = True  # by a station where it may be met
    report_ms: float | None = None  # after it could first be known
    wrong: list[str] = field(default_factory=list[str])

    @property
    def against(self) -> list[str]:
        """All that is wrong, lateness too."""
        if self.report_ms is None or self.report_ms < REPORT_MS:
            return self.wrong
        return [*self.wrong, f"I-4: told after {self.report_ms:.0f} ms"]

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
    misnamed: str = ""  # station, number or card: what is not as it must be
    report_ms: float | None = None  # after it could first be known
    opened: bool = False  # a switch
    within: str = ""  # a second one has struck while the first was tried, or cleared
    wrong: list[str] = field(default_factory=list[str])

    @property
    def named(self) -> bool:
        """Station and number, and the card where it can be said."""
        return not self.misnamed

    @property
    def kinds(self) -> frozenset[str]:
        """What kinds of failure these are; a smaller case must still fail the same way."""
        kinds = {line.partition(":")[0] for line in self.against}
        return frozenset(kinds | ({f"misnamed {self.misnamed}"} if self.misnamed else set()))

    @property
    def against(self) -> list[str]:
        """All that is wrong, lateness too."""
        if self.report_ms is None or self.report_ms < REPORT_MS:
            return self.wrong
        return [*self.wrong, f"I-4: told after {self.report_ms:.0f} ms"]

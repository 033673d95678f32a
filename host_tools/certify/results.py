"""The verdict of a run, as data: the same for the same plan, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from host_tools.certify.judge import LEVELS, Finding, holm, judge, passes
from host_tools.certify.plan import DEVICE, Plan
from host_tools.certify.tally import Tally

PASS, FAIL = "PASS", "FAIL"


def word(good: bool) -> str:
    """PASS or FAIL."""
    return PASS if good else FAIL


@dataclass(frozen=True)
class Results:
    """Every test: what is judged corrected as one family, each source beside it as its own."""

    plan: Plan
    tests: list[Finding]
    beside: dict[str, list[Finding]]

    def unseen(self, level: int) -> list[str]:
        """Plants that the tests of this run did not find: without them a PASS says nothing."""
        return [
            name for name, tests in self.beside.items() if name != DEVICE and passes(tests, level)
        ]

    def good(self, level: int) -> bool:
        """Whether the run passes at this confidence."""
        return passes(self.tests, level) and not self.unseen(level)

    @property
    def passed(self) -> bool:
        """At the confidence that decides."""
        return self.good(self.plan.confidence)

    def as_json(self) -> dict[str, Any]:
        """For results.json."""
        return {
            "verdict": word(self.passed),
            "confidence": self.plan.confidence,
            "at": {str(level): word(self.good(level)) for level in LEVELS},
            "plants_not_seen": self.unseen(self.plan.confidence),
            "plan": self.plan.as_json(),
            "tests": [test.fields() for test in self.tests],
            "beside": {
                name: {
                    "at": {str(level): word(passes(tests, level)) for level in LEVELS},
                    "tests": [test.fields() for test in tests],
                }
                for name, tests in self.beside.items()
            },
        }


def results(plan: Plan, totals: dict[str, Tally]) -> Results:
    """Judge what was counted."""
    family = [test for source in plan.judged for test in judge(source, plan.cards, totals[source])]
    beside = {name: holm(judge(name, plan.cards, totals[name])) for name in plan.shown_beside}
    return Results(plan, holm(family), beside)

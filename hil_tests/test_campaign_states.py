"""The campaign's machine as a state machine: hypothesis chooses what happens next."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from host_tools.campaign.draw import (
    BOTH,
    CLEARING,
    DEALING,
    FILL_MS,
    FILLING,
    LOOKED,
    PHASE,
    SWITCHES,
    Trouble,
)
from host_tools.campaign.met import REPORT_MS, Met
from host_tools.campaign.sessions import Standing
from sim.plants.catalogue import DRAWN as CASES
from sim.plants.record import Plant
from sim.points import CARDS

Case = Plant[Any]
SEED = 17
BUDGET = settings(
    max_examples=32,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
Draw = st.sampled_from([case for case in CASES if case.name != "hands.forget"])
# Looked for in a clearing; and what there is to clear, for the machine does not get over it alone.
Looked = st.sampled_from([case for case in CASES if case.name.startswith(LOOKED)])
Stopped = st.sampled_from([c for c in CASES if c.number and c.name != "hands.forget"])


class Troubled(RuleBasedStateMachine):
    """One machine; every rule plays on it, and everything that must hold is checked after it."""

    def __init__(self) -> None:
        super().__init__()
        self.standing = Standing(SEED)
        self.broken = False

    def _meet(self, trouble: Trouble) -> Met:
        met = self.standing.meet(trouble)
        self.broken = met.outcome == "broken"
        assert met.wrong == [], met
        assert met.named, met
        assert met.report_ms is None or met.report_ms < REPORT_MS, met
        return met

    @rule(phase=st.sampled_from((FILLING, DEALING, BOTH)))
    def nothing_goes_wrong(self, phase: str) -> None:
        """A deck is shuffled, or dealt; whatever came before, the machine can do that."""
        assert self._meet(Trouble(phase)).outcome == "not struck"

    @rule(case=Draw, at=st.integers(1, CARDS))
    def a_fault(self, case: Case, at: int) -> None:
        """Anything that can be planted, at any card."""
        self._meet(Trouble(PHASE[case.phase], ((case.name, at),)))

    @rule(first=Draw, second=Draw, at=st.integers(1, CARDS), gap=st.integers(0, 3))
    def a_fault_within_a_fault(self, first: Case, second: Case, at: int, gap: int) -> None:
        """A second one at the same card or soon behind it: while the first is got over."""
        if PHASE[first.phase] != PHASE[second.phase] or second.spoils or first is second:
            return
        plants = ((first.name, at), (second.name, min(at + gap, CARDS)))
        self._meet(Trouble(PHASE[first.phase], plants))

    @rule(case=Draw, at=st.integers(1, CARDS), begin_ms=st.integers(0, FILL_MS))
    def a_fault_with_both_lanes_at_work(self, case: Case, at: int, begin_ms: int) -> None:
        """A deck goes into the wheel while stacks of the other are dealt."""
        self._meet(Trouble(BOTH, ((case.name, at),), begin_ms=begin_ms))

    @rule(first=Stopped, at=st.integers(1, CARDS), second=Looked, then=st.integers(1, 20))
    def a_fault_in_a_clearing(self, first: Case, at: int, second: Case, then: int) -> None:
        """A second one while the machine looks whether all cards are out."""
        if first is second:
            return
        then = 1 if second.name.startswith(("home.", "hands.")) else then
        plants = ((first.name, at), (second.name, then))
        self._meet(Trouble(PHASE[first.phase], plants, during=CLEARING))

    @precondition(lambda self: not self.broken)
    @rule(
        phase=st.sampled_from((FILLING, DEALING, BOTH)),
        switch=st.sampled_from(sorted(SWITCHES)),
        after_ms=st.integers(50, 15000),
    )
    def a_hand(self, phase: str, switch: str, after_ms: int) -> None:
        """Lid, shoe door or mount, at any moment."""
        self._meet(Trouble(phase, (), switch, after_ms))

    @rule(at=st.integers(1, CARDS))
    def a_card_is_forgotten(self, at: int) -> None:
        """A jam, and a card left inside when everything is said to be out."""
        self._meet(Trouble(FILLING, (("path.jam", at), ("hands.forget", 1))))

    def teardown(self) -> None:
        """Every card is somewhere."""
        wrong = self.standing.end()
        assert self.broken or wrong == [], wrong


Troubled.TestCase.settings = BUDGET
TestTroubled = Troubled.TestCase

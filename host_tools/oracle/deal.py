"""Follow the deal of one round and object to a wrong order, a wrong number and a card too early.

The walk follows one of the orders that the texts allow. `object_to_deal` takes the order with which
the round agrees best, so it objects only where every order is broken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from host_tools.oracle.facts import Recipient
from host_tools.oracle.objection import Objection
from host_tools.oracle.round_facts import (
    Dealt,
    Decided,
    Discarded,
    NoMoreBets,
    RoundClosed,
    RoundVoided,
    StartDrawn,
)
from host_tools.oracle.rounds import Round, Seen, expand_plan, find_players
from host_tools.oracle.rules import Stage, Step


def object_to_deal(round_: Round) -> list[Objection]:
    """Return the objections to the deal under the most lenient order that the texts allow."""
    plans = round_.way.stages[0].plans if round_.way.stages else ()
    walks = [Walk(round_, plan).run() for plan in plans or ((),)]
    return min(walks, key=len)


@dataclass
class Walk:
    """The deal, card by card. `at` is the step that is due, `got` its cards so far."""

    round_: Round
    plan: tuple[Step, ...]
    stage: int = 0
    steps: list[tuple[Recipient, int]] = field(default_factory=list[tuple[Recipient, int]])
    at: int = 0
    got: int = 0
    begun: bool = False  # a card of this stage was dealt
    bets: set[int] = field(default_factory=set[int])
    decided: set[int] = field(default_factory=set[int])
    wanted: dict[int, int] = field(default_factory=dict[int, int])  # discards to replace
    drawn: int = 0  # the position that last had its discards replaced
    out: list[Objection] = field(default_factory=list[Objection])

    def run(self) -> list[Objection]:
        """Walk through all facts of the round."""
        self._begin(0, 0)
        for number, seen in enumerate(self.round_.events):
            match seen.fact:
                case NoMoreBets(stage=stage):
                    self._go_on(stage, number)
                    self.bets.add(stage)
                case Decided(stage=stage):
                    self._go_on(stage, number)
                    self.decided.add(stage)
                    self._begin(self.stage, number + 1)
                case Discarded(position=position, number=cards):
                    self._discard(number, position, cards)
                case Dealt():
                    self._deal(number, seen, seen.fact)
                case StartDrawn():
                    cite = self.round_.way.start_after_deal
                    if cite and self.at < len(self.steps):
                        self._object(number, cite, "the start was drawn before the deal was done")
                case RoundClosed():
                    self._finish(number)
                case RoundVoided():
                    return self.out
                case _:
                    pass
        return self.out

    def _object(self, number: int, cite: str, says: str) -> None:
        self.out.append(Objection(self.round_.events[number].index, cite, says))

    def _part(self) -> Stage | None:
        stages = self.round_.way.stages
        return stages[self.stage] if self.stage < len(stages) else None

    def _begin(self, stage: int, facts: int) -> None:
        """Set out the steps of a stage for the players that the facts so far leave in play."""
        self.stage, self.at, self.got, self.begun, self.drawn = stage, 0, 0, False, 0
        part = self._part()
        plan = self.plan if stage == 0 else part.plans[0] if part and part.plans else ()
        known = self.round_.facts()[:facts]
        players = find_players(self.round_.opened, known, stage)
        self.steps = expand_plan(plan, players) if players else []

    def _go_on(self, stage: int, number: int) -> None:
        if stage > self.stage:
            self._finish(number)
            self._begin(stage, number)

    def _finish(self, number: int) -> None:
        """Object to a stage that was left before its cards were dealt."""
        part = self._part()
        if part is None:
            return
        if self.at < len(self.steps) and (self.begun or self.stage == 0):
            self._object(number, part.cite, f"{self.steps[self.at][0]} still lacked cards")
        if part.stack and self.got not in (0, part.stack.number):
            self._object(number, part.stack.cite, "a stack had a wrong number of cards")
        for position, cards in self.wanted.items():
            if cards:
                self._object(number, part.cite, f"position {position} still lacked {cards} cards")
        self.wanted = {}

    def _discard(self, number: int, position: int, cards: int) -> None:
        part = self._part()
        if part and part.draws is None and self.at == len(self.steps):
            self._go_on(self.stage + 1, number)
            part = self._part()
        if part is None or part.draws is None:
            return
        self.wanted[position] = self.wanted.get(position, 0) + cards
        facts = self.round_.facts()[:number]
        if position not in find_players(self.round_.opened, facts, self.stage):
            self._object(number, part.draws.cite, "a player without a wager replaced cards")
        elif self.wanted[position] > part.draws.number:
            self._object(number, part.draws.cite, "a player replaced more cards than allowed")

    def _deal(self, number: int, seen: Seen, fact: Dealt) -> None:
        part = self._part()
        done = part is not None and part.plans and self.at == len(self.steps)
        if done and self.stage + 1 < len(self.round_.way.stages):
            self._go_on(self.stage + 1, number)
            part = self._part()
        if part is None:
            if self.round_.way.stages and not self.round_.way.further:
                cite = self.round_.way.stages[-1].cite
                self._object(number, cite, "a card was dealt after the last that was due")
            return
        if not self.begun:
            self._check_begin(number, part)
        self.begun = True
        self._check_manner(number, seen, part, fact)
        if part.stack:
            self._stack(number, part.stack.number, part.stack.cite, fact)
        elif part.draws:
            self._draw(number, part, fact)
        elif part.plans:
            self._step(number, part, fact)

    def _check_begin(self, number: int, part: Stage) -> None:
        """Object to a first card before the announcement or the decisions that the texts want."""
        if part.bets and self.stage not in self.bets:
            self._object(number, part.bets, 'a card was dealt before "No more bets"')
        if part.decided and self.stage not in self.decided:
            self._object(number, part.decided, "a card was dealt before the players decided")

    def _check_manner(self, number: int, seen: Seen, part: Stage, fact: Dealt) -> None:
        """Object to the wrong face up, and to cards from the hand or the device that must not."""
        up = part.face_up
        binds = up is not None and (up.number == 0 or isinstance(fact.to, int))
        if up and binds and fact.face_up not in (None, bool(up.number)):
            self._object(number, up.cite, "a card lay with the wrong side up")
        if not self.round_.automated:
            return
        if part.by_hand and not fact.by_hand:
            self._object(number, part.by_hand, "the device dealt what the hand must deal")
        other = self.round_.rules.other_deal
        if other and fact.by_hand and not part.by_hand and seen.device_here:
            self._object(number, other, "cards came from the hand while the device was there")

    def _stack(self, number: int, size: int, cite: str, fact: Dealt) -> None:
        if not self.steps or self.steps[-1][0] != fact.to:
            if self.got not in (0, size):
                self._object(number, cite, "a stack had a wrong number of cards")
            self.steps, self.at, self.got = [(fact.to, size)], 1, 0
        self.got += len(fact.cards)
        if self.got > size:
            self._object(number, cite, "a stack had too many cards")
            self.got = 0

    def _draw(self, number: int, part: Stage, fact: Dealt) -> None:
        if not isinstance(fact.to, int) or self.wanted.get(fact.to, 0) < len(fact.cards):
            self._object(number, part.cite, "more cards were dealt than were discarded")
        if isinstance(fact.to, int):
            self.wanted[fact.to] = max(self.wanted.get(fact.to, 0) - len(fact.cards), 0)
            if fact.to < self.drawn and part.order:
                self._object(number, part.order, "the cards were not replaced clockwise")
            self.drawn = fact.to

    def _step(self, number: int, part: Stage, fact: Dealt) -> None:
        """Take the cards for the step that is due, or say which step they should have taken."""
        later = [i for i in range(self.at, len(self.steps)) if self.steps[i][0] == fact.to]
        if not later:
            if not self.round_.way.further:
                self._object(number, part.cite, f"no card was due to {fact.to}")
            return
        if later[0] != self.at:
            says = "had too few cards" if self.got and later[0] == self.at + 1 else "was next"
            self._object(number, part.cite, f"{self.steps[self.at][0]} {says}")
            self.at, self.got = later[0], 0
        self.got += len(fact.cards)
        while self.got > self.steps[self.at][1] and self.at + 1 in later:
            self.got -= self.steps[self.at][1]
            self.at += 1
        if self.got > self.steps[self.at][1]:
            self._object(number, part.cite, f"{fact.to} had too many cards")
        if self.got >= self.steps[self.at][1]:
            self.at, self.got = self.at + 1, 0

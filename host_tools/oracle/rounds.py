"""One round as the judge sees it: its facts, the cards in each hand, and the cards due to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from host_tools.oracle.facts import Fact, Recipient
from host_tools.oracle.round_facts import Dealt, Decided, Discarded, NoMoreBets, RoundOpened
from host_tools.oracle.rules import GameRules, Step, Way


@dataclass(frozen=True)
class Seen:
    """A fact of the round, its place in the history, and if the device stood on the table."""

    index: int
    fact: Fact
    device_here: bool = True


@dataclass
class Round:
    """A round, with the tables that bound it when it opened."""

    opened: RoundOpened
    rules: GameRules
    way: Way
    automated: bool
    events: list[Seen] = field(default_factory=list[Seen])

    def facts(self) -> list[Fact]:
        """Return the facts of the round without their places."""
        return [seen.fact for seen in self.events]


def expand_plan(plan: tuple[Step, ...], players: tuple[int, ...]) -> list[tuple[Recipient, int]]:
    """Put the players in clockwise order in the place of "players"."""
    steps: list[tuple[Recipient, int]] = []
    for step in plan:
        if step.to == "players":
            steps += [(player, step.cards) for player in sorted(players)]
        else:
            steps.append((step.to, step.cards))
    return steps


def reached_stage(facts: list[Fact]) -> int:
    """Return the last stage that an announcement or a decision began."""
    return max((f.stage for f in facts if isinstance(f, NoMoreBets | Decided)), default=0)


def find_players(opened: RoundOpened, facts: list[Fact], stage: int) -> tuple[int, ...]:
    """Return the positions that are still in play at this stage."""
    players = opened.players
    for fact in facts:
        if isinstance(fact, Decided) and fact.stage <= stage:
            players = fact.stays
    return tuple(sorted(players))


def count_hands(facts: list[Fact]) -> dict[Recipient, int]:
    """Return the number of cards that each recipient truly holds."""
    held: dict[Recipient, int] = {}
    for fact in facts:
        if isinstance(fact, Dealt):
            held[fact.to] = held.get(fact.to, 0) + len(fact.cards)
        elif isinstance(fact, Discarded):
            held[fact.position] = held.get(fact.position, 0) - fact.number
    return held


def count_due(round_: Round, facts: list[Fact], stage: int) -> dict[Recipient, int]:
    """Return the number of cards that each recipient must hold when this stage is dealt."""
    due: dict[Recipient, int] = {}
    for number, part in enumerate(round_.way.stages[: stage + 1]):
        players = find_players(round_.opened, facts, number)
        if part.plans and players:
            for to, cards in expand_plan(part.plans[0], players):
                due[to] = due.get(to, 0) + cards
    return due


def find_misdealt(round_: Round, facts: list[Fact], closed: bool) -> dict[Recipient, int]:
    """Return the hands with an incorrect number of cards, and how many each lacks (or minus).

    A hand that is short counts once the round is closed. It counts earlier if it was short when the
    deal went on to a later stage, until more cards make it whole.
    """
    if not any(part.plans for part in round_.way.stages) or round_.way.further:
        return {}
    held = count_hands(facts)
    due = count_due(round_, facts, reached_stage(facts))
    left_short = set(due) if closed else _find_left_short(round_, facts)
    lacks: dict[Recipient, int] = {}
    everybody: set[Recipient] = set(due)
    everybody.update(held)
    for to in everybody:
        missing = due.get(to, 0) - held.get(to, 0)
        if missing < 0 or (missing > 0 and to in left_short):
            lacks[to] = missing
    return lacks


def _find_left_short(round_: Round, facts: list[Fact]) -> set[Recipient]:
    """Return the hands that were short when the deal went on to a later stage."""
    short: set[Recipient] = set()
    stage = 0
    for number, fact in enumerate(facts):
        if isinstance(fact, NoMoreBets | Decided) and fact.stage > stage:
            held = count_hands(facts[:number])
            due = count_due(round_, facts[:number], stage)
            short |= {to for to, cards in due.items() if held.get(to, 0) < cards}
            stage = fact.stage
    return short

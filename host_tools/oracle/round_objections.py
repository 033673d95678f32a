"""Object to how a round went on after an irregularity, and to a void round that was closed."""

from __future__ import annotations

from collections.abc import Iterator

from host_tools.oracle.facts import Fact, Jammed
from host_tools.oracle.objection import Objection, Standing
from host_tools.oracle.round_facts import (
    Dealt,
    Decided,
    DrawnInError,
    Exposed,
    FaceUpFound,
    RemainderOut,
    RoundClosed,
)
from host_tools.oracle.rounds import Round, count_due, count_hands, reached_stage
from host_tools.oracle.standing import rule_hands


def object_to_round(round_: Round) -> Iterator[Objection]:
    """Yield the objections to one round, apart from those to the order of its cards."""
    facts = round_.facts()
    for number, seen in enumerate(round_.events):
        match seen.fact:
            case Dealt():
                reasons = _object_to_use(round_, facts[:number], seen.fact)
            case RemainderOut():
                reasons = _object_to_remainder(round_, facts[:number])
            case RoundClosed():
                reasons = _object_to_close(round_, facts[: number + 1], seen.fact)
            case _:
                continue
        for cite, says in reasons:
            yield Objection(seen.index, cite, says)


def _object_to_use(round_: Round, before: list[Fact], dealt: Dealt) -> Iterator[tuple[str, str]]:
    """Object to a card that was face up, and to a card drawn in error that was not the next."""
    rules = round_.rules
    found = {fact.card for fact in before if isinstance(fact, FaceUpFound)}
    if rules.face_up and found & set(dealt.cards):
        yield rules.face_up, "a card that was found face up was used"
    waiting: list[str] = []
    for fact in before:
        if isinstance(fact, DrawnInError) and not fact.exposed and fact.card not in found:
            waiting.append(fact.card)
        elif isinstance(fact, Dealt):
            waiting = waiting[len(fact.cards) :]
    due = tuple(waiting[: len(dealt.cards)])
    if rules.error_card and dealt.cards[: len(due)] != due:
        yield rules.error_card, "a card drawn in error was not used as the next card"


def _object_to_remainder(round_: Round, before: list[Fact]) -> Iterator[tuple[str, str]]:
    """Object to a remainder that left the shoe too early, unless the round was spoilt by then."""
    cite = round_.way.remainder_after_decisions
    spoilt = any(isinstance(fact, Jammed | Exposed | FaceUpFound) for fact in before)
    if cite is None or spoilt:
        return
    if not any(isinstance(fact, Decided) for fact in before):
        yield cite, "the remainder left the shoe before the players had decided"


def _object_to_close(
    round_: Round, facts: list[Fact], closed: RoundClosed
) -> Iterator[tuple[str, str]]:
    """Object to hands that were settled as good though they are void."""
    rulings = rule_hands(round_, facts)
    grave = (Standing.IF_QUALIFYING, Standing.VOID_ALONE, Standing.VOID)
    void: dict[str, list[str]] = {}
    for position in round_.opened.players:
        ruling = rulings[position]
        if ruling.standing in grave and position not in closed.void:
            void.setdefault(ruling.cites[0], []).append(str(position))
    for cite, positions in void.items():
        yield cite, f"void hands were settled as good: {', '.join(positions)}"
    held = count_hands(facts)
    rule = round_.way.misdeal
    dealer_due = count_due(round_, facts, reached_stage(facts)).get("dealer", 0)
    if rule and not void and 0 < dealer_due - held.get("dealer", 0) <= rule.dealer_may_lack:
        yield rule.cite, "the dealer did not complete the hand"
    hand = round_.rules.hand
    if hand:
        hands = [*(held.get(p, 0) for p in round_.opened.players), held.get("dealer", 0)]
        if any(cards != hand.number for cards in hands):
            yield hand.cite, f"a hand did not have {hand.number} cards"

"""Say what became of each hand of a round: it stands, or an irregularity made it void.

Where two paragraphs contradict, the ruling is DISPUTED and cites both:

| case | one reading | the other |
| --- | --- | --- |
| Boston 5: the stub count shows a misdeal of one player | 24.7(f)2: all hands void | 24.12(d): his alone |
| Boston 5: the shoe jams before a player has three cards | 24.12(f) voids | it speaks of a later jam |
"""  # noqa: E501 - rows of a table

from __future__ import annotations

from host_tools.oracle.facts import Fact, Jammed, Recipient, StubCounted
from host_tools.oracle.objection import Ruling, Standing
from host_tools.oracle.round_facts import (
    Decided,
    Exposed,
    FaceUpFound,
    NoMoreBets,
    RemainderOut,
    RoundClosed,
)
from host_tools.oracle.rounds import Round, count_hands, find_misdealt

# What an irregularity does: to everybody (None) or to one hand.
Effect = tuple[Recipient | None, Standing, str]


def rule_hands(round_: Round, facts: list[Fact]) -> dict[Recipient, Ruling]:
    """Return the standing of each hand after these facts of the round."""
    held = count_hands(facts)
    hands: set[Recipient] = {*round_.opened.players}
    hands.update(held)
    effects = [
        *_find_face_up(round_, facts),
        *_find_exposure(round_, facts),
        *_find_jam(round_, facts),
        *_find_misdeals(round_, facts),
        *_find_wrong_counts(round_, facts),
    ]
    rulings: dict[Recipient, Ruling] = {}
    for hand in hands:
        rulings[hand] = _merge([e for e in effects if e[0] in (None, hand)])
    for hand, ruling in rulings.items():
        whole = isinstance(hand, int) and _may_qualify(round_, held.get(hand, 0))
        if ruling.standing is Standing.IF_QUALIFYING and not whole:
            rulings[hand] = Ruling(Standing.VOID, ruling.cites)
    return rulings


def _may_qualify(round_: Round, cards: int) -> bool:
    """Say if a hand of so many cards can qualify for a payout."""
    least = round_.rules.qualifying
    return least is not None and cards >= least.number


def _merge(effects: list[Effect]) -> Ruling:
    """Return the gravest effect with all its paragraphs."""
    if not effects:
        return Ruling(Standing.STANDS)
    worst = max((standing for _, standing, _ in effects), key=lambda standing: standing.value)
    cites = dict.fromkeys(cite for _, standing, cite in effects if standing is worst)
    return Ruling(worst, tuple(cites))


def _find_face_up(round_: Round, facts: list[Fact]) -> list[Effect]:
    """More than one card face up voids the hands of all."""
    found = {fact.card for fact in facts if isinstance(fact, FaceUpFound)}
    rules = round_.rules
    if rules.face_up is None or not rules.face_up_voids or len(found) < 2:
        return []
    return [(None, Standing.VOID, rules.face_up)]


def _find_exposure(round_: Round, facts: list[Fact]) -> list[Effect]:
    """A hidden card that was seen before its time voids the hands of all."""
    rule = round_.rules.exposure
    if rule is None:
        return []
    kind = Decided if rule.ends_with == "decided" else NoMoreBets
    for fact in facts:
        if isinstance(fact, kind) and fact.stage == rule.stage:
            return []
        if isinstance(fact, Exposed) and fact.whose == rule.whose:
            standing = Standing.IF_QUALIFYING if rule.spares else Standing.VOID
            return [(None, standing, rule.cite)]
    return []


def _find_jam(round_: Round, facts: list[Fact]) -> list[Effect]:
    """A jam of the shoe voids the round while the shoe still holds its cards."""
    cite = round_.way.deal_jam
    if cite is None:
        return []
    for number, fact in enumerate(facts):
        if isinstance(fact, RemainderOut):
            return []
        if isinstance(fact, Jammed) and fact.during == "deal":
            if not round_.way.jam_spares:
                return [(None, Standing.VOID, cite)]
            held = count_hands(facts[:number])
            full = any(_may_qualify(round_, held.get(p, 0)) for p in round_.opened.players)
            return [(None, Standing.IF_QUALIFYING if full else Standing.DISPUTED, cite)]
    return []


def _find_misdeals(round_: Round, facts: list[Fact]) -> list[Effect]:
    """An incorrect number of cards voids all hands, or the hand of that player alone."""
    rule = round_.way.misdeal
    if rule is None:
        return []
    closed = any(isinstance(fact, RoundClosed) for fact in facts)
    effects: list[Effect] = []
    for hand, lacks in find_misdealt(round_, facts, closed).items():
        if isinstance(hand, int) and rule.player_alone:
            effects.append((hand, Standing.VOID_ALONE, rule.cite))
        elif isinstance(hand, int) or not 0 < lacks <= rule.dealer_may_lack:
            effects.append((None, Standing.VOID, rule.cite))
    return effects


def _find_wrong_counts(round_: Round, facts: list[Fact]) -> list[Effect]:
    """A count of the stub or of the remainder that does not add up voids all hands."""
    effects: list[Effect] = []
    stub, number = round_.way.stub, round_.rules.cards
    misdealt = bool(find_misdealt(round_, facts, closed=True))
    for fact in facts:
        if isinstance(fact, StubCounted) and stub and number:
            whole = fact.number + fact.in_hands == number.number
            if not whole and not misdealt:
                effects.append((None, Standing.VOID, stub.wrong))
            elif whole and misdealt and stub.hands_differ:
                effects.append((None, Standing.DISPUTED, stub.wrong))
                effects.append((None, Standing.DISPUTED, stub.hands_differ))
            elif whole and misdealt:
                effects.append((None, Standing.VOID, stub.wrong))
        left = round_.way.remainder
        if isinstance(fact, RemainderOut) and left and len(fact.cards) != left.number:
            effects.append((None, Standing.VOID, left.cite))
    return effects

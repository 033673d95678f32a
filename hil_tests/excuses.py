"""Objections of the oracle that the eye passes over: each is a house's choice, or was told as such.

What the machine has called misdealt stays in the history, for the hands are judged by it; what it
told is no breach. Of two readings of the texts the house has taken one, and says here which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from host_tools.oracle import facts, round_facts
from host_tools.oracle.facts import Fact
from host_tools.oracle.objection import Objection

TURNS = ".2(b)4"  # where the texts have two decks alternate
# So the oracle objects to the number of cards of a stack, or to whom it went
NUMBER = re.compile(
    r"lacked|too (few|many)|wrong number of cards|was next|was due|void hands|more cards"
)


def of_number(one: Objection) -> bool:
    """Tell whether it is about the number of cards of a stack, which the machine may have told."""
    return NUMBER.search(one.says) is not None


def one_deck_in_use(history: Sequence[Fact], one: Objection) -> bool:
    """House's choice: two decks are in use, and take turns, once each of them was dealt."""
    fact = _of_turns(history, one)
    if fact is None:
        return False
    decks: dict[str, frozenset[str]] = {}
    dealt: set[str] = set()
    for seen in history[: one.fact_index]:
        if isinstance(seen, facts.Opened):
            decks[seen.deck] = seen.cards
        elif isinstance(seen, facts.Removed):
            decks.pop(seen.deck)
        elif isinstance(seen, round_facts.Dealt):
            dealt |= set(seen.cards)
    return not any(cards & dealt for cards in decks.values() if not cards & set(fact.cards))


def slipped_in(
    history: Sequence[Fact],
    one: Objection,
    miscounted: set[int],
    decks: Iterable[tuple[str, set[int]]],
) -> bool:
    """Tell whether a hand slipped a card into the shoe, and the count of the round found it."""
    fact = history[one.fact_index]
    if not isinstance(fact, round_facts.Dealt) or fact.round not in miscounted:
        return False
    known = {number for _, cards in decks for number in cards}
    strange = any(int(card.split()[1]) not in known for card in fact.cards)
    return "does not belong" in one.says and strange


def _of_turns(history: Sequence[Fact], one: Objection) -> round_facts.Dealt | None:
    """Return the stack that an objection about turns is about; None for any other objection."""
    fact = history[one.fact_index]
    about = one.cite.endswith(TURNS) and isinstance(fact, round_facts.Dealt)
    return fact if about and isinstance(fact, round_facts.Dealt) else None

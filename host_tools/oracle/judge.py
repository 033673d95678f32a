"""Judge what happened at a table by the texts alone. Start here; `facts` says what is told.

    history = [Game("boston_5", "automated_shoe"), Opened("red", cards, "red"), ...]
    objections(history)  # everything that the texts forbid
    permits(history, Dealt(1, ("c1", "c2", "c3"), to=1))  # empty: the texts permit it

A history begins with a `Game`. A fact about a deck or a round that the history does not know is a
mistake of the caller and raises KeyError.
"""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.oracle.change import change_table
from host_tools.oracle.deal import object_to_deal
from host_tools.oracle.deck_objections import object_to_fact
from host_tools.oracle.facts import Fact, Game, Recipient
from host_tools.oracle.games import find_rules
from host_tools.oracle.objection import Objection, Owed, Ruling, What
from host_tools.oracle.round_objections import object_to_round
from host_tools.oracle.standing import rule_hands
from host_tools.oracle.table import Deck, Table


def objections(history: Sequence[Fact]) -> list[Objection]:
    """Return every objection to the history, in the order of the facts."""
    return _read(history)[1]


def permits(history: Sequence[Fact], act: Fact) -> list[Objection]:
    """Return the objections that `act` as the next fact would bring; none: it is permitted."""
    known = set(objections(history))
    return [new for new in objections([*history, act]) if new not in known]


def standing(history: Sequence[Fact], round_number: int) -> dict[Recipient, Ruling]:
    """Return the standing of each hand of a round."""
    round_ = _read(history)[0].rounds[round_number]
    return rule_hands(round_, round_.facts())


def owed(history: Sequence[Fact]) -> set[Owed]:
    """Return what must be done with each deck before the next round is dealt from it."""
    table, _ = _read(history)
    return {debt for name, deck in table.decks.items() for debt in _find_debts(table, name, deck)}


def _read(history: Sequence[Fact]) -> tuple[Table, list[Objection]]:
    """Fold the history into the table that it leaves and the objections to it."""
    if not history or not isinstance(history[0], Game):
        raise ValueError("a history must begin with a Game")
    table = Table(history[0], *find_rules(history[0]))
    found: list[Objection] = []
    for index, fact in enumerate(history):
        table.pass_time(fact.at_s)
        found += [Objection(index, cite, says) for cite, says in object_to_fact(table, fact)]
        change_table(table, index, fact)
    for round_ in table.rounds.values():
        found += [*object_to_deal(round_), *object_to_round(round_)]
    return table, sorted(dict.fromkeys(found), key=lambda objection: objection.fact_index)


def _find_debts(table: Table, name: str, deck: Deck) -> list[Owed]:
    rules, way = table.rules, table.way
    debts: list[Owed] = []
    unfit = table.must_be_shuffled(deck)
    if unfit:
        debts.append(Owed(What.RESHUFFLE if deck.jammed else What.SHUFFLE, name, unfit[0]))
        if deck.spent and not set(deck.stack) <= deck.put_in:
            debts.append(Owed(What.CARDS_BACK, name, unfit[0]))
    elif rules.cut and table.needs_cut(deck):
        debts.append(Owed(What.CUT, name, rules.cut))
    if way.stub and table.needs_stub_count(deck):
        debts.append(Owed(What.STUB_COUNT, name, way.stub.every.cite))
    if deck.wrong:
        debts.append(Owed(What.REMOVAL, name, deck.wrong))
    if way.life and table.needs_change(deck):
        debts.append(Owed(What.NEW_DECK, name, way.life.cite))
    if rules.suit_order and table.needs_suit_order(name):
        debts.append(Owed(What.SUIT_ORDER, name, rules.suit_order.cite))
    return debts

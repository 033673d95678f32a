"""Object to what is done with decks, judged by the table as it was before the fact."""

from __future__ import annotations

from collections.abc import Iterator

from host_tools.oracle.facts import Cut, DeviceCounted, Fact, Game, Racked, Recut, Shuffled
from host_tools.oracle.games import GAMES, JOKERS
from host_tools.oracle.round_facts import Dealt, RoundOpened
from host_tools.oracle.table import Deck, Table

Reason = tuple[str, str]  # paragraph, and what it forbids


def object_to_fact(table: Table, fact: Fact) -> Iterator[Reason]:
    """Yield every reason against this fact at this table."""
    match fact:
        case Game():
            yield from _object_to_game(fact)
        case RoundOpened():
            yield from _object_to_players(table, len(fact.players))
        case Shuffled(by="hand"):
            yield from _object_to_hand_shuffle(table)
        case DeviceCounted():
            stub, stack = table.way.stub, table.decks[fact.deck].stack
            if stub and stub.excuse and fact.trusted and stack and fact.number != len(stack):
                yield stub.excuse, "the device told a number that is not there"
        case Racked():
            rule = table.rules.two_decks
            if rule and len(table.decks_of(table.rack | fact.cards)) > 1:
                yield f"{rule}5", "cards of two decks lie in the discard rack"
        case Cut():
            yield from _object_to_cut(table, fact)
        case Dealt():
            round_ = table.rounds[fact.round]
            name = round_.opened.deck
            if name not in table.decks:
                return
            if fact.round not in table.begun:
                yield from _object_to_state(table, table.decks[name])
                yield from _object_to_number(table, table.decks[name])
                yield from _object_to_turn(table, name)
            yield from _object_to_cards(table, table.decks[name], fact)
        case _:
            pass


def _object_to_game(game: Game) -> Iterator[Reason]:
    rules = GAMES[game.name]
    if game.delivery in rules.refused:
        yield rules.refused[game.delivery], "the game may not be dealt in this way"
    if rules.seats and game.seats is not None and game.seats > rules.seats.number:
        yield rules.seats.cite, "the table has more positions than allowed"


def _object_to_players(table: Table, players: int) -> Iterator[Reason]:
    most, fewest = table.rules.seats, table.rules.fewest_players
    if most and players > most.number:
        yield most.cite, "more positions play than allowed"
    if fewest and players < fewest.number:
        yield fewest.cite, "fewer players play than the game needs"


def _object_to_hand_shuffle(table: Table) -> Iterator[Reason]:
    if table.way.no_hand_shuffle:
        yield table.way.no_hand_shuffle, "the game wants a shuffle by the device"
    if table.rules.other_shuffle and table.device_here:
        yield table.rules.other_shuffle, "a shuffle by hand while the device was there"
    if table.rules.two_decks and table.game.two_decks:
        yield f"{table.rules.two_decks}3", "a shuffle by hand where two decks are in use"


def _object_to_cut(table: Table, cut: Cut) -> Iterator[Reason]:
    deck, rules = table.decks[cut.deck], table.rules
    if isinstance(cut, Recut) and rules.recut and deck.spent:
        yield rules.recut, "the deck was cut again after a card had been dealt"
    least = rules.cut_depth
    if least is None or cut.depth is None:
        return
    below = len(deck.stack or deck.opened.cards) - cut.depth
    if cut.depth < least.number or (rules.cut_from_both_ends and below < least.number):
        yield least.cite, f"the cut was less than {least.number} cards from an end"


def _object_to_state(table: Table, deck: Deck) -> Iterator[Reason]:
    """Object to a first card from a deck that had to be shuffled, cut, changed or put in order."""
    unfit = table.must_be_shuffled(deck)
    if unfit:
        yield unfit
    elif table.needs_cut(deck) and table.rules.cut:
        yield table.rules.cut, "the deck was not cut"
    if table.way.life and table.needs_change(deck):
        yield table.way.life.cite, "the deck was not changed in time"
    limit = table.rules.suit_order
    if limit and table.needs_suit_order(deck.opened.deck):
        yield limit.cite, "the deck was not put into suit and sequence in time"


def _object_to_number(table: Table, deck: Deck) -> Iterator[Reason]:
    """Object to a deck with a wrong number of cards, and to jokers in the wrong game."""
    rules, stub = table.rules, table.way.stub
    if deck.wrong:
        yield deck.wrong, "a count had shown a wrong number of cards"
    elif stub and stub.device_wrong and table.is_excused(deck) and _is_wrong(table, deck):
        yield stub.device_wrong, "the deck has a wrong number of cards"
    if stub and table.needs_stub_count(deck):
        yield stub.every.cite, "the stub was not counted in the last five rounds"
    jokers = {card for other in table.decks.values() for card in other.opened.jokers}
    if not rules.jokers_allowed and jokers & set(deck.stack):
        yield JOKERS, "a joker is in play"
    if rules.jokers and len(deck.opened.jokers) != rules.jokers.number:
        yield rules.jokers.cite, "the deck has a wrong number of jokers"


def _is_wrong(table: Table, deck: Deck) -> bool:
    """Say if the number of cards that came out of the last shuffle is truly wrong."""
    cards = table.rules.cards
    return bool(cards and deck.stack and len(deck.stack) != cards.number)


def _object_to_turn(table: Table, name: str) -> Iterator[Reason]:
    """Object to two decks that do not alternate, look alike or lie mixed."""
    rules, last = table.rules, table.last_deck
    if rules.one_deck and table.decks_of(table.decks[name].stack) - {name}:
        yield rules.one_deck, "cards of another deck are in the stack"
    if rules.two_decks is None or rules.rotates:
        return
    if not table.game.two_decks:
        if rules.one_deck and last not in (None, name):
            yield rules.one_deck, "a second deck is in play where one is allowed"
        return
    if len(table.decks) > 2:
        yield rules.two_decks, "more than two decks are in play"
    if len(table.decks) == 2:
        if len({deck.opened.back for deck in table.decks.values()}) == 1:
            yield f"{rules.two_decks}2", "the backs of the two decks are alike"
        if last == name:
            yield f"{rules.two_decks}4", "the two decks did not alternate"


def _object_to_cards(table: Table, deck: Deck, dealt: Dealt) -> Iterator[Reason]:
    """Object to cards that the last shuffle did not make part of this deck's stack."""
    rules = table.rules
    if table.way.reshuffles_itself or rules.shuffle is None:
        return
    if dealt.round in table.ended:
        yield rules.shuffle, "a card was dealt after the end of its round"
    for card in dealt.cards:
        owner = table.deck_of(card)
        if card in deck.dealt:
            yield rules.shuffle, f"{card} was dealt twice from one shuffle"
        elif card in deck.stack or deck.shuffled_by is None:
            continue
        elif rules.one_deck and owner != deck.opened.deck:
            yield rules.one_deck, f"{card} does not belong to the deck of the round"
        else:
            yield rules.shuffle, f"{card} was not in the shuffle"

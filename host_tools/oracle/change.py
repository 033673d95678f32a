"""Change the table by one fact. No verdict is given here."""

from __future__ import annotations

from host_tools.oracle import facts as f
from host_tools.oracle import round_facts as r
from host_tools.oracle.rounds import Round, Seen, find_misdealt
from host_tools.oracle.table import Deck, Table


def change_table(table: Table, index: int, fact: f.Fact) -> None:
    """Bring the table up to date with this fact."""
    match fact:
        case f.Game():
            table.play(fact)
        case f.Opened():
            _open_deck(table, fact)
        case f.Removed():
            del table.decks[fact.deck]
            table.last_deck = None
        case f.PutIn():
            table.rack -= fact.cards
            for name in table.decks_of(fact.cards):
                table.decks[name].put_in |= fact.cards
        case f.Shuffled():
            for name in _find_main(table, fact.cards):
                _shuffle_deck(table, table.decks[name], fact)
        case f.DeviceCounted():
            _count_by_device(table, fact)
        case f.StubCounted():
            _count_stub(table, index, fact)
        case f.Cut():
            table.decks[fact.deck].cut = True
        case f.SuitOrdered():
            table.stop_use()
            table.decks[fact.deck].used_s = 0.0
        case f.Racked():
            table.rack |= fact.cards
        case f.Idle() | f.PlayerArrives():
            _rest(table, isinstance(fact, f.Idle))
        case f.DeviceRemoved() | f.DevicePlaced():
            table.device_here = isinstance(fact, f.DevicePlaced)
        case f.Jammed():
            _jam(table, index, fact)
        case r.RoundFact():
            _change_round(table, index, fact)
        case _:
            raise TypeError(f"{type(fact).__name__} is not a fact that the judge knows")


def _open_deck(table: Table, fact: f.Opened) -> None:
    deck = Deck(fact, table.now_s)
    if fact.preshuffled and table.rules.preshuffled:
        deck.shuffled_by, deck.stack = "preshuffled", tuple(fact.cards)
    table.decks[fact.deck] = deck
    table.last_deck = None


def _find_main(table: Table, cards: tuple[str, ...]) -> list[str]:
    """Return the deck that most of these cards belong to; a stray card shuffles no other deck."""
    owned = {n: sum(map(deck.opened.cards.__contains__, cards)) for n, deck in table.decks.items()}
    most = max(owned.values(), default=0)
    return [name for name, count in owned.items() if most and count == most]


def _shuffle_deck(table: Table, deck: Deck, fact: f.Shuffled) -> None:
    if fact.by == "nobody":
        return
    unfresh = deck.jammed and not fact.fresh and table.rules.shuffle_jam is not None
    if not fact.complete or unfresh:
        _break_off(table, deck)
        return
    deck.shuffled_by, deck.why_not, deck.jammed = fact.by, None, False
    deck.stack, deck.dealt, deck.put_in = fact.order, set(), set()
    deck.spent, deck.cut, deck.counted = False, False, None


def _break_off(table: Table, deck: Deck) -> None:
    deck.jammed, deck.shuffled_by = True, None
    cite = table.rules.shuffle_jam or table.rules.shuffle or ""
    deck.why_not = (cite, "a shuffle was broken off, and the cards were not reshuffled")


def _count_by_device(table: Table, fact: f.DeviceCounted) -> None:
    deck, stub, cards = table.decks[fact.deck], table.way.stub, table.rules.cards
    deck.counted = fact
    if stub and stub.device_wrong and cards and fact.trusted and fact.number != cards.number:
        deck.wrong = stub.device_wrong


def _count_stub(table: Table, index: int, fact: f.StubCounted) -> None:
    deck, stub, cards = table.decks[fact.deck], table.way.stub, table.rules.cards
    deck.uncounted = table.uncounted = 0
    last = [r_ for r_ in table.rounds.values() if r_.opened.deck == fact.deck][-1:]
    for round_ in last:
        round_.events.append(Seen(index, fact, table.device_here))
        wrong = stub and cards and fact.number + fact.in_hands != cards.number
        if stub and wrong and not find_misdealt(round_, round_.facts(), closed=True):
            deck.wrong = stub.wrong


def _rest(table: Table, idle: bool) -> None:
    """Let a table lie idle, or wake it: after both, the cards are spread and must be shuffled."""
    table.stop_use()
    if table.rules.idle and (idle or table.idle):
        for deck in table.decks.values():
            deck.shuffled_by = None
            deck.why_not = (table.rules.idle, "the cards were not shuffled after an idle time")
    table.idle = idle


def _jam(table: Table, index: int, fact: f.Jammed) -> None:
    if fact.during == "shuffle" and fact.deck is not None:
        _break_off(table, table.decks[fact.deck])
    elif fact.round is not None:
        table.rounds[fact.round].events.append(Seen(index, fact, table.device_here))


def _change_round(table: Table, index: int, fact: r.RoundFact) -> None:
    if isinstance(fact, r.RoundOpened):
        automated = table.game.delivery == "automated_shoe"
        table.rounds[fact.round] = Round(fact, table.rules, table.way, automated)
        return
    round_ = table.rounds[fact.round]
    round_.events.append(Seen(index, fact, table.device_here))
    deck = table.decks.get(round_.opened.deck)
    if isinstance(fact, r.Dealt) and deck is not None:
        if fact.round not in table.begun:
            _begin_round(table, fact.round, deck)
        deck.dealt |= set(fact.cards)
    if isinstance(fact, r.RemainderOut) and deck is not None:
        left = round_.way.remainder
        misdealt = find_misdealt(round_, round_.facts(), closed=True)
        if left and len(fact.cards) != left.number and not misdealt:
            deck.wrong = left.cite
    if isinstance(fact, r.RoundClosed | r.RoundVoided):
        table.ended.add(fact.round)
        if deck is not None and fact.round in table.begun:
            deck.spent = True  # a shuffle before this moment came before the end of the round
    if isinstance(fact, r.RoundVoided) and fact.round in table.begun:
        _forget_round(table, deck)


def _begin_round(table: Table, number: int, deck: Deck) -> None:
    name = deck.opened.deck
    table.begun.add(number)
    if table.in_use != name:
        table.stop_use()
        table.in_use = name
    table.last_deck, deck.spent, deck.put_in = name, True, set()
    if table.is_excused(deck):
        deck.uncounted = table.uncounted = 0
    else:
        deck.uncounted, table.uncounted = deck.uncounted + 1, table.uncounted + 1


def _forget_round(table: Table, deck: Deck | None) -> None:
    """Leave a void round out of turns and counts: perhaps it was no complete round of play."""
    table.last_deck = None
    table.uncounted = max(table.uncounted - 1, 0)
    if deck is not None:
        deck.uncounted = max(deck.uncounted - 1, 0)

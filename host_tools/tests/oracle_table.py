"""Histories for the tests of the oracle: decks, whole rounds, and what is objected to them."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.oracle.facts import (
    By,
    Cut,
    DeviceCounted,
    Fact,
    Game,
    Opened,
    PutIn,
    Recipient,
    Shuffled,
)
from host_tools.oracle.judge import objections
from host_tools.oracle.round_facts import Dealt, Decided, NoMoreBets, RoundClosed, RoundOpened

BOSTON = Game("boston_5", "automated_shoe", seats=3)
BOSTON_TWO = Game("boston_5", "automated_shoe", two_decks=True, seats=3)
BOSTON_HAND = Game("boston_5", "single_stack")
DRAW = Game("double_draw", "automated_shoe", seats=6)
DOUBLE_DOWN = Game("double_down_stud", "automated_shoe")
DOUBLE_DOWN_HAND = Game("double_down_stud", "single_stack")
RIDE = Game("let_it_ride", "automated_shoe")
RIDE_HAND = Game("let_it_ride", "single_stack")
POKER = Game("poker", "single_stack", seats=10)
DRAW_HAND = Game("double_draw", "single_stack")
PAI_GOW = Game("pai_gow_poker", "automated_shoe")
PAI_GOW_HAND = Game("pai_gow_poker", "single_stack")
CARIBBEAN = Game("caribbean_stud", "automated_shoe")
CARIBBEAN_HAND = Game("caribbean_stud", "single_stack")
THREE_CARD = Game("three_card_poker", "automated_shoe")
THREE_CARD_HAND = Game("three_card_poker", "single_stack")
BLACKJACK = Game("blackjack", "automated_shoe")
RED_DOG = Game("red_dog", "automated_shoe")
MINIBACCARAT = Game("minibaccarat", "automated_shoe")
# What the first stack of a game is: to whom, and how many cards.
FIRST: dict[str, tuple[Recipient, int]] = {
    "boston_5": (1, 3),
    "let_it_ride": (1, 3),
    "let_it_ride single_stack": (1, 1),
    "double_down_stud": (1, 1),
    "caribbean_stud": (1, 5),
    "double_draw": (1, 5),
    "pai_gow_poker": (1, 1),
    "three_card_poker": (1, 3),
    "poker": (1, 1),
    "blackjack": (1, 1),
    "red_dog": ("community", 1),
    "minibaccarat": ("player", 1),
}


def names(deck: str, number: int = 52) -> tuple[str, ...]:
    """Return the names of the first cards of a deck."""
    return tuple(f"{deck}{card}" for card in range(number))


def opened(deck: str = "red", number: int = 52, jokers: int = 0, at_s: float = 0) -> Opened:
    cards = names(deck, number)
    return Opened(deck, frozenset(cards), deck, jokers=frozenset(cards[:jokers]), at_s=at_s)


def shuffled(deck: str = "red", number: int = 52, by: By = "device") -> list[Fact]:
    """Put a deck in, shuffle it, and count it truly if the device did it."""
    cards = names(deck, number)
    facts: list[Fact] = [PutIn(frozenset(cards)), Shuffled(cards, cards, by)]
    return [*facts, DeviceCounted(deck, number)] if by == "device" else facts


def uncounted(deck: str = "red", number: int = 52) -> list[Fact]:
    """Shuffle with a device that cannot vouch for the number."""
    return [*shuffled(deck, number)[:2], DeviceCounted(deck, number, trusted=False)]


class Shoe:
    """Deals the names of a deck from the first on."""

    def __init__(self, deck: str = "red", round_number: int = 1) -> None:
        self.deck, self.round, self.next = deck, round_number, 0

    def take(self, number: int) -> tuple[str, ...]:
        cards = names(self.deck, self.next + number)[self.next :]
        self.next += number
        return cards

    def deal(self, to: Recipient, number: int, by_hand: bool = False) -> Dealt:
        return Dealt(self.round, self.take(number), to, by_hand=by_hand)


def boston_deal(
    round_number: int = 1,
    deck: str = "red",
    stacks: Sequence[tuple[Recipient, int]] = ((1, 3), (2, 3), ("dealer", 3)),
    by_hand: Sequence[tuple[Recipient, int]] = ((1, 2), (2, 2), ("dealer", 2)),
) -> list[Fact]:
    """Deal a round of Boston 5 to positions 1 and 2, as far as the last two cards."""
    shoe = Shoe(deck, round_number)
    return [
        RoundOpened(round_number, deck, (1, 2)),
        NoMoreBets(round_number),
        *(shoe.deal(to, cards) for to, cards in stacks),
        Decided(round_number, 1, (1, 2)),
        *(shoe.deal(to, cards, by_hand=True) for to, cards in by_hand),
    ]


def boston_round(round_number: int = 1, deck: str = "red") -> list[Fact]:
    """Play a good round of Boston 5."""
    return [*boston_deal(round_number, deck), RoundClosed(round_number)]


def double_down_round(round_number: int = 1, *between: Fact) -> list[Fact]:
    """Deal a round of double down stud to positions 1 and 2; `between` stands before the end."""
    shoe = Shoe("red", round_number)
    return [
        RoundOpened(round_number, "red", (1, 2)),
        NoMoreBets(round_number),
        *(shoe.deal(1, 1), shoe.deal(2, 1), shoe.deal("community", 4)),
        *between,
        NoMoreBets(round_number, 1),
        RoundClosed(round_number),
    ]


def poker_round(round_number: int, deck: str = "red", at_s: float | None = None) -> list[Fact]:
    """Shuffle, cut and deal one card each of plain poker to three players."""
    shoe = Shoe(deck, round_number)
    deal = [shoe.deal(1, 1), shoe.deal(2, 1), shoe.deal(3, 1)]
    start: list[Fact] = [*shuffled(deck), Cut(deck, 20)]
    return [
        *start,
        RoundOpened(round_number, deck, (1, 2, 3), at_s=at_s),
        *deal,
        RoundClosed(round_number),
    ]


def fresh_deck(game: Game, deck: str = "red") -> Opened:
    """Open the deck that the game is played with: 54 cards with two jokers in double draw."""
    return opened(deck, 54, 2) if game.name == "double_draw" else opened(deck)


def ready(game: Game, by: By = "device") -> list[Fact]:
    """Open and shuffle the deck of a game, and cut it whether it needs a cut or not."""
    deck = fresh_deck(game)
    return [game, deck, *shuffled(number=len(deck.cards), by=by), Cut("red", 20)]


def start(game: Game, round_number: int = 1, deck: str = "red") -> list[Fact]:
    """Open a round and deal its first stack."""
    to, number = FIRST.get(f"{game.name} {game.delivery}") or FIRST[game.name]
    first = 20 * (round_number - 1)
    cards = names(deck, first + number)[first:]
    stack = Dealt(round_number, cards, to)
    return [RoundOpened(round_number, deck, (1, 2)), NoMoreBets(round_number), stack]


def cites(history: Sequence[Fact]) -> list[str]:
    """Return the paragraphs of the objections to a history."""
    return [objection.cite for objection in objections(history)]
